"""What every test stands on: the installed package, no network, and folders that may be absent."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import socket
import sysconfig
from collections import Counter
from filecmp import cmp
from pathlib import Path
from typing import NoReturn

import effort
import pytest
import tally
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("BYTEPAIR_SHARED", ROOT.parent / "shared"))

settings.load_profile(effort.profile())


# ------------------------------------------------------------------ the package under test


def installed_package() -> Path:
    """The folder of the `bytepair` that will be imported; refuses the checkout's own."""
    spec = importlib.util.find_spec("bytepair")
    if spec is None or spec.origin is None:
        raise pytest.UsageError(
            "bytepair is not installed; `make test` does it, `make develop` for daily work"
        )
    package = Path(spec.origin).resolve().parent
    site = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    if package.parent not in site and "BYTEPAIR_TEST_CHECKOUT" not in os.environ:
        raise pytest.UsageError(
            f"bytepair would be imported from `{package}`, and the tests are for the installed "
            "wheel; run `make test`, or set BYTEPAIR_TEST_CHECKOUT=1 for daily work"
        )
    return package


def differences(package: Path) -> list[str]:
    """The Python files of the checkout that the package under test lacks or has otherwise."""
    checkout = ROOT / "python" / "bytepair"
    names = sorted(path.relative_to(checkout) for path in checkout.rglob("*.py"))
    return [
        str(name)
        for name in names
        if not (package / name).exists() or not cmp(checkout / name, package / name, shallow=False)
    ]


def pytest_report_header() -> list[str]:
    package = installed_package()
    try:
        version = importlib.metadata.version("bytepair")
    except importlib.metadata.PackageNotFoundError:
        version = "of no distribution"
    lines = [f"bytepair: {version} from {package}"]
    if other := differences(package):
        lines.append(f"  NOT THIS CHECKOUT, {len(other)} files differ: {', '.join(other)}")
    found = "" if SHARED.is_dir() else " is absent: the tests that compare with it are skipped"
    lines.append(f"shared: {SHARED}{found}")
    if effort.EXHAUSTIVE:
        lines.append("effort: exhaustive (BYTEPAIR_EXHAUSTIVE)")
    return lines


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was compared with a judge, how much of it, and what could not be."""
    absent = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.getreports("skipped")
        if "judge" in report.nodeid and isinstance(report.longrepr, tuple)
    )
    lines = list(tally.lines(detailed=effort.EXHAUSTIVE))
    lines += [f"not judged, {tests} tests: {reason}" for reason, tests in absent.items()]
    if lines:
        terminalreporter.section("judges")
        for line in lines:
            terminalreporter.write_line(line)


# ------------------------------------------------------------------ no network


def refuse(address: object) -> NoReturn:
    pytest.fail(f"a test wanted to reach `{address}`; no test may use the network", pytrace=True)


def pytest_configure() -> None:
    installed_package()
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def guarded(self: socket.socket, address: object) -> None:
        if self.family != socket.AF_UNIX:
            refuse(address)
        connect(self, address)

    def guarded_ex(self: socket.socket, address: object) -> int:
        if self.family != socket.AF_UNIX:
            refuse(address)
        return connect_ex(self, address)

    socket.socket.connect = guarded
    socket.socket.connect_ex = guarded_ex
    socket.getaddrinfo = lambda host, *_, **__: refuse(host)


# ------------------------------------------------------------------ folders


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of large test material (BYTEPAIR_SHARED); skips where there is none."""
    if not SHARED.is_dir():
        pytest.skip(f"no folder `{SHARED}` (BYTEPAIR_SHARED)")
    return SHARED


@pytest.fixture(scope="session")
def files() -> Path | None:
    """The same, or None where bundled data can take the place of its files."""
    return SHARED if SHARED.is_dir() else None
