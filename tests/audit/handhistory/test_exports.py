"""Exported hands are correct: PokerKit plays the PHH files to the same stacks, and the OHH objects add up."""

import random
import tomllib
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from services.audit.handhistory import hand_builder, ohh, phh
from services.audit.handhistory.record import Back, HandRecord, NotExportable, Post, Show
from services.cli.certify import hands
from services.cli.certify.rules_only import rules_for
from services.fairness.scripted import Script, ScriptedChance
from services.house import pipeline
from services.rules import actions, catalogue
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.chips import to_the_left
from services.rules.game import Table
from services.rules.poker import stud
from services.rules.poker.engine import PokerRound
from services.rules.poker.game import PokerGame
from services.rules.poker.house_rules import PokerRules
from tests.audit.handhistory import pokerkit_games
from tests.rules.poker import test_random_play as play
from tests.support.seeded import Seeded

T = TypeVar("T")
SAMPLE = Path(__file__).resolve().parents[2] / "cases" / "hands"
RECORDED = Path(__file__).resolve().parents[2] / "hands"
HANDS = 30
OTHERS = {"royal_holdem", "zha_jin_hua"}
"""Games that PokerKit does not play by the same rules of betting, or not at all."""
NATIVE = {"NT", "FT", "PO", "NS", "FO/8", "F2L3D", "FB", "FR", "F7S/8"}
"""Codes that PokerKit reads without extensions."""

Decide = Callable[[PokerRound], tuple[int, actions.Action] | None]


