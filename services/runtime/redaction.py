"""Redaction of log lines: secrets and cards are removed."""

import re
from collections.abc import Collection, Mapping
from typing import Any

REDACTED = "[redacted]"
WITHHELD = "[cards withheld]"
DEEPEST, LONGEST = 6, 4000
"""Maximum levels of nesting, and characters of a text, in a line."""

_SECRET_NAME = re.compile(
    r"(^|_)(token|secret|secrets|password|passphrase|authorization|cookie|key|keys|private|seed|seeds|nonce|nonces"
    r"|sealed|seal|credentials?|dsn|jwt)($|_)",
    re.IGNORECASE,
)
_HARMLESS_NAME = frozenset({"key_id", "request_key"})
_CARD_NAME = re.compile(
    r"(^|_)(card|cards|hand|hands|hole|deck|decks|stock|stocks|board|zone|zones|tile|tiles|happenings|view|blob"
    r"|payload|data)($|_)",
    re.IGNORECASE,
)
_CARD = r"(?:(?:10|[AKQJT2-9])[shdc]|X[rb]|[0-9]t|\?\?)"
_ONLY_CARDS = re.compile(rf"\W*(?:{_CARD}\W*)+")
_CARD_RUN = re.compile(rf"(?<![A-Za-z0-9]){_CARD}(?:[\s,'\"|]+{_CARD})+(?![A-Za-z0-9])")
_QUOTED_CARD = re.compile(rf"(['\"`]){_CARD}\1")
_URL_PASSWORD = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*://)(?P<user>[^\s/:@]*):[^\s/]*@")
_DSN_PASSWORD = re.compile(r"(password\s*=\s*)('[^']*'|\S+)", re.IGNORECASE)
_JWT = re.compile(r"eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*")
_BEARER = re.compile(r"(bearer\s+)[A-Za-z0-9._~+/=-]{8,}", re.IGNORECASE)
_PEM = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----", re.DOTALL)


def clean_text(text: str) -> str:
    """Return a text without passwords, tokens, private keys and runs of cards."""
    text = _URL_PASSWORD.sub(rf"\g<scheme>\g<user>:{REDACTED}@", text)
    text = _DSN_PASSWORD.sub(rf"\1{REDACTED}", text)
    text = _JWT.sub(REDACTED, text)
    text = _BEARER.sub(rf"\1{REDACTED}", text)
    text = _PEM.sub(REDACTED, text)
    text = _CARD_RUN.sub(WITHHELD, text)
    return _QUOTED_CARD.sub(WITHHELD, text)


def clean(value: Any, depth: int = 0) -> Any:
    """Return a redacted value of a log line: texts, mappings, lists; of bytes only the number is logged."""
    if isinstance(value, bool | int | float) or value is None:
        return value
    if isinstance(value, Mapping | list | tuple | set | frozenset):
        return _clean_inside(value, depth + 1) if depth < DEEPEST else "[too deep]"
    if isinstance(value, bytes | bytearray | memoryview):
        return f"[{len(value)} bytes]"
    text = str(value)
    return WITHHELD if _ONLY_CARDS.fullmatch(text) else clean_text(text[:LONGEST])


def _clean_inside(value: Mapping[Any, Any] | Collection[Any], depth: int) -> Any:
    if isinstance(value, Mapping):
        return {str(name): clean_field(str(name), held, depth) for name, held in value.items()}
    return [clean(held, depth) for held in value]


def clean_field(name: str, value: Any, depth: int = 0) -> Any:
    """Return a redacted named value: by its name first, then by its content."""
    if name not in _HARMLESS_NAME and _SECRET_NAME.search(name):
        return REDACTED
    if _CARD_NAME.search(name) and not isinstance(value, bool | int | float):
        return WITHHELD
    return clean(value, depth)
