"""Offline checks of exports: honest ones pass, and every kind of manipulation is reported."""

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from services.audit import offline
from services.audit.offline import Finding
from services.fairness.scripted import Script
from services.rules import catalogue
from tests.support import audit_rows, sittings
from tests.support.sittings import Sitting

GAMES = list(catalogue.FILES)
Document = dict[str, Any]


def findings(*documents: Document) -> list[Finding]:
    """Check documents one after the other; return all findings."""
    return [one for _, found in offline.check(documents) for one in found]


@pytest.fixture(scope="module")
def honest() -> list[Document]:
    """Return three rounds of a table, the second with a sealed action, the third voided."""
    sitting = Sitting("five_card_draw", first_button=0)
    sitting.sit({0: 500, 1: 500, 2: 500})
    rng = Random(11)
    for _ in range(2):
        sitting.start()
        sitting.finish(rng, lapses=0.0)
        sitting.settle()
    sitting.start()
    sitting.void("a torn card")
    return audit_rows.exported(sitting)


def test_an_export_of_the_release_before_holds(honest: list[Document]) -> None:
    """Documents whose hashes omit the moment pass without one, and fail with an added one."""
    older = copy.deepcopy(honest)
    last = None
    for document in older:
        for one in document["events"]:
            del one["recorded_at_ms"]
        document["previous_hash"] = last or document["previous_hash"]
        last = audit_rows.rehash(document)["events"][-1]["hash"]
    assert findings(*older) == []
    moved = copy.deepcopy(honest)
    moved[1]["events"][2]["recorded_at_ms"] += 1
    assert [(one.round, one.kind) for one in findings(*moved)] == [(2, "edit")]


@pytest.mark.parametrize("game", GAMES)
def test_honest_rounds_of_every_game_hold(game: str) -> None:
    """Chain, deck and decisions of random rounds pass by the document alone."""
    documents = audit_rows.exported(sittings.random_sitting(game, "export"))
    assert documents
    assert findings(*documents) == []


def test_a_voided_and_a_scripted_round_hold_too(honest: list[Document]) -> None:
    """Cards that were dealt before a void can be checked, and a scripted order is shown as such."""
    assert findings(*honest) == []
    sitting = Sitting("tongbi_san_gong")
    sitting.sit({0: 500, 1: 500})
    sitting.script(Script(stocks=(("As", "Kd", "2c", "Th", "9s", "8d"),)))
    sitting.start()
    sitting.finish(Random(1))
    sitting.settle()
    [document] = audit_rows.exported(sitting)
    assert document["script"] is not None
    assert findings(document) == []


@pytest.mark.parametrize("game", GAMES)
def test_any_change_of_any_event_is_found_at_its_version(game: str) -> None:
    """If one value of one event is changed, the chain reports its version."""
    documents = audit_rows.exported(sittings.random_sitting(game, "edited", rounds=1))
    document, rng = documents[0], Random(f"{game} edits")
    for _ in range(12):
        other = copy.deepcopy(document)
        event = rng.choice(other["events"])
        fields = msgspec.json.decode(event["data"])
        path = rng.choice(sittings.leaves(fields))
        holder: Any = fields
        for part in path[:-1]:
            holder = holder[part]
        holder[path[-1]] = sittings.changed(holder[path[-1]])
        event["data"] = msgspec.json.encode(fields).decode()
        found = findings(other)
        assert found, f"{event['type']} {sittings.dotted(path)}"
        assert any(f"version {event['version']}," in one.detail for one in found if one.kind == "edit")


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_decision_is_found_though_every_hash_was_computed_anew(game: str) -> None:
    """A settlement with other payments does not follow from the round, even with valid hashes."""
    document = audit_rows.exported(sittings.random_sitting(game, "rewritten", rounds=1))[0]
    event = next(one for one in document["events"] if one["type"].startswith("RoundSettled"))
    fields = msgspec.json.decode(event["data"])
    fields["seats"][0]["after"] += 1
    event["data"] = msgspec.json.encode(fields).decode()
    found = findings(audit_rows.rehash(document))
    assert [one.kind for one in found] == ["decision"]
    assert f"version {event['version']}, seats[0].after" in found[0].detail


def _edit(key: str, value: str) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        document["events"][2][key] = value

    return change


def _drop(document: Document) -> None:
    del document["events"][3]


def _swap(document: Document) -> None:
    one, other = document["events"][2], document["events"][3]
    one["version"], other["version"] = other["version"], one["version"]


def _append(document: Document) -> None:
    extra = {**document["events"][-1], "version": document["events"][-1]["version"] + 1}
    document["events"].append(extra)


def _twice(document: Document) -> None:
    document["events"].append(dict(document["events"][-1]))


def _forked(document: Document) -> None:
    document["events"].append({**document["events"][-1], "metadata": "{}"})


