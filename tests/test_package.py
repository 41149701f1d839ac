"""What was installed is whole: types, data, notices and the command came along."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution, entry_points
from importlib.resources import files
from pathlib import Path

import pytest

import bytepair

DATA = ["py.typed", "_core.pyi", "texts/corpus.en", "texts/README.md", "reference/README.md"]


@pytest.mark.parametrize("name", DATA)
def test_data_came_along(name):
    assert (files("bytepair") / name).is_file()


@pytest.fixture(scope="module")
def metadata():
    try:
        return distribution("bytepair").metadata
    except PackageNotFoundError:
        pytest.skip("a bare checkout has no metadata")


def test_the_version_is_one(metadata):
    assert metadata["Version"] == bytepair.__version__


def test_the_notices_came_along(metadata):
    assert metadata.get_all("License-File") == ["LICENSE", "NOTICE"]


def test_the_core_install_is_light(metadata):
    needed = [item for item in metadata.get_all("Requires-Dist") if "extra" not in item]
    assert [item.split(">")[0].strip() for item in needed] == ["numpy", "rich"]


def test_the_command_is_installed(metadata):
    (command,) = entry_points(group="console_scripts", name="bytepair")
    assert command.value == "bytepair.cli:main"
    program = shutil.which("bytepair", path=str(Path(sys.executable).parent))
    shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == f"bytepair {bytepair.__version__}"
