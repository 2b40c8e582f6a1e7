"""Ports that a server takes for itself."""

import socket
import subprocess
import sys

import pytest

from services.localhouse import claims


def test_a_free_port_is_none_that_an_outgoing_connection_gets() -> None:
    """It lies below the ports of outgoing connections, and a server can take it."""
    with socket.socket() as server, socket.socket() as client:
        port = claims.free_port()
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", port))
        server.listen()
        client.connect(("127.0.0.1", port))
        assert port < client.getsockname()[1]
        assert not claims.is_free(port)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a port be held for a server")
def test_a_port_is_given_to_one_caller_though_its_server_starts_later() -> None:
    """Another process that draws the same port gets none, before its server starts, and while it starts again."""
    port = claims.free_port()
    draw = (
        "from services.localhouse import claims\n"
        f"claims._PORTS = range({port}, {port + 1})\n"
        "try:\n    print(claims.free_port())\nexcept claims.ClaimError:\n    print('none')"
    )

    def drawn() -> str:
        done = subprocess.run([sys.executable, "-c", draw], capture_output=True, text=True, timeout=60, check=True)
        return done.stdout.strip()

    assert drawn() == "none"
    assert claims.is_free(port), "its server may take it"
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", port))
        server.listen()
        assert drawn() == "none"
    assert drawn() == "none"


def test_where_no_port_is_free_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of tries is bounded."""
    monkeypatch.setattr(claims, "_hold", lambda _: False)
    with pytest.raises(claims.ClaimError, match="none of 100 ports"):
        claims.free_port()
