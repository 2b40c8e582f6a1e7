"""Records views of played rounds as JSON for the pictures and tests of the page's table.

``python -m tests.web.recorded FOLDER`` writes a file for each game: its description, and the steps of some rounds as
one seat sees them. Everything follows from fixed seeds.
"""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any, Final

from google.protobuf import json_format
from pitboss.v1 import catalogue_pb2, table_pb2

from services.contract import wire_events, wire_tables, wire_texts, wire_words
from services.dealer import catalogue_service
from services.rules import actions, catalogue, random_play
from services.rules.game import Game, HouseRules
from services.rules.offers import Between, Option
from services.table import codec, own_cards, public_table, stake_allowance
from tests.support import worlds
from tests.support.sittings import Sitting

VIEWER: Final = 1
NAMES: Final = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")
ROUNDS: Final = 2
CHIPS: Final = 2_000
HASTY: Final = {"fold", "all_in"}
LAPSES: Final = {"survival": 0.5}
"""How often nobody acts, where claims are raced for."""


def described(game: Game, rules: HouseRules) -> catalogue_pb2.GetGameResponse:
    """Return the description of a game, as the house gives it."""
    return catalogue_pb2.GetGameResponse(
        game=catalogue_pb2.GameSummary(game=game.id, family=game.family, name=wire_texts.text(game.name)),
        rules=wire_texts.text(game.summary),
        payouts=[catalogue_service.payout(entry) for entry in game.payouts(rules)],
        greatest_win=wire_texts.text(game.greatest_win(rules)),
        vocabulary=list(wire_words.vocabulary(game)),
    )


def recorded(game: Game, viewer: int | None = VIEWER, salt: str = "") -> list[dict[str, Any]]:
    """Play some rounds of a game; return each view of one seat, with the events since the one before."""
    rules = worlds.default_rules(game)
    sitting = Sitting(game.id, rules, salt=salt or "pictures", first_button=0)
    places = min(rules.max_seats or 6, 6)
    sitting.sit(dict.fromkeys(range(places), CHIPS))
    rng = Random(f"{game.id} {salt}")
    steps: list[dict[str, Any]] = []
    for _ in range(ROUNDS):
        if not worlds.can_start(game, rules, sitting.table.core.for_rules()):
            break
        since = len(sitting.log)
        sitting.start()
        steps.append(_step(sitting, viewer, since))
        while sitting.table.core.phase == public_table.IN_ROUND:
            since = len(sitting.log)
            _move(sitting, rng)
            steps.append(_step(sitting, viewer, since))
        since = len(sitting.log)
        sitting.settle()
        steps.append(_step(sitting, viewer, since))
    return steps


def _move(sitting: Sitting, rng: Random) -> None:
    """Make a move of somebody who plays on, for small amounts."""
    round_ = sitting.table.round
    assert round_ is not None, "a round runs"
    waiting = round_.waiting()
    able = (
        [seat for seat in waiting.seats if stake_allowance.options(sitting.table, seat)] if waiting is not None else []
    )
    if not able or rng.random() < LAPSES.get(sitting.game.family, 0.0):
        sitting.on_timeout()
        return
    seat = rng.choice(able)
    offered = stake_allowance.options(sitting.table, seat)
    calm = [one for one in offered if one.action not in HASTY] or offered
    sitting.act(seat, _chosen(calm[rng.randrange(len(calm))], rng))


def _chosen(option: Option, rng: Random) -> actions.Action:
    """Pick values for an option's arguments: amounts near the least, as most people bet."""
    small = {
        name: Between(choice.least, min(choice.most, 3 * choice.least + 40)) if isinstance(choice, Between) else choice
        for name, choice in option.arguments.items()
    }
    return random_play.sample([Option(action=option.action, arguments=small)], rng)


def _step(sitting: Sitting, viewer: int | None, since: int) -> dict[str, Any]:
    view = wire_tables.view(sitting.table, viewer, _named)
    view.clock.CopyFrom(wire_tables.clock(sitting.table.core, sitting.now))
    for seat in view.seats:
        seat.name = NAMES[seat.seat % len(NAMES)]
    for result in view.last_result.seats:
        result.name = NAMES[result.seat % len(NAMES)]
    events: list[table_pb2.TableEvent] = []
    for version, event in enumerate(sitting.log[since:], start=since + 1):
        own = (
            own_cards.of_event(sitting.table, version, event).get(sitting.player(viewer))
            if viewer is not None
            else None
        )
        events.append(wire_events.event(version, codec.name(event), event, sitting.game.family, _named, own))
    return {"view": _plain(view), "events": [_plain(event) for event in events]}


def _named(text: str) -> str:
    return text


def _plain(message: Any) -> dict[str, Any]:
    return json_format.MessageToDict(message)


def main(folder: Path) -> None:
    """Write the files."""
    folder.mkdir(parents=True, exist_ok=True)
    for game in catalogue.games():
        found = {"game": _plain(described(game, worlds.default_rules(game))), "steps": recorded(game)}
        (folder / f"{game.id}.json").write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
