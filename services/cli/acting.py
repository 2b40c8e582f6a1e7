"""Whose house a command changes, and as whom: said before it is done, and asked where a person can answer."""

import sys

import typer

YES = "--yes"
"""Stands anywhere in a command line: nothing is asked."""

_given: set[str] = set()
"""``--yes``, if the command line of this process has it."""


def take_yes(args: list[str]) -> list[str]:
    """Return a command line without ``--yes``, and remember whether it was there."""
    _given.clear()
    _given.update({YES}.intersection(args))
    return [one for one in args if one != YES]


def announce(house: str, person: str) -> None:
    """Print which house is about to be changed and as whom. In a terminal ask, unless ``--yes`` was given.

    Raises typer.Abort where the person says no.
    """
    text = f"changes the house at {house}, as {person}"
    if _given or not (sys.stdin.isatty() and sys.stderr.isatty()):
        typer.echo(f"pitboss: {text}", err=True)
        return
    typer.confirm(f"pitboss: {text}. Go on?", abort=True, err=True)
