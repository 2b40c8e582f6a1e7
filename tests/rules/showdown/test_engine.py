"""What the cases cannot show: windows and clocks, views, happenings, table limits, texts of the showdown games."""

from typing import Any

import msgspec
import pytest

from services.fairness.scripted import Script, ScriptedChance
from services.rules import actions, cards, catalogue
from services.rules.game import HouseRules, Round, Table
from services.rules.happenings import Dealt, Decided, Happening, Noted, Shown, Shuffled
from services.rules.offers import OneOf, Option, Waiting
from services.rules.refusals import Reason, Refused

GAMES = ["tongbi_san_gong", "tongbi_niu_niu", "san_gong"]
DECK = "2s Ks  3s Qh  4s Jd"


def started(game_id: str, chips: dict[int, int] | None = None, **keys: Any) -> tuple[Round, list[Happening]]:
    """Start a round of two seats (or those given) with the scripted deck."""
    entry = catalogue.game(game_id)
    table = Table(chips=chips or {0: 500, 1: 500})
    return entry.start(rules(game_id, **keys), table, chance())


def rules(game_id: str, **keys: Any) -> HouseRules:
    """Return house rules that differ from the defaults in these keys."""
    return msgspec.convert(keys, catalogue.game(game_id).rules_type)


def chance() -> ScriptedChance:
    """Return the scripted deck."""
    return ScriptedChance(Script(stocks=(tuple(cards.parse(DECK)),)))


def test_windows_have_their_own_deadlines() -> None:
    """Multiples last ``bet_seconds``, hands ``turn_seconds``; an action moves neither clock, the next window does."""
    round_, _ = started("tongbi_san_gong", bet_seconds=7, turn_seconds=9)
    first = round_.waiting()
    assert first == Waiting(seats=(1, 0), clock=0, seconds=7)
    round_.act(1, actions.BetMultiple(multiple=5), chance())
    assert round_.waiting() == Waiting(seats=(0,), clock=0, seconds=7)
    round_.act(0, actions.BetMultiple(multiple=1), chance())
    assert round_.waiting() == Waiting(seats=(1, 0), clock=1, seconds=9)
    round_.act(0, actions.Reveal(), chance())
    round_.act(1, actions.Reveal(), chance())
    assert round_.waiting() is None


def test_the_deadline_decides_for_silent_seats_and_says_so() -> None:
    """Requirement R14: the first multiple and the reveal of a silent seat are marked as the system's decisions."""
    round_, _ = started("tongbi_san_gong", multiples=[3, 1])
    round_.act(1, actions.BetMultiple(multiple=1), chance())
    happenings = round_.on_timeout(chance())
    assert [entry for entry in happenings if isinstance(entry, Decided)] == [
        Decided(0, actions.BetMultiple(multiple=3))
    ]
    assert round_.facts() == {"multiples": {0: 3, 1: 1}}
    happenings = round_.on_timeout(chance())
    assert [entry.seat for entry in happenings if isinstance(entry, Decided)] == [1, 0]


def test_the_deck_is_shuffled_before_anybody_chooses() -> None:
    """The stock is committed to at the start; the deal that follows the multiples names positions, not cards."""
    round_, happenings = started("tongbi_san_gong")
    assert happenings[0] == Shuffled(stock=0, size=52)
    dealt = [entry for entry in round_.on_timeout(chance()) if isinstance(entry, Dealt)]
    assert dealt == [
        Dealt(to=1, zone="hand", stock=0, positions=(0, 2, 4), cards=("??",) * 3),
        Dealt(to=0, zone="hand", stock=0, positions=(1, 3, 5), cards=("??",) * 3),
    ]


def test_san_gong_deals_at_once() -> None:
    """Without multiples the first thing that a seat may do is to reveal."""
    round_, happenings = started("san_gong")
    assert [type(entry) for entry in happenings].count(Dealt) == 2
    assert round_.options(0) == [Option("reveal")]


