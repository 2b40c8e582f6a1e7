"""Calls as browsers and back ends without gRPC make them: gRPC-Web frames and JSON over HTTP/1.1."""

import base64
import http.client
import json
import struct
import urllib.parse
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, Final, NamedTuple

from google.rpc import error_details_pb2, status_pb2

SECONDS: Final = 30
WEB: Final = "application/grpc-web+proto"
_TRAILERS: Final = 0x80
DETAILS: Final = "grpc-status-details-bin"


class Answer(NamedTuple):
    """An answer: status of HTTP, headers in lower case, body."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the body as JSON."""
        return json.loads(self.body)


def ask(
    address: str,
    method: str,
    path: str,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Send one request and read the whole answer."""
    with closing(http.client.HTTPConnection(address, timeout=SECONDS)) as connection:
        connection.request(method, path, body or None, dict(headers or {}))
        found = connection.getresponse()
        return Answer(found.status, _headers(found), found.read())


def call_json(address: str, path: str, request: Any, token: str = "", **headers: str) -> Answer:
    """Call a method by POST with JSON. Header names have ``_`` for ``-``."""
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    given = {"content-type": "application/json", **_bearer(token), **more}
    return ask(address, "POST", path, json.dumps(request).encode(), given)


def get_json(address: str, path: str, token: str = "", **query: Any) -> Answer:
    """Read a resource of the JSON view."""
    whole = f"{path}?{urllib.parse.urlencode(query)}" if query else path
    return ask(address, "GET", whole, headers=_bearer(token))


def frame(message: bytes) -> bytes:
    """Put a message into a frame."""
    return struct.pack(">BI", 0, len(message)) + message


def frames(body: bytes) -> Iterator[tuple[bool, bytes]]:
    """Yield the frames of a body: whether it holds trailers, and its bytes."""
    while body:
        flag, length = struct.unpack(">BI", body[:5])
        yield bool(flag & _TRAILERS), body[5 : 5 + length]
        body = body[5 + length :]


def trailers(block: bytes) -> dict[str, str]:
    """Read a block of trailers."""
    lines = (line.split(":", 1) for line in block.decode().split("\r\n") if ":" in line)
    return {name.lower(): value.strip() for name, value in lines}


def call_web(address: str, path: str, message: bytes, token: str = "", **headers: str) -> tuple[Answer, list[bytes]]:
    """Call a method as a browser does. Return the answer, its headers joined with its trailers, and its messages."""
    given = {"content-type": WEB, "x-grpc-web": "1", **_bearer(token), **headers}
    answer = ask(address, "POST", path, frame(message), given)
    found = list(frames(answer.body)) if answer.headers.get("content-type", "").startswith(WEB) else []
    ends = [trailers(block) for is_end, block in found if is_end]
    joined = {key: value for end in [answer.headers, *ends] for key, value in end.items()}
    return answer._replace(headers=joined), [block for is_end, block in found if not is_end]


@contextmanager
def stream_web(address: str, path: str, message: bytes, token: str, **headers: str) -> Iterator[Iterator[bytes]]:
    """Open a stream as a browser does; yields an iterator of its messages."""
    with closing(http.client.HTTPConnection(address, timeout=SECONDS)) as connection:
        given = {"content-type": WEB, "x-grpc-web": "1", **_bearer(token), **headers}
        connection.request("POST", path, frame(message), given)
        found = connection.getresponse()

        def messages() -> Iterator[bytes]:
            while head := found.read(5):
                flag, length = struct.unpack(">BI", head)
                block = found.read(length)
                if not flag & _TRAILERS:
                    yield block

        yield messages()


@contextmanager
def stream_json(address: str, path: str, request: Any, token: str) -> Iterator[Iterator[Any]]:
    """Open a stream of JSON, an object a line; yields an iterator of the objects."""
    with closing(http.client.HTTPConnection(address, timeout=SECONDS)) as connection:
        given = {"content-type": "application/json", **_bearer(token)}
        connection.request("POST", path, json.dumps(request), given)
        found = connection.getresponse()
        yield (json.loads(line) for line in found if line.strip())


def reason(headers: Mapping[str, str]) -> str:
    """Return the reason of a refusal in the trailers of a call."""
    info = error_details_pb2.ErrorInfo()
    text = headers[DETAILS]
    for detail in status_pb2.Status.FromString(base64.b64decode(text + "=" * (-len(text) % 4))).details:
        detail.Unpack(info)
    return str(info.reason)


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}


def _headers(answer: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.getheaders()}
