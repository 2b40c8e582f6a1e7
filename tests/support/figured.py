"""Watches every refusal that the house's own code raises in a test: it names its figures, bounds and fields."""

import sys
from pathlib import Path
from typing import Any
from unittest import mock

from services.rules import refusal_figures
from services.rules.refusals import Reason, Refused

SERVICES = str(Path(refusal_figures.__file__).parents[1])


def watch() -> None:
    """Make a refusal raised in ``services`` an AssertionError where it helps nobody.

    It lacks the figures of its reason, gives a range without a value, or does not name the wrong field.
    """
    plain = Refused.__init__

    def checked(self: Refused, *given: Any, **named: Any) -> None:
        plain(self, *given, **named)
        raised_in = sys._getframe(1).f_code.co_filename
        if raised_in.startswith(SERVICES) and not raised_in.endswith("/errors.py"):
            lacking = refusal_figures.lacking(self.reason, self.metadata)
            assert not lacking, f"{self.reason} in {raised_in} has {self.metadata}; it needs one of {lacking}"
            impossible = refusal_figures.impossible(self.metadata)
            assert not impossible, f"{self.reason} in {raised_in}: no value lies in {impossible} of {self.metadata}"
            unnamed = self.reason is Reason.INVALID_ARGUMENT and not self.fields
            assert not unnamed, f"{self.reason} in {raised_in} names no field: {self.message}"

    mock.patch.object(Refused, "__init__", checked).start()  # for as long as the tests run
