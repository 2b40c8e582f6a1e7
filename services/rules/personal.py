"""A person's text as the log keeps it: sealed, hence opaque to the rules, which compare and carry it only.

A sealed text is ``sealed:FIELD:KEY:BYTES``: what it is (``name``, ``title``, ``nickname``, ``reason``, ``avatar``), the
id of the key of the player whose text it is, and the sealed bytes in base32. ``services.privacy`` seals and opens it.
The same text sealed again under the same key is the same, so that sealed texts can be compared.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from services.rules.text import Text

MARK: Final = "sealed:"
ERASED: Final = Text("erased", "已刪除", "已删除")
"""What is shown of a text whose key was destroyed."""
UNREADABLE: Final = Text("unreadable", "無法讀取", "无法读取")
"""What is shown of a sealed text that does not open although its key stands."""

_SEALED: Final = re.compile(r"(?<=\")sealed:[a-z]+:[0-9a-f]+:[a-z2-7]+(?=\")")

_PARTS: Final = 4
"""Parts of a sealed text: mark, field, key, bytes."""

Show = Callable[[str], str]
"""Returns the text to show for a stored one: plain text as it is, sealed text opened, or ``ERASED``."""


def is_sealed(text: str) -> bool:
    """Return whether a stored text is a sealed one; plain text of logs written before texts were sealed is not."""
    return text.startswith(MARK)


def key_id_of(text: str) -> str:
    """Return the id of the key that opens a sealed text; "" for any other text."""
    parts = text.split(":")
    return parts[2] if is_sealed(text) and len(parts) == _PARTS else ""


def veiled(text: str) -> str:
    """Return a stored text as somebody without any key sees it, in English."""
    return ERASED.en if is_sealed(text) else text


def sealed_in(value: Any) -> Iterator[str]:
    """Return every sealed text in a value of JSON, however deep."""
    if isinstance(value, str):
        if is_sealed(value):
            yield value
    elif isinstance(value, dict):
        for held in value.values():
            yield from sealed_in(held)
    elif isinstance(value, list | tuple):
        for held in value:
            yield from sealed_in(held)


def sealed_within(data: str) -> list[str]:
    """Return every sealed text in JSON that has not been read yet."""
    return _SEALED.findall(data)


def shown_in(value: Any, show: Show) -> Any:
    """Return a value of JSON with every sealed text in it replaced by what ``show`` returns for it."""
    if isinstance(value, str):
        return show(value) if is_sealed(value) else value
    if isinstance(value, dict):
        return {key: shown_in(held, show) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [shown_in(held, show) for held in value]
    return value
