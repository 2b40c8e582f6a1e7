"""Plays cases on the rules alone: no server and no log, but the same chance and the same settlement pipeline."""

from typing import Any

import msgspec

from services.cli.certify.cases import Case, Step, seats_for_names
from services.contract import wire_actions
from services.fairness.scripted import Script, ScriptedChance
from services.house import pipeline
from services.rules import actions, catalogue
from services.rules.game import Game, HouseRules, Round, Table
from services.rules.refusals import Refused


class Failed(Exception):
    """The result of a case differs from the expected one; the message holds the place and the difference."""


def rules_for(game: Game, keys: dict[str, Any]) -> HouseRules:
    """Return the house rules of a table from their differences to the defaults. Raises Failed."""
    try:
        rules = msgspec.convert(keys, game.rules_type)
    except msgspec.ValidationError as error:
        raise Failed(f"house rules: {error}") from error
    faults = game.faults(rules)
    if faults:
        raise Failed("house rules: " + "; ".join(f"{fault.field}: {fault.message}" for fault in faults))
    return rules


def play(case: Case) -> list[Script]:
    """Play one case and return the script that each round took; raise Failed with the first difference."""
    if case.game not in catalogue.FILES:
        raise Failed(f"there is no game {case.game!r}; expected one of {', '.join(catalogue.FILES)}")
    try:
        game = catalogue.game(case.game, case.rules_version)
    except catalogue.UnknownRules as unknown:
        raise Failed(unknown.message) from unknown
    rules = rules_for(game, case.house_rules)
    chips = dict(enumerate(case.chips))
    names = dict(enumerate(case.players))
    table = Table(chips=chips, names=names, first_button=case.button, pot=case.pot, memory=dict(case.extra))
    scripts: list[Script] = []
    drawn = 0
    for number, entry in enumerate(case.rounds, start=1):
        chance = ScriptedChance(case.after_draws(entry, drawn).script)
        table = _play_round(game, rules, table, case, number, chance)
        drawn += chance.picks.get("seat", 0)
        scripts.append(chance.script)
    return scripts


def _play_round(game: Game, rules: HouseRules, table: Table, case: Case, number: int, chance: ScriptedChance) -> Table:
    entry = case.rounds[number - 1]
    round_, _ = game.start(rules, table, chance)
    later: dict[str, Any] | None = None
    for place, step in enumerate(entry.play, start=1):
        where = f"round {number}, step {place} ({step})"
        if step.void is not None:
            kept = {"voided": True, "net": {}, "fee": 0, "house": 0, "pot": 0, "pool": table.pot}
            compare(kept, entry.expect, case, where, len(case.players))
            return table
        kind = actions.BY_NAME.get(step.do or "", actions.Action)
        if kind.between_rounds and round_.outcome is not None:
            later = _between(
                game, rules, msgspec.structs.replace(table, memory=later or round_.outcome.memory), step, where
            )
            continue
        round_ = _take(game, round_, step, chance, where)
    if entry.state:
        compare(round_.facts(), entry.expect, case, f"round {number}", len(case.players))
        return table
    if round_.outcome is None:
        raise Failed(f"round {number}: the round has not ended; it waits for {round_.waiting()}")
    posting = pipeline.settle(round_.outcome, rules, round_.carry, table.pot)
    chips = {seat: held + posting.net.get(seat, 0) for seat, held in table.chips.items()}
    outcome = game.after_settlement(rules, round_.outcome, chips)
    found = {
        **outcome.facts,
        "net": posting.net,
        "fee": posting.fee,
        "house": posting.house,
        "pot": posting.pot,
        "pool": table.pot + posting.pot,
    }
    compare(found, entry.expect, case, f"round {number}", len(case.players))
    return msgspec.structs.replace(
        table,
        chips=chips,
        pot=table.pot + posting.pot,
        button=outcome.button if outcome.counts and outcome.button is not None else table.button,
        memory=later or outcome.memory,
        round_number=table.round_number + 1,
    )


def _between(game: Game, rules: HouseRules, table: Table, step: Step, where: str) -> dict[str, Any]:
    """Act after the round has ended; return what the game carries from then on."""
    assert step.seat is not None, f"{where}: a step needs its seat"
    assert step.do is not None, f"{where}: a step needs its action"
    reason = None
    try:
        memory = game.between(rules, table, step.seat, _action(step.do, step.arguments))
    except Refused as refusal:
        memory, reason = table.memory, refusal.reason
    if reason != step.error:
        raise Failed(f"{where}: {reason or 'accepted'}, expected {step.error or 'to be accepted'}")
    return memory


def _take(game: Game, round_: Round, step: Step, chance: ScriptedChance, where: str) -> Round:
    before = msgspec.msgpack.encode(round_)
    try:
        for _ in range(step.timeouts):
            if round_.waiting() is None:
                raise Failed(f"{where}: there is no deadline, the round has ended")
            round_.on_timeout(chance)
        if step.do is not None:
            assert step.seat is not None, f"{where}: a step needs its seat"
            round_.act(step.seat, _action(step.do, step.arguments), chance)
    except Refused as refusal:
        if step.error != refusal.reason:
            message = f"{where}: refused with {refusal.reason} ({refusal}), expected {step.error or 'to be accepted'}"
            raise Failed(message) from refusal
        if msgspec.msgpack.encode(round_) != before:
            raise Failed(f"{where}: the refusal changed the round") from refusal
        return round_
    if step.error is not None:
        raise Failed(f"{where}: accepted, expected {step.error}")
    # As a dealer does between two commands, store the state and load it again.
    return msgspec.msgpack.decode(msgspec.msgpack.encode(round_), type=game.round_type)


def _action(word: str, arguments: dict[str, Any]) -> actions.Action:
    """Parse an action as a client would send it: an argument that the step does not name is empty."""
    empty = actions.arguments(wire_actions.from_wire(wire_actions.named(word, {})))
    return actions.build(word, {**empty, **arguments})


def compare(found: dict[str, Any], expected: dict[str, Any], case: Case, where: str, seats: int) -> None:
    """Compare a result with what a case expects; raise Failed with the first difference."""
    want = seats_for_names(expected, case.players)
    have = seats_for_names(found, ())
    for key, value in want.items():
        got = have.get(key)
        if key == "net":
            zero = {str(seat): 0 for seat in range(seats)}
            value, got = {**zero, **value}, {**zero, **(got or {})}  # noqa: PLW2901 - who is not named has won nothing
        if key == "pot" and got is None:
            got = 0
        if got != value:
            raise Failed(f"{where}: {key} is {got!r}, expected {value!r}")
