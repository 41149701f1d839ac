"""The guard of conftest.py bites: without this, a test that goes online would pass at home."""

from __future__ import annotations

import socket

import pytest


def test_no_connection_leaves_the_machine():
    with (
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tcp,
        pytest.raises(pytest.fail.Exception, match="network"),
    ):
        tcp.connect(("127.0.0.1", 9))


def test_no_name_is_resolved():
    with pytest.raises(pytest.fail.Exception, match=r"example\.org"):
        socket.create_connection(("example.org", 80))


def test_unix_sockets_still_work(tmp_path):
    with (
        socket.socket(socket.AF_UNIX) as server,
        socket.socket(socket.AF_UNIX) as client,
    ):
        server.bind(str(tmp_path / "s"))
        server.listen()
        client.connect(str(tmp_path / "s"))