class Noting:
    """Chance that notes the order of each stock."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.orders: dict[int, list[Card]] = {}

    def shuffle(self, pack: Sequence[Card]) -> list[Card]:
        """Shuffle, and note the order."""
        order = self.chance.shuffle(pack)
        self.orders[len(self.orders)] = list(order)
        return order

    def pick(self, options: Sequence[T], what: str) -> T:
        """Pick."""
        return self.chance.pick(options, what)

    def dice(self, count: int) -> tuple[int, ...]:
        """Throw."""
        return self.chance.dice(count)


def record_of(game_id: str, rules: PokerRules, table: Table, source: Chance, decide: Decide) -> HandRecord:
    """Play a hand with its events, and return its record; the decision None passes a deadline."""
    chance = Noting(source)
    round_, happened = catalogue.game(game_id).start(rules, table, chance)
    assert isinstance(round_, PokerRound)
    moves = [hand_builder.Move(None, None, happened)]
    while round_.outcome is None:
        decision = decide(round_)
        if decision is None:
            moves.append(hand_builder.Move(None, None, round_.on_timeout(chance)))
        else:
            moves.append(hand_builder.Move(*decision, round_.act(*decision, chance)))
    return hand_builder.build(
        played=catalogue.game(game_id),
        rules=rules,
        table=table,
        moves=moves,
        orders=chance.orders,
        outcome=round_.outcome,
        posting=pipeline.settle(round_.outcome, rules, round_.carry, 0),
        table_name="tables/7",
        hand="12",
        started="2026-11-29T20:15:07Z",
        currency="TWD",
    )


def random_record(game_id: str, rules: PokerRules, seed: int) -> HandRecord:
    """Play a random hand and return its record; everybody can pay the blinds and antes."""
    chance = random.Random(seed)
    count = chance.randint(2, min(6, rules.max_seats))
    least = rules.minimum
    chips = {seat: chance.choice([least, least + 3, 4 * least, 20 * least, 100 * least]) for seat in range(count)}
    table = Table(chips=chips, names={0: "Ann \"the\" 'Ace' \\"}, button=chance.choice(range(count)))

    def decide(round_: PokerRound) -> tuple[int, actions.Action] | None:
        waiting = round_.waiting()
        assert waiting is not None
        same_opener(round_)
        if chance.random() < 0.03:
            return None
        seat = waiting.seats[0]
        listed = round_.options(seat)
        wanted = [option for option in listed if option.action != "fold" or chance.random() < 0.25]
        return seat, play.choose(chance.choice(wanted or listed), chance)

    return record_of(game_id, rules, table, Seeded(seed), decide)


def rules_of(game_id: str, **keys: object) -> PokerRules:
    """Return house rules."""
    rules = rules_for(catalogue.game(game_id), keys)
    assert isinstance(rules, PokerRules)
    return rules


def check_phh(record: HandRecord) -> None:
    """Play the PHH file with PokerKit and compare the stacks."""
    text = phh.write(record)
    fields = tomllib.loads(text)
    order = to_the_left([player.seat for player in record.players], of=record.button)
    finish = {player.seat: player.finish for player in record.players}
    wanted = [finish[seat] for seat in order]
    assert fields["finishing_stacks"] == wanted
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        native = fields["variant"] in NATIVE or (fields["variant"] == "F7S" and fields["bring_in"] > 0)
        found = pokerkit_games.finishing_stacks(text, taught=not native)
    assert found == wanted, text


class Skipped(Exception):
    """PokerKit would let another seat open: the suit, or five visible cards, decided."""


def same_opener(round_: PokerRound) -> None:
    """Raise Skipped if our stud lets another seat open than PokerKit, which compares groups and then position."""
    if not all(round_.up) or max(round_.totals) or round_.rules.forced_bet:
        return
    ups = [up for up, live in zip(round_.up, round_.live, strict=True) if live]
    ranked = sorted((stud.visible(up, "rank_first") for up in ups), reverse=True)
    if len(ups[0]) == 5 or ranked[0][:-1] == ranked[1][:-1]:
        raise Skipped


def random_deck_record(game_id: str, rules: PokerRules, seed: int) -> HandRecord | None:
    """Return the record of a random hand, or None where PokerKit has another rule."""
    try:
        return random_record(game_id, rules, seed)
    except Skipped:
        return None


def is_split(game_id: str) -> bool:
    """Return whether pots of a game are halved: PokerKit halves side pots by the low hands of other pots too."""
    game = catalogue.game(game_id)
    return isinstance(game, PokerGame) and game.low is not None


@pytest.mark.parametrize("betting", ["no_limit", "pot_limit", "fixed_limit"])
@pytest.mark.parametrize("game_id", [game for game in play.GAMES if game not in OTHERS])
def test_pokerkit_plays_exported_hands_to_the_same_stacks(game_id: str, betting: str) -> None:
    """Random hands of every variant and betting structure load in PokerKit and end with the same stacks."""
    keys: dict[str, object] = {"betting": betting}
    if "flush_order" in catalogue.game(game_id).rules_type.__struct_fields__:
        keys["flush_order"] = "rank_first"
    records = [random_deck_record(game_id, rules_of(game_id, **keys), seed) for seed in range(HANDS)]
    played = [record for record in records if record is not None and not (is_split(game_id) and len(record.pots) > 1)]
    for record in played:
        check_phh(record)
    assert len(played) >= HANDS // 4, "too few hands were compared"


@pytest.mark.parametrize("mode", ["live", "dead", "big_blind"])
def test_pokerkit_plays_hands_with_antes_to_the_same_stacks(mode: str) -> None:
    """Antes of all three kinds are written so that PokerKit's own reader ends with the same stacks."""
    rules = rules_of("texas_holdem", ante=4, ante_mode=mode)
    played = 0
    for seed in range(HANDS):
        record = random_record("texas_holdem", rules, seed)
        try:
            text = phh.write(record)
        except NotExportable as refusal:
            assert "posted short" in str(refusal)
            continue
        assert tomllib.loads(text)["ante_trimming_status"] == (mode == "live")
        check_phh(record)
        played += 1
    assert played >= HANDS // 3


def test_pokerkit_reads_stud_with_a_bring_in_without_extensions() -> None:
    """With a bring-in and without an exposure, fixed-limit seven-card stud is the format's own F7S."""
    keys = {"betting": "fixed_limit", "opening": "bring_in", "exposure": False, "flush_order": "rank_only"}
    rules = rules_of("seven_card_stud", **keys, ante=1, bring_in=3)
    for seed in range(HANDS):
        record = random_record("seven_card_stud", rules, seed)
        text = phh.write(record)
        assert "pb" in text or "cbr 10" in text
        assert tomllib.loads(text)["bring_in"] == 3
        check_phh(record)


