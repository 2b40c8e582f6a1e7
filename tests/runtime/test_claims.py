"""Ports that a server takes for itself."""

import socket

import pytest

from services.localhouse import claims


def test_a_free_port_is_none_that_an_outgoing_connection_gets() -> None:
    """It lies below the ports of outgoing connections, and a server can take it."""
    with socket.socket() as server, socket.socket() as client:
        port = claims.free_port()
        server.bind(("127.0.0.1", port))
        server.listen()
        client.connect(("127.0.0.1", port))
        assert port < client.getsockname()[1]
        assert not claims.is_free(port)


def test_where_no_port_is_free_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of tries is bounded."""
    monkeypatch.setattr(claims, "is_free", lambda _: False)
    with pytest.raises(claims.ClaimError, match="none of 100 ports"):
        claims.free_port()
