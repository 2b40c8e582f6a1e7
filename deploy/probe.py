#!/usr/bin/env -S python3 -SE
"""Health probe of a container: exit code 0 when /healthz on this host's metrics port answers 200.

With ``--alive`` it asks less: that the process is not stuck (a database that is away is no reason to start it again).
Slim images have no curl; a bare socket keeps a probe every two seconds cheap.
"""

import os
import socket
import sys


def main(arguments: list[str]) -> int:
    """Ask once, within two seconds."""
    port = int(os.environ.get("PITBOSS_METRICS_LISTEN", "127.0.0.1:9400").rpartition(":")[2])
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
            answer = b""
            while part := connection.recv(4096):
                answer += part
    except OSError as error:
        sys.stderr.write(f"no answer on port {port}: {error}\n")
        return 1
    if "--alive" in arguments:
        return 1 if b'"event loop"' in answer else 0
    return 0 if answer.split(b" ", 2)[1:2] == [b"200"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