@pytest.mark.parametrize(
    ("tamper", "kind"),
    [
        (_edit("metadata", '{"actor":"other"}'), "edit"),
        (_edit("type", "SeedSet.v1"), "edit"),
        (_edit("hash", "00" * 32), "edit"),
        (_drop, "gap"),
        (_swap, "edit"),
        (_append, "edit"),
        (_twice, "duplicate"),
        (_forked, "fork"),
    ],
    ids=["metadata", "type", "hash", "drop", "swap", "append", "twice", "fork"],
)
def test_each_kind_of_tampering_with_rows_is_named(
    honest: list[Document], tamper: Callable[[Document], None], kind: str
) -> None:
    """The finding distinguishes changed, dropped, exchanged, added and duplicated events."""
    document = copy.deepcopy(honest[1])
    tamper(document)
    found = findings(document)
    assert kind in {one.kind for one in found}
    assert {(one.table, one.round) for one in found} == {(document["table"], document["round"])}


def test_a_round_or_a_tail_that_is_missing_shows_in_the_next(honest: list[Document]) -> None:
    """A missing round, or the missing end of one, is a gap before the next round."""
    assert "gap" in {one.kind for one in findings(honest[0], honest[2])}
    cut = copy.deepcopy(honest)
    del cut[0]["events"][-1]
    assert ("gap", 2) in {(one.kind, one.round) for one in findings(*cut)}


@pytest.mark.parametrize("order", [(2, 1, 0), (1, 0, 2), (0, 2, 1), (0, 1, 1, 2), (0, 1, 2, 0)])
def test_lines_out_of_order_are_reported_as_that(honest: list[Document], order: tuple[int, ...]) -> None:
    """Each line that comes after a later one is named, with events that exist; none is reported as missing twice."""
    found = findings(*(honest[at] for at in order))
    late = [honest[at] for place, at in enumerate(order) if place and at <= max(order[:place])]
    named = [one for one in found if one.kind == "order"]
    assert [one.round for one in named] == [document["round"] for document in late]
    for one, document in zip(named, late, strict=True):
        versions = [event["version"] for event in document["events"]]
        assert one.detail.startswith(f"events {versions[0]} to {versions[-1]} come after event ")
        assert "out of order" in one.detail
    gaps = [one.round for one in found if one.kind == "gap"]
    assert gaps == ([3] if order == (0, 2, 1) else [])


def test_a_round_put_in_from_elsewhere_does_not_follow(honest: list[Document]) -> None:
    """A rewritten round with valid hashes does not lead to the next one."""
    other = copy.deepcopy(honest)
    other[0]["events"][1]["metadata"] = "{}"
    audit_rows.rehash(other[0])
    assert [(one.kind, one.round) for one in findings(*other)] == [("fork", 2)]


def _seed(document: Document) -> None:
    document["house_seed"] = "11" * 32


def _commitment(document: Document) -> None:
    document["house_commitment"] = "22" * 32


def _root(document: Document) -> None:
    document["stocks"][0]["root"] = "33" * 32


def _pack(document: Document) -> None:
    pack = document["stocks"][0]["pack"]
    pack[0], pack[1] = pack[1], pack[0]


def _players_seed(document: Document) -> None:
    document["player_seeds"] = {"0": "other luck"}


def _card(document: Document) -> None:
    shown = document["cards"][0]
    shown["card"] = "2c" if shown["card"] != "2c" else "2d"


@pytest.mark.parametrize("tamper", [_seed, _commitment, _root, _pack, _players_seed, _card])
def test_a_deck_that_was_changed_is_found(honest: list[Document], tamper: Callable[[Document], None]) -> None:
    """The deck fails if seed, commitment, root, pack, a player's seed or a card differs from the round."""
    document = copy.deepcopy(honest[0])
    tamper(document)
    assert "deck" in {one.kind for one in findings(document)}


def test_whatever_a_document_holds_is_a_finding_and_never_a_crash(honest: list[Document]) -> None:
    """Any replaced value of a document yields findings, and the next document is still checked."""
    rng = Random(5)
    values: list[Any] = [None, 7, -1, "", "zz", [], {}, [[]], {"a": 1}, True, "00" * 32]
    paths = sittings.leaves(honest[0])
    for path in rng.sample(paths, 150):
        broken = copy.deepcopy(honest[0])
        depth = rng.randrange(1, len(path) + 1)
        holder: Any = broken
        for part in path[: depth - 1]:
            holder = holder[part]
        before = holder[path[depth - 1]]
        value = rng.choice([one for one in values if one != before])
        holder[path[depth - 1]] = value
        results = list(offline.check([broken, honest[1]]))
        assert len(results) == 2, f"{path[:depth]} = {value!r}"


@pytest.mark.parametrize("document", [{}, {"table": 5}, {"events": []}, {"table": "x", "round": "one", "events": [1]}])
def test_what_is_no_document_is_said_to_be_none(document: Document) -> None:
    """A JSON object of another kind yields a finding about its form."""
    assert [one.kind for one in findings(document)] == ["form"]


def test_a_document_that_does_not_begin_with_its_round_is_said_not_to(honest: list[Document]) -> None:
    """Without the start nothing can be replayed; the finding names what is missing."""
    document = copy.deepcopy(honest[0])
    del document["events"][0]
    [shape] = [one for one in findings(document) if one.kind == "form"]
    assert "a round's document begins with RoundStarted" in shape.detail