def test_a_completion_of_its_own_size_is_not_exported() -> None:
    """In PHH the completion of a bring-in is the small bet."""
    rules = rules_of("seven_card_stud", opening="bring_in", completion=20)
    with pytest.raises(NotExportable, match="completed to 10"):
        phh.write(random_record("seven_card_stud", rules, 1))


def test_a_bring_in_is_an_extra_blind() -> None:
    """Open Hand History has no bring-in; it is written as an extra blind, and the pots add up."""
    rules = rules_of("five_card_stud", opening="bring_in", bring_in=4)
    record = random_record("five_card_stud", rules, 4)
    acts = [act for part in ohh.document(record)["ohh"]["rounds"] for act in part["actions"]]
    assert [act["amount"] for act in acts if act["action"] == "Post Extra Blind"] in ([4], [])


def test_pokerkit_plays_royal_hands_to_the_same_stacks() -> None:
    """A hand of the royal club is a hand of no-limit hold'em with larger raises."""
    rules = rules_of("royal_holdem", rake_bps=0)
    for seed in range(HANDS):
        check_phh(random_record("royal_holdem", rules, seed))


def recorded(hand: hands.RecordedHand) -> HandRecord:
    """Play a recorded hand and return its record."""
    decisions = iter(hand.actions)

    def decide(round_: PokerRound) -> tuple[int, actions.Action]:
        waiting = round_.waiting()
        assert waiting is not None
        decision = next(decisions)
        while hands.needless(decision, waiting.seats):
            decision = next(decisions)
        return decision.seat, hands.action_of(decision, ())

    chips = dict(enumerate(hand.starting_stacks))
    table = Table(chips=chips, first_button=hand.button, memory=hand.forced.memory())
    chance = ScriptedChance(Script(stocks=hand.stocks()))
    return record_of(hand.variant, rules_of(hand.variant, **hand.house_rules()), table, chance, decide)


def test_recorded_hands_export_and_load() -> None:
    """Recorded hands, side pots and draws among them, load again in PokerKit with the recorded stacks."""
    count = 0
    for hand in hands.load(SAMPLE):
        if "bb_all_in_short" in hand.tags:
            continue  # PokerKit's price is the short blind, the sheet's is the full one (poker, 0.1)
        record = recorded(hand)
        assert [player.finish for player in record.players] == list(hand.finishing_stacks)
        check_phh(record)
        count += 1
    assert count > 50


@pytest.mark.parametrize("name", ["straddle_random", "no_small_blind_random"])
def test_straddles_and_dead_small_blinds_export_and_load(name: str) -> None:
    """PHH writes them among the blinds, PokerKit ends with the recorded stacks; Open Hand History names each post."""
    words = {"Post SB": "small_blind", "Post BB": "big_blind", "Straddle": "straddle"}
    loaded = 0
    for hand in hands.load(RECORDED / f"{name}.jsonl"):
        record = recorded(hand)
        # PokerKit shares the odd chips of all pots at once.
        if not any(pot.amount % len(pot.winners) for pot in hand.pots):
            check_phh(record)
            loaded += 1
        acts = [act for part in ohh.document(record)["ohh"]["rounds"] for act in part["actions"]]
        posted = [words[act["action"]] for act in acts if act["action"] in words]
        assert posted == (["small_blind", "big_blind", "straddle"] if name == "straddle_random" else ["big_blind"])
    assert loaded > 80


@pytest.mark.parametrize(
    "game_id", ["texas_holdem", "royal_holdem", "omaha", "five_card_draw", "five_card_stud", "seven_card_stud"]
)
def test_open_hand_history_adds_up(game_id: str) -> None:
    """Chips put in less those returned are the pots, pots are rake and wins, and seats end with the settled chips."""
    rules = rules_of(game_id, rake_bps=500)
    for seed in range(HANDS):
        record = random_deck_record(game_id, rules, seed)
        if record is None:
            continue
        hand = msgspec.json.decode(ohh.write(record))["ohh"]
        acts = [action for entry in hand["rounds"] for action in entry["actions"]]
        assert [action["action_number"] for action in acts] == list(range(len(acts)))
        assert [entry["id"] for entry in hand["rounds"]] == list(range(len(hand["rounds"])))
        assert hand["rounds"][0]["street"] == "Preflop"
        assert "Bet" not in [action["action"] for action in hand["rounds"][0]["actions"]], "the format forbids it there"
        assert (hand["hero_player_id"], hand["flags"]) == (None, ["Observed"])
        back = sum(step.amount for step in record.steps if isinstance(step, Back))
        assert sum(action.get("amount", 0) for action in acts) - back == sum(pot["amount"] for pot in hand["pots"])
        won: dict[int, int] = {}
        for pot in hand["pots"]:
            assert pot["rake"] + sum(win["win_amount"] for win in pot["player_wins"]) == pot["amount"]
            for win in pot["player_wins"]:
                won[win["player_id"]] = won.get(win["player_id"], 0) + win["win_amount"]
        assert_seats_add_up(record, acts, won)


