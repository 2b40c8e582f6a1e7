"""An ended round as a person reads it: who sat where with which cards, each decision, what it paid, and its proofs."""

import asyncio
from typing import Any, Final

import msgspec
from pitboss.client import Refused
from pitboss.v1 import audit_pb2, table_pb2
from starlette.responses import Response

from services.console import rulebook
from services.console.desk import Desk
from services.fairness import verify_deck

ENDS: Final = ("RoundSettled", "RoundVoided")
BY: Final = {"ActionTaken": "by.player", "DeadlinePassed": "by.clock", "RoundVoided": "by.staff"}
"""Who took the decision of an event, by the event's type; the house for all others."""


class Step(msgspec.Struct, frozen=True):
    """One line of the course of a round."""

    version: int
    at: Any
    by: str
    words: list[str]


class SeatReport(msgspec.Struct, frozen=True):
    """A seat of an ended round; ``cards`` by zone."""

    seat: int
    name: str
    player: str
    zones: list[Any]
    hand: str
    result: Any
    before: int


async def round_(desk: Desk) -> Response:
    """Show a round, or one of its steps."""
    table_id, number = desk.path("table"), int(desk.path("number"))
    read, now = await asyncio.gather(desk.house.read_round(table_id, number, desk.language), desk.house.table(table_id))
    document = msgspec.json.decode(read.document)
    end = next((one for one in read.steps if one.type in ENDS), read.steps[-1])
    started = msgspec.json.decode(document["events"][0]["data"])
    shown = _step(read, desk.query("step"))
    view = (shown or end).view
    return desk.render(
        "round.html",
        document=document,
        number=number,
        newest=now.table.round_number - (now.round.state == table_pb2.ROUND_STATE_RUNNING),
        table_id=table_id,
        started=started,
        game=rulebook.name(document["game"], desk.language),
        title=document["texts"].get(started["table"]["opening"]["title"], ""),
        word=rulebook.speller(document["game"], view.table.rules_version, desk.language),
        start_time=read.steps[0].event_time,
        end=end,
        result=end.view.last_result if end.HasField("view") else None,
        seats=_seats(document, started, end, desk),
        board=[zone for zone in end.view.round.zones if not zone.HasField("owner") and zone.cards],
        steps=[
            Step(one.version, one.event_time, BY.get(one.type, "by.house"), _words(one, desk)) for one in read.steps
        ],
        step=shown,
        at=[one.version for one in read.steps].index(shown.version) if shown else -1,
        step_zones=_by_owner(shown.view) if shown else {},
        step_seats={seat.seat: seat for seat in shown.view.round.seats} if shown else {},
    )


async def proofs(desk: Desk) -> Response:
    """Show what the house proves of a round: its chain, its deck, its replay, and the checkpoint that covers it."""
    table_id, number = desk.path("table"), int(desk.path("number"))
    read = await desk.house.read_round(table_id, number, desk.language)
    first, last = read.events[0].version, read.events[-1].version
    deck, replay, checkpoint = await asyncio.gather(
        asyncio.to_thread(verify_deck.verify, msgspec.json.decode(read.document)),
        _replayed(desk, table_id, first, last),
        _covered(desk, table_id, last),
    )
    ticks = [
        ("proof.chain", True, desk.t("proof.chain.holds", number=len(read.events), hash=read.events[-1].hash[:16])),
        ("proof.deck", not deck, "; ".join(deck) or desk.t("proof.deck.holds")),
        ("proof.replay", *replay),
        ("proof.checkpoint", *checkpoint),
    ]
    return desk.render("proofs.html", ticks=ticks)


async def _replayed(desk: Desk, table_id: str, first: int, last: int) -> tuple[bool | None, str]:
    request = audit_pb2.ReplayTableRequest(table_id=table_id, from_version=first, to_version=last)
    try:
        found = await desk.house.call(desk.house.audit.ReplayTable, request)
    except Refused as refused:
        return None, refused.text or refused.message
    if found.mismatches:
        said = "; ".join(f"v{one.version} {one.kind} {one.field}" for one in found.mismatches[:3])
        return False, said
    return True, desk.t("proof.replay.holds", number=found.events_read)


async def _covered(desk: Desk, table_id: str, last: int) -> tuple[bool | None, str]:
    try:
        newest = await desk.house.call(desk.house.audit.ListCheckpoints, audit_pb2.ListCheckpointsRequest(page_size=1))
        if not newest.checkpoints:
            return None, desk.t("proof.checkpoint.none")
        number = newest.checkpoints[0].number
        request = audit_pb2.ProveInclusionRequest(checkpoint_number=number, table_id=table_id)
        proof = await desk.house.call(desk.house.audit.ProveInclusion, request)
    except Refused as refused:
        return None, desk.t("proof.checkpoint.later") if refused.reason == "NOT_FOUND" else refused.message
    if proof.version < last:
        return None, desk.t("proof.checkpoint.later")
    return True, desk.t("proof.checkpoint.holds", number=number)


def _step(read: audit_pb2.ReadRoundResponse, version: str) -> audit_pb2.ReadStep | None:
    return next((one for one in read.steps if str(one.version) == version and one.HasField("view")), None)


def _words(step: audit_pb2.ReadStep, desk: Desk) -> list[str]:
    """Return the lines of a step; a step without lines of its own, such as the end of play, says what it is."""
    return list(step.words) or [desk.t(f"step.{step.type}")]


def _seats(document: Any, started: Any, end: audit_pb2.ReadStep, desk: Desk) -> list[SeatReport]:
    zones = _by_owner(end.view)
    results = {one.seat: one for one in end.view.last_result.seats}
    hands = {one.seat: one for one in end.view.round.hands if one.HasField("seat")}
    worth = {one.seat: one.result for one in end.view.round.seats if one.HasField("result")}
    return [
        SeatReport(
            seat["seat"],
            results[seat["seat"]].name
            if seat["seat"] in results
            else document["texts"].get(seat["name"], seat["player"]),
            seat["player"],
            zones.get(seat["seat"], []),
            rulebook.within(
                hands[seat["seat"]].words if seat["seat"] in hands else worth.get(seat["seat"]), desk.language
            ),
            results.get(seat["seat"]),
            started["carry"][str(seat["seat"])],
        )
        for seat in started["table"]["seats"]
        if str(seat["seat"]) in started["carry"]
    ]


def _by_owner(view: table_pb2.TableView) -> dict[int | None, list[table_pb2.Zone]]:
    found: dict[int | None, list[table_pb2.Zone]] = {}
    for zone in view.round.zones:
        if zone.cards:
            found.setdefault(zone.owner if zone.HasField("owner") else None, []).append(zone)
    return found
