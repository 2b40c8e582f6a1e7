"""What a table refuses beside the rules: with a word of the closed list of reasons."""

from collections.abc import Mapping

from services.rules.text import Text


class TableRefused(Exception):  # noqa: N818 - an answer, not an error of the program
    """The table does not allow this; ``reason`` is a word of the closed list, nothing was changed.

    ``metadata`` is what machines need; ``text`` says it to players in their language, where the reason alone does not.
    """

    def __init__(
        self, reason: str, message: str, *, metadata: Mapping[str, str | int] | None = None, text: Text | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.text = text