def assert_seats_add_up(record: HandRecord, acts: list[dict[str, Any]], won: dict[int, int]) -> None:
    """Check each seat's chips from the actions alone."""
    for player in record.players:
        put_in = sum(action.get("amount", 0) for action in acts if action["player_id"] == player.seat)
        back = sum(step.amount for step in record.steps if isinstance(step, Back) and step.seat == player.seat)
        assert player.stack - put_in + back + won.get(player.seat, 0) == player.finish
        left = player.stack
        for action in acts:
            if action["player_id"] == player.seat and action.get("amount"):
                left -= action["amount"]
                assert action["is_allin"] == (left == 0), action


def test_rounds_of_table_card_games_have_the_format_s_names() -> None:
    """A hold'em hand that is played out has the five streets of the format, with the table cards."""
    rules = rules_of("texas_holdem")
    records = [random_record("texas_holdem", rules, seed) for seed in range(HANDS)]
    shown = [record for record in records if any(isinstance(step, Show) for step in record.steps)]
    assert shown
    for record in shown:
        rounds = ohh.document(record)["ohh"]["rounds"]
        assert [entry["street"] for entry in rounds] == ["Preflop", "Flop", "Turn", "River", "Showdown"]
        assert [len(entry.get("cards", ())) for entry in rounds] == [0, 3, 1, 1, 0]


def posted_by(stacks: dict[int, int], game_id: str, **keys: object) -> HandRecord:
    """Return a hand of these stacks in which everybody calls and checks."""

    def stay(round_: PokerRound) -> tuple[int, actions.Action]:
        waiting = round_.waiting()
        assert waiting is not None
        seat = waiting.seats[0]
        names = [option.action for option in round_.options(seat)]
        for name, action in (("draw", actions.Draw(())), ("check", actions.Check()), ("call", actions.Call())):
            if name in names:
                return seat, action
        raise AssertionError(f"seat {seat} may do {names}")

    return record_of(game_id, rules_of(game_id, **keys), Table(chips=stacks, first_button=0), Seeded(5), stay)


@pytest.mark.parametrize("game_id", ["texas_holdem", "omaha", "five_card_draw"])
@pytest.mark.parametrize("short", [1, 2])
def test_a_post_that_takes_the_last_chip_is_all_in(game_id: str, short: int) -> None:
    """A blind posted by a short stack is marked as all-in in the Open Hand History, a full one is not."""
    record = posted_by({0: 100, 1: 100, 2: 100} | {short: 3}, game_id, big_blind=10)
    actions_ = ohh.document(record)["ohh"]["rounds"][0]["actions"]
    posts = {action["player_id"]: action["is_allin"] for action in actions_ if action["action"].startswith("Post")}
    assert posts == {1: short == 1, 2: short == 2}


def test_an_ante_that_takes_the_last_chip_is_all_in() -> None:
    """An ante posted by a short stack is marked as all-in, also where the unmatched part of others is returned."""
    record = posted_by({0: 100, 1: 4, 2: 9}, "seven_card_stud", ante=10)
    acts = [action for entry in ohh.document(record)["ohh"]["rounds"] for action in entry["actions"]]
    assert [(act["player_id"], act["is_allin"]) for act in acts if act["action"] == "Post Ante"] == [
        (1, True),
        (2, True),
        (0, False),
    ]
    assert Back(0, 1) in record.steps


