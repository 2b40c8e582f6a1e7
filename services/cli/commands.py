"""The commands that are no process of the house, added to the command line."""

import typer


def register(app: typer.Typer) -> None:
    """Add them."""
    from services.cli import auditing, certifying, exporting, operating, proofs, sampling, trying  # noqa: PLC0415 - a serving process needs none of them

    for group in (trying, certifying, auditing, exporting, proofs, sampling, operating):
        group.register(app)
