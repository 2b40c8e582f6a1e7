"""Hands are read from the log's events and from exported documents, including sealed draws and passed deadlines."""

import json
import tomllib
import warnings
from random import Random
from typing import Any

import msgspec
import pytest

from services.audit.handhistory import round_reader
from services.audit.handhistory.record import Act, Exchange, HandRecord, NotExportable
from services.journal import log_rows
from services.rules import catalogue
from services.table import commands, event_fold, events, full_table, money
from tests.audit.handhistory import pokerkit_games
from tests.rules.poker import test_random_play as play

TABLE = "0f7e0a52-3f0c-4f0e-9a53-2b1f4a3c9d10"
SEED = bytes(range(32))
META = log_rows.Metadata(actor="ann", role="player", command="act", process="dealer")


def table_of(game_id: str, chips: tuple[int, ...], **keys: object) -> full_table.FullTable:
    """Open a table with seats taken."""
    game = catalogue.game(game_id)
    rules = msgspec.convert(keys, game.rules_type)
    opening = events.Opening(
        game=game_id,
        family=game.family,
        rules_version=game.version,
        rules=msgspec.to_builtins(rules),
        title="Test",
        currency="TWD",
        stake=10,
        max_seats=rules.max_seats,
        least_buy_in=1,
        greatest_buy_in=10**6,
        test=False,
        scripted=False,
        first_button=None,
        opened_by="olga",
    )
    core = event_fold.opened(
        TABLE,
        events.TableOpened(at_ms=0, opening=opening, next_seed=events.NextSeed(commitment="00", sealed="")),
    )
    for seat, held in enumerate(chips):
        taken = events.SeatRecord(seat=seat, player=f"id{seat}", name=f"player {seat}", test=False, chips=held)
        event_fold.fold(core, events.SeatTaken(at_ms=0, seat=taken))
    return full_table.of_core(core)


class Log:
    """Plays at a table and stores its events with their versions."""

    def __init__(self, table: full_table.FullTable) -> None:
        self.table = table
        self.events: list[tuple[int, events.Event]] = []

    def keep(self, made: list[events.Event]) -> None:
        """Fold events and store them."""
        for event in made:
            self.events.append((self.table.core.version + 1, event))
            commands.take(self.table, [event])

    def play(self, seed: int) -> None:
        """Play one round to its settlement."""
        chance = Random(seed)
        following = events.NextSeed(commitment="01", sealed="")
        start = commands.Start(
            round_id="r", started_by="olga", house_seed=SEED, reveal="", sealed="", next_seed=following
        )
        self.keep(commands.start_round(self.table, start, 1_764_447_307_000))
        while (round_ := self.table.round) is not None and (waiting := round_.waiting()) is not None:
            seat = waiting.seats[0]
            listed = [option for option in round_.options(seat) if option.action != "fold" or chance.random() < 0.2]
            if chance.random() < 0.1 or not listed:
                self.keep(commands.pass_deadline(self.table, 1_764_447_308_000))
            else:
                self.keep(commands.act(self.table, seat, play.choose(chance.choice(listed), chance), 1_764_447_308_000))
        self.keep(money.settle(self.table.core, 1_764_447_309_000))

    def document(self) -> dict[str, Any]:
        """Return the auditor's document of the round, with the fields that are read here."""
        rows = [(version, log_rows.to_new(event, META)) for version, event in self.events]
        return {
            "table": TABLE,
            "house_seed": SEED.hex(),
            "events": [{"version": version, "type": row.type, "data": row.data} for version, row in rows],
        }


@pytest.mark.parametrize(
    "game_id", ["texas_holdem", "omaha_hi_lo", "five_card_draw", "badugi", "seven_card_stud", "zha_jin_hua"]
)
def test_records_of_the_log_are_whole(game_id: str) -> None:
    """A record that is read from an exported document has every card, action and chip of the round."""
    late, discards = 0, 0
    for seed in range(12):
        log = Log(table_of(game_id, (200, 300, 400)))
        log.play(seed)
        line = json.dumps(log.document())
        record = round_reader.of_document(json.loads(line))
        settled = next(event for _, event in reversed(log.events) if isinstance(event, events.RoundSettled))
        assert {player.seat: (player.stack, player.finish) for player in record.players} == {
            seat.seat: (seat.before, seat.after) for seat in settled.seats
        }
        assert "??" not in msgspec.json.encode(record).decode()
        late += sum(step.late for step in record.steps if isinstance(step, Act))
        discards += sum(len(step.discards) for step in record.steps if isinstance(step, Exchange))
        fields = tomllib.loads(round_reader.rewrite(line, "phh"))["1"]
        assert fields["hand"] == "1"
        assert str(fields["time"]) == "20:15:07"
        check_with_pokerkit(game_id, round_reader.rewrite(line, "phh").partition("\n")[2], record)
    assert late
    assert bool(discards) == (game_id in {"five_card_draw", "badugi"})


def check_with_pokerkit(game_id: str, text: str, record: HandRecord) -> None:
    """Play hold'em with PokerKit, without extensions."""
    if game_id != "texas_holdem":
        return
    order = [player for player in record.players if player.seat > record.button]
    order += [player for player in record.players if player.seat <= record.button]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert pokerkit_games.finishing_stacks(text, taught=False) == [player.finish for player in order]


def test_voided_rounds_and_other_games_are_refused() -> None:
    """Only settled hands of poker have a hand history."""
    log = Log(table_of("texas_holdem", (200, 300)))
    log.play(1)
    unfinished = {**log.document(), "events": log.document()["events"][:-1]}
    with pytest.raises(NotExportable, match="not settled"):
        round_reader.of_document(unfinished)
    other = Log(table_of("ninety_nine", (200, 300, 400)))
    other.play(1)
    with pytest.raises(NotExportable, match="ninety_nine"):
        round_reader.rewrite(json.dumps(other.document()), "ohh")
