"""Watches every refusal that the house's own code raises in a test: it has the figures of its reason."""

import sys
from pathlib import Path
from typing import Any

from services.rules import refusal_figures
from services.rules.refusals import Refused

SERVICES = str(Path(refusal_figures.__file__).parents[1])


def watch() -> None:
    """Make each refusal raised in ``services`` without the figures of its reason an AssertionError."""
    plain = Refused.__init__

    def checked(self: Refused, *given: Any, **named: Any) -> None:
        plain(self, *given, **named)
        raised_in = sys._getframe(1).f_code.co_filename
        if raised_in.startswith(SERVICES) and not raised_in.endswith("/errors.py"):
            lacking = refusal_figures.lacking(self.reason, self.metadata)
            assert not lacking, f"{self.reason} in {raised_in} has {self.metadata}; it needs one of {lacking}"

    Refused.__init__ = checked  # type: ignore[method-assign]  # watched in tests only
