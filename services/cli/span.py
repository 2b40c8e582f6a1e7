"""Moments as they are written on the command line, and the span that a report or an export is about."""

import datetime as dt

import typer


def moment(text: str) -> dt.datetime:
    """Read a moment, in UTC where no time zone is named. Raises typer.BadParameter."""
    try:
        return _utc(dt.datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"{text!r} is no moment; write 2027-01-31 or 2027-01-31T12:00:00") from None


def require(first: dt.datetime | None, last: dt.datetime | None) -> None:
    """Raise typer.BadParameter where no moment lies in a span that can have seen anything (None: not given).

    A moment without a time zone is in UTC.
    """
    begin, end = (None if given is None else _utc(given) for given in (first, last))
    if begin is not None and begin > dt.datetime.now(dt.UTC):
        raise typer.BadParameter(f"--from {begin:%Y-%m-%dT%H:%M:%S} lies in the future (UTC)")
    if begin is not None and end is not None and end <= begin:
        raise typer.BadParameter(f"--to {end:%Y-%m-%dT%H:%M:%S} is not after --from {begin:%Y-%m-%dT%H:%M:%S} (UTC)")


def _utc(given: dt.datetime) -> dt.datetime:
    return given.replace(tzinfo=given.tzinfo or dt.UTC).astimezone(dt.UTC)