def test_a_seat_sees_its_own_hand_and_open_ones() -> None:
    """A spectator sees no card until a hand is laid open, then that hand; after the showdown all."""
    round_, _ = started("san_gong")
    assert [zone.cards for zone in round_.view(0).zones] == [("Ks", "Qh", "Jd"), ("??",) * 3]
    assert [zone.cards for zone in round_.view(None).zones] == [("??",) * 3, ("??",) * 3]
    assert round_.act(1, actions.Reveal(), chance()) == [Shown(owner=1, zone="hand", cards=("2s", "3s", "4s"))]
    assert [zone.cards for zone in round_.view(None).zones] == [("??",) * 3, ("2s", "3s", "4s")]
    assert [seat.status for seat in round_.view(None).seats] == ["looking", "revealed"]
    round_.on_timeout(chance())
    assert [zone.cards for zone in round_.view(None).zones] == [("Ks", "Qh", "Jd"), ("2s", "3s", "4s")]


def test_chosen_multiples_are_public_and_put_at_stake() -> None:
    """Base times multiple is shown as staked, or all that a seat carries if that is less."""
    round_, _ = started("tongbi_san_gong", {0: 500, 1: 30})
    happenings = round_.act(1, actions.BetMultiple(multiple=5), chance())
    assert happenings == [Noted("multiple", 1, {"multiple": 5})]
    assert [(seat.chips, seat.staked) for seat in round_.view(0).seats] == [(500, 0), (0, 30)]
    round_.on_timeout(chance())
    round_.on_timeout(chance())
    assert round_.outcome is not None
    assert [(stake.seat, stake.amount) for stake in round_.outcome.stakes] == [(1, 30), (0, 10)]


def test_options_are_the_multiples_of_the_room() -> None:
    """Each seat is offered each multiple once, and nothing after its choice; seats outside the round get nothing."""
    round_, _ = started("tongbi_niu_niu", multiples=[1, 3, 9])
    offered = Option("bet_multiple", {"multiple": OneOf((1, 3, 9))})
    assert round_.options(0) == round_.options(1) == [offered]
    round_.act(0, actions.BetMultiple(multiple=9), chance())
    assert round_.options(0) == []
    assert round_.options(7) == []


def test_the_end_says_who_had_what() -> None:
    """The outcome names winner, categories and points; the winner is owed by category."""
    round_, _ = started("tongbi_san_gong")
    round_.on_timeout(chance())
    happenings = round_.on_timeout(chance())
    assert round_.outcome is not None
    assert round_.outcome.facts == {"winner": [0], "hands": {0: "san_gong", 1: "7-9"}, "points": {1: 9}}
    assert Noted("showdown", None, round_.outcome.facts) in happenings
    assert [(claim.payer, claim.payee, claim.amount, claim.why) for claim in round_.outcome.claims] == [
        (1, 0, 30, "san_gong"),
    ]


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("chips", [{0: 500}, {0: 500, 1: 0}, {0: 0, 1: 0}, {}])
def test_fewer_than_two_seats_with_chips_start_no_round(game_id: str, chips: dict[int, int]) -> None:
    """Showdown, "Common": fewer than two, no round."""
    entry = catalogue.game(game_id)
    with pytest.raises(Refused, match="a round needs 2") as refused:
        entry.start(rules(game_id), Table(chips=chips), chance())
    assert refused.value.reason == Reason.NOT_ENOUGH_SEATS


def test_more_seats_may_be_needed_by_the_house() -> None:
    """``min_seats: 3`` waits for a third seat with chips."""
    with pytest.raises(Refused, match="a round needs 3"):
        started("san_gong", {0: 500, 1: 500, 2: 0}, min_seats=3)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_largest_table_can_be_dealt(game_id: str) -> None:
    """As many seats as the sheet allows get their cards."""
    entry = catalogue.game(game_id)
    most = {"tongbi_san_gong": 5, "tongbi_niu_niu": 10, "san_gong": 6}[game_id]
    table = Table(chips=dict.fromkeys(range(most), 100))
    round_, _ = entry.start(rules(game_id, max_seats=most), table, chance())
    while round_.waiting():
        round_.on_timeout(chance())
    assert len(round_.view(None).zones) == most
    assert [fault.field for fault in entry.faults(rules(game_id, max_seats=most + 1))] == ["max_seats"]


