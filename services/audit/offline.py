"""Checks an export offline: chain, deck and decisions, from the documents alone and without any key."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from services.eventlog import canonical, verify
from services.eventlog.records import StoredEvent
from services.fairness import verify_deck
from services.journal import log_rows
from services.rules import catalogue
from services.table import events
from services.table.replay import Opened, Replay

HIDDEN: Final = "hidden"
"""Kind of a finding about a round whose seed was never revealed: it cannot be checked."""
RULES: Final = "rules"
"""Kind of a finding about a round whose rules are of a version that is not kept here: it cannot be replayed."""
ORDER: Final = "order"
"""Kind of a finding about a round whose line comes after that of a later round: lines are read in order."""


class Finding(msgspec.Struct, frozen=True):
    """A fault: its table and round, its kind, and a description."""

    table: str
    round: int
    kind: str
    detail: str


def check(documents: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[Finding]]]:
    """Check documents in order, and check that the rounds of a table follow each other in the chain."""
    ends: dict[str, tuple[int, str]] = {}
    for document in documents:
        found: list[Finding] = []
        try:
            for part in (_linked(document, ends), _chain(document), _deck(document), _decisions(document)):
                for one in part:
                    found.append(one)  # noqa: PERF402 - what was found stays where the rest cannot be read
            last = document["events"][-1]
            end = int(last["version"]), str(last["hash"])
            ends[document["table"]] = max(ends.get(document["table"], end), end)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, msgspec.MsgspecError) as error:
            table, number = document.get("table", ""), document.get("round", 0)
            detail = f"the document is not of the documented shape: {error!r}"
            found.append(Finding(str(table), number if isinstance(number, int) else 0, "form", detail))
        yield document, found


def recorded(document: dict[str, Any]) -> list[StoredEvent]:
    """Return the events of a document as they were stored.

    Documents of older releases lack the time of recording; the hash did not cover it then.
    """
    shard = canonical.shard_of(document["table"])
    return [
        StoredEvent(
            document["table"],
            one["version"],
            shard,
            at,
            one["type"],
            one["data"],
            one["metadata"],
            one.get("recorded_at_ms", 0),
            bytes.fromhex(one["hash"]),
        )
        for at, one in enumerate(document["events"], start=1)
    ]


def _linked(document: dict[str, Any], ends: dict[str, tuple[int, str]]) -> Iterator[Finding]:
    before = ends.get(document["table"])
    first = document["events"][0]["version"]
    if before is not None and first == before[0] + 1 and document["previous_hash"] != before[1]:
        yield Finding(document["table"], document["round"], verify.FORK, "it does not follow the round before it")
    if before is not None and first <= before[0]:
        last = document["events"][-1]["version"]
        detail = (
            f"events {first} to {last} come after event {before[0]}: the lines are out of order, or one occurs twice"
        )
        yield Finding(document["table"], document["round"], ORDER, detail)
    if before is not None and first > before[0] + 1:
        yield Finding(
            document["table"], document["round"], verify.GAP, f"events {before[0] + 1} to {first - 1} are missing"
        )


def _chain(document: dict[str, Any]) -> Iterator[Finding]:
    events_ = recorded(document)
    after = (events_[0].version - 1, bytes.fromhex(document["previous_hash"]))
    for one in verify.verify(events_, after=after):
        yield Finding(
            document["table"], document["round"], one.kind, f"version {one.version}, {one.field}: {one.detail}"
        )


def _deck(document: dict[str, Any]) -> Iterator[Finding]:
    kind = HIDDEN if document.get("hidden") else "deck"
    for fault in verify_deck.verify(document):
        yield Finding(document["table"], document["round"], kind, fault)
    started = _started(document)
    told = (document["house_commitment"], {str(seat): text for seat, text in document["player_seeds"].items()})
    logged = (started.house_commitment, {str(seat): text for seat, text in started.player_seeds.items()})
    if told != logged:
        yield Finding(
            document["table"], document["round"], "deck", "commitment or player seeds are not those of the log"
        )


def _decisions(document: dict[str, Any]) -> Iterator[Finding]:
    if document.get("hidden"):
        return  # without the seed nothing can be replayed; that is a finding already
    house_seed = bytes.fromhex(document["house_seed"])
    reveal = next(
        (
            event.reveal
            for event in map(log_rows.from_stored, recorded(document))
            if isinstance(event, events.RoundEnded | events.RoundVoided)
        ),
        "",
    )
    again = Replay(document["table"], lambda _: Opened(house_seed=house_seed, reveal=reveal), compare=True)
    for one in recorded(document):
        try:
            again.take(one.version, log_rows.from_stored(one), log_rows.text_of(one))
        except catalogue.UnknownRules as unknown:
            yield Finding(document["table"], document["round"], RULES, f"version {one.version}: {unknown.message}")
            return
        except (AssertionError, KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
            detail = f"version {one.version} does not follow from the ones before: {type(error).__name__}: {error}"
            yield Finding(document["table"], document["round"], "decision", detail)
            return
    for difference in again.differences:
        values = f"{difference.expected} expected, {difference.found} found"
        detail = f"version {difference.version}, {difference.field}: {values}"
        yield Finding(document["table"], document["round"], "decision", detail)


def _started(document: dict[str, Any]) -> events.RoundStarted:
    found = log_rows.from_stored(recorded(document)[0])
    if not isinstance(found, events.RoundStarted):
        message = "a round's document begins with RoundStarted"
        raise ValueError(message)  # noqa: TRY004 - a fault of the document
    return found
