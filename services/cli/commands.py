"""The commands that are no process of the house, added to the command line."""

import typer


def register(app: typer.Typer) -> None:
    """Add them."""
    from services.cli import (  # noqa: PLC0415 - a serving process needs none of them
        auditing,
        backoffice,
        certifying,
        exporting,
        operating,
        privacy,
        proofs,
        purses,
        reporting,
        sampling,
        tabling,
        templates,
        trying,
    )

    for group in (
        trying, certifying, auditing, exporting, proofs, sampling, backoffice, privacy, purses, tabling, templates,
        reporting,
        operating,
    ):  # fmt: skip
        group.register(app)