def test_a_hand_s_number_in_open_hand_history_is_the_only_one_of_the_house() -> None:
    """Two tables have a round of one number: the numbers of their hands differ, and lead back to table and round."""
    tables = ("6f1b2c3d", "7a0c9e51")
    record = posted_by({0: 100, 1: 100}, "omaha")
    numbers = [ohh.document(msgspec.structs.replace(record, table=one))["ohh"]["game_number"] for one in tables]
    assert numbers == [f"{one}-{record.hand}" for one in tables]


def test_hands_of_one_file_are_parted_by_a_blank_line() -> None:
    """Written hands are separated by a blank line in a file of hands."""
    text = "".join(ohh.write(posted_by({0: 100, 1: 100}, "omaha")) + "\n" for _ in range(2))
    first, second, rest = text.split("\n\n")
    assert (msgspec.json.decode(first), rest) == (msgspec.json.decode(second), "")


@pytest.mark.parametrize(("name", "code"), [("CHIPS", "XXX"), ("TWD", "TWD"), ("", "XXX")])
def test_currencies_are_codes_of_three_letters(name: str, code: str) -> None:
    """Chips without a code of ISO 4217 are written with the code for "no currency"."""
    record = msgspec.structs.replace(posted_by({0: 100, 1: 100}, "omaha"), currency=name)
    assert ohh.document(record)["ohh"]["currency"] == code


def test_a_big_blind_posted_short_has_no_phh() -> None:
    """A hand with a short blind is refused with the reason, since PHH readers would call only the posted part."""
    with pytest.raises(NotExportable, match="posted short"):
        phh.write(posted_by({0: 100, 1: 100, 2: 3}, "texas_holdem", big_blind=10))
    assert tomllib.loads(phh.write(posted_by({0: 100, 1: 3, 2: 100}, "texas_holdem", big_blind=10)))["hand"] == "12"


def fold(round_: PokerRound) -> tuple[int, actions.Action]:
    """Fold for the first seat that is asked."""
    waiting = round_.waiting()
    assert waiting is not None
    return waiting.seats[0], actions.Fold()


@pytest.mark.parametrize("passed", [[], [3]])
def test_a_post_for_missed_blinds_has_no_phh(passed: list[int]) -> None:
    """A hand in which a seat posts on its return, with or without a dead small blind, is refused with the reason."""
    memory = {"played": [0, 1, 2], "small": 0, "big": 1, "away": [3], "passed": passed}
    table = Table(chips=dict.fromkeys(range(4), 100), button=1, memory=memory)
    rules = rules_of("texas_holdem", missed_blinds="post")
    record = record_of("texas_holdem", rules, table, Seeded(1), fold)
    assert {step.what for step in record.steps if isinstance(step, Post) and step.seat == 3} >= {"post"}
    with pytest.raises(NotExportable, match="had missed"):
        phh.write(record)


def test_what_a_format_cannot_say_is_refused() -> None:
    """Three-card hands have no Open Hand History, a heads-up button with the big blind no PHH."""
    table = Table(chips={0: 100, 1: 100})

    three = record_of("zha_jin_hua", rules_of("zha_jin_hua"), table, Seeded(1), fold)
    assert tomllib.loads(phh.write(three))["variant"] == "N3C"
    with pytest.raises(NotExportable, match="zha_jin_hua"):
        ohh.write(three)
    rules = rules_of("texas_holdem", heads_up_blinds="left_small")
    with pytest.raises(NotExportable, match="heads-up"):
        phh.write(record_of("texas_holdem", rules, table, Seeded(1), fold))


def test_names_times_and_rake_are_written() -> None:
    """Names with quotes are preserved, the time is in UTC, and the rake is in a field of our own."""
    record = random_record("texas_holdem", rules_of("texas_holdem", rake_bps=1000), 3)
    fields = tomllib.loads(phh.write(record))
    assert "Ann \"the\" 'Ace' \\" in fields["players"]
    assert (fields["year"], fields["month"], fields["day"], str(fields["time"])) == (2026, 11, 29, "20:15:07")
    assert fields["_rake"] == sum(fields["starting_stacks"]) - sum(fields["finishing_stacks"]) > 0