def test_jokers_can_be_left_out() -> None:
    """54 cards are shuffled, or 52 with ``jokers: false``."""
    assert started("tongbi_niu_niu")[1][0] == Shuffled(stock=0, size=54)
    assert started("tongbi_niu_niu", jokers=False)[1][0] == Shuffled(stock=0, size=52)


@pytest.mark.parametrize(
    ("game_id", "keys", "field"),
    [
        ("tongbi_san_gong", {"base": 0}, "base"),
        ("san_gong", {"base": -5}, "base"),
        ("tongbi_niu_niu", {"base": 10**14}, "base"),
        ("tongbi_san_gong", {"multiples": []}, "multiples"),
        ("tongbi_san_gong", {"multiples": [0, 1]}, "multiples"),
        ("tongbi_niu_niu", {"multiples": [1, 1]}, "multiples"),
        ("tongbi_san_gong", {"multipliers": {"zhi_zun": 0}}, "multipliers"),
        ("san_gong", {"multipliers": {"niu_niu": 3}}, "multipliers"),
        ("san_gong", {"ranking": "suits"}, "ranking"),
        ("san_gong", {"win_cap": "all"}, "win_cap"),
        ("san_gong", {"fee_bps": 10_001}, "fee_bps"),
        ("san_gong", {"fee_bps": -1}, "fee_bps"),
        ("san_gong", {"rake_bps": 100}, "rake_bps"),
        ("san_gong", {"rake_cap": 5}, "rake_cap"),
        ("san_gong", {"no_flop_no_drop": True}, "no_flop_no_drop"),
        ("san_gong", {"turn_seconds": 0}, "turn_seconds"),
        ("tongbi_san_gong", {"bet_seconds": 3601}, "bet_seconds"),
        ("san_gong", {"min_seats": 1}, "min_seats"),
        ("san_gong", {"min_seats": 4, "max_seats": 3}, "min_seats"),
    ],
)
def test_a_rule_outside_its_limits_is_named(game_id: str, keys: dict[str, Any], field: str) -> None:
    """Each fault names the key and the valid values."""
    faults = catalogue.game(game_id).faults(rules(game_id, **keys))
    assert [fault.field for fault in faults] == [field]
    assert str(keys[field]) not in {"", faults[0].message}


@pytest.mark.parametrize("game_id", GAMES)
def test_defaults_are_the_sheets(game_id: str) -> None:
    """The defaults of the sheet pass their own limits."""
    entry = catalogue.game(game_id)
    found = entry.rules_type()
    assert entry.faults(found) == []
    assert (found.fee_bps, found.win_cap, found.min_seats) == (500, "stake", 2)
    assert msgspec.to_builtins(found)["base"] == 10
    assert (
        msgspec.to_builtins(found)["multipliers"]
        == {
            "tongbi_san_gong": {"zhi_zun": 5, "da_san_gong": 4, "san_gong": 3, "7-9": 2, "0-6": 1},
            "tongbi_niu_niu": {
                "five_court": 5,
                "four_court": 4,
                "niu_niu": 3,
                "niu_7-9": 2,
                "niu_1-6": 1,
                "none": 1,
            },
            "san_gong": {"da": 5, "xiao": 4, "hun": 3, "7-9": 2, "0-6": 1},
        }[game_id]
    )


def test_payouts_follow_the_house_rules() -> None:
    """Requirement R28: what each category pays can be read before a stake, best first, by the ladder in use."""
    entry = catalogue.game("san_gong")
    home = entry.payouts(rules("san_gong", ranking="home", base=7))
    assert [(payout.bet, payout.pays) for payout in home] == [("san_gong", "3 × 7"), ("7-9", "2 × 7"), ("0-6", "1 × 7")]
    assert [payout.bet for payout in entry.payouts(rules("san_gong"))] == ["da", "xiao", "hun", "7-9", "0-6"]


def test_greatest_win_without_a_cap_is_what_all_others_can_owe() -> None:
    """Five seats: 4 × 10 × 5 × 5 × 5 = 5000 chips; with the cap, the own chips."""
    entry = catalogue.game("tongbi_san_gong")
    assert "5000" in entry.greatest_win(rules("tongbi_san_gong", win_cap="none")).en
    assert "chips that it held" in entry.greatest_win(rules("tongbi_san_gong")).en
