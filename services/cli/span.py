"""The time that a report or an export is about."""

import datetime as dt

import typer


def require(first: dt.datetime | None, last: dt.datetime | None) -> None:
    """Raise typer.BadParameter where no moment lies in a span that can have seen anything (None: not given).

    A moment without a time zone is in UTC.
    """
    begin, end = _utc(first), _utc(last)
    if begin is not None and begin > dt.datetime.now(dt.UTC):
        raise typer.BadParameter(f"--from {begin:%Y-%m-%dT%H:%M:%S} lies in the future (UTC)")
    if begin is not None and end is not None and end <= begin:
        raise typer.BadParameter(f"--to {end:%Y-%m-%dT%H:%M:%S} is not after --from {begin:%Y-%m-%dT%H:%M:%S} (UTC)")


def _utc(given: dt.datetime | None) -> dt.datetime | None:
    return None if given is None else given.replace(tzinfo=given.tzinfo or dt.UTC).astimezone(dt.UTC)
