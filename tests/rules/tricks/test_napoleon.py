"""What players of Napoleon learn of adjutant, stock and face-down cards, and a lead without cards.

Source: [napoleon Play 3, Play 4, Play 8].
"""

from services.fairness.scripted import Script, ScriptedChance
from services.rules import actions, cards, catalogue, game
from services.rules.happenings import Dealt, Decided, Happening, Noted, Shown
from services.rules.tricks import napoleon
from services.rules.tricks.napoleon import NapoleonRound, NapoleonRules

NAPOLEON = catalogue.game("napoleon")
SIX = """Ad 3d As 3c 4d 4c  Ah 5d 3s 5c 6d 6c  Kh 7d 4s 7c 8d 8c  Qh 9d 5s 9c Td Tc
         Jh Th 9h Ks Qs Js Ts 9s 8s 7s 6s 8h 7h 6h 5h 4h Kd Qd Jd Ac Kc Qc Jc Xr"""
FOUR = "Ah Qh Th 7h  Kh Jh Ks 6h  5s 7s Qs 8h  6s 8s Js 9h"


def test_the_greatest_win_is_napoleon_alone_against_all() -> None:
    """Napoleon without an adjutant gets twice the base from each other seat, and the disclosed figure is that sum."""
    said = NAPOLEON.greatest_win(NapoleonRules(base=7, max_seats=6))
    assert said.en.startswith("70 chips: Napoleon alone against 5 allies")
    assert all(text.startswith("70 ") for text in (said.zh_hant, said.zh_hans))


class Told:
    """A round with a scripted deck; seat 1 is Napoleon, hearts are trumps; ``record`` holds the public happenings."""

    def __init__(self, deck: str, seats: int, draw: str = "each") -> None:
        self.chance = ScriptedChance(Script(stocks=(tuple(cards.parse(deck)),)))
        table = game.Table(chips=dict.fromkeys(range(seats), 100), first_button=0)
        round_, _ = NAPOLEON.start(NapoleonRules(draw=draw), table, self.chance)
        assert isinstance(round_, NapoleonRound)
        self.round = round_
        self.record: list[Happening] = []
        self.act(1, actions.Bid(points=50, trump="h"))
        self.on_timeout(seats - 1)

    def act(self, seat: int, action: actions.Action) -> None:
        """Act for a seat."""
        self.record = self.round.act(seat, action, self.chance)

    def on_timeout(self, times: int) -> None:
        """Let deadlines pass."""
        for _ in range(times):
            self.record = self.round.on_timeout(self.chance)

    def notes(self) -> set[str]:
        """List what was noted by the last move."""
        return {entry.what for entry in self.record if isinstance(entry, Noted)}

    def statuses(self, viewer: int | None) -> list[str]:
        """List how the seats stand for a viewer."""
        return [seat.status for seat in self.round.view(viewer).seats]


def first_trick(named: str) -> Told:
    """Play the first trick of six seats; Napoleon wins it and all draw, he Jh unseen, then Th, 9h, Ks, Qs, Js."""
    told = Told(SIX, 6)
    told.act(1, actions.NameAdjutant(card=named))
    told.act(1, actions.Play(cards=("Ad",)))
    told.on_timeout(5)
    return told


def test_only_the_adjutant_knows_that_he_is_one() -> None:
    """While the named card is in a hand the view of its holder alone names him; played, it names him to all."""
    told = first_trick("As")
    for viewer in (None, 0, 1, 2, 4, 5):
        assert told.statuses(viewer) == ["playing", "napoleon", "playing", "playing", "playing", "playing"]
    assert told.statuses(3)[3] == "adjutant"
    told.act(1, actions.Play(cards=("Kh",)))
    told.on_timeout(5)
    told.act(1, actions.Play(cards=("Qh",)))
    told.on_timeout(1)
    assert told.statuses(None)[3] == "playing"
    told.act(3, actions.Play(cards=("As",)))
    assert told.notes() == {"adjutant"}
    assert told.statuses(None) == ["ally", "napoleon", "ally", "adjutant", "ally", "ally"]


def test_who_draws_the_named_card_from_the_open_stock_is_known() -> None:
    """The second card of the stock goes to the seat left of the winner, in public."""
    told = first_trick("Th")
    assert "adjutant" in told.notes()
    assert told.statuses(None) == ["ally", "napoleon", "adjutant", "ally", "ally", "ally"]


def test_nobody_learns_that_napoleon_drew_the_named_card_face_down() -> None:
    """The first card of the stock is drawn unseen: not even that Napoleon plays alone is public."""
    told = first_trick("Jh")
    assert told.notes() == {"trick"}
    assert told.statuses(None)[2:] == ["playing"] * 4
    drawn = [entry.cards for entry in told.record if isinstance(entry, Dealt)]
    assert drawn == [("??",), ("Th",), ("9h",), ("Ks",), ("Qs",), ("Js",)]


def test_all_see_the_card_to_be_drawn_next_but_for_the_first() -> None:
    """Before the first draw the stock is face down; then its top card is open."""
    told = Told(SIX, 6)
    stock = next(zone.cards for zone in told.round.view(None).zones if zone.name == "stock")
    assert stock == ("??",) * 24
    told = first_trick("Jh")
    stock = next(zone.cards for zone in told.round.view(None).zones if zone.name == "stock")
    assert stock == ("Ts", *("??",) * 17)


def test_napoleon_is_seen_to_stand_alone_when_he_draws_or_plays_the_named_card_openly() -> None:
    """When Napoleon plays the ace that he named, it is public that there is no adjutant."""
    told = Told(SIX, 6)
    told.act(1, actions.NameAdjutant(card="Ad"))
    assert told.statuses(None) == ["playing", "napoleon", *["playing"] * 4]
    told.act(1, actions.Play(cards=("Ad",)))
    assert told.notes() == {"alone"}
    assert told.statuses(None) == ["ally", "napoleon", *["ally"] * 4]


def test_a_card_laid_face_down_is_seen_by_its_seat_alone() -> None:
    """Others see that it lies there, in this trick and as part of the last one; at the end all are shown."""
    told = Told(FOUR, 4)
    told.act(1, actions.PlayDown(card="5s"))

    def seen(viewer: int | None, zone: str) -> tuple[str, ...]:
        return next(entry.cards for entry in told.round.view(viewer).zones if (entry.owner, entry.name) == (1, zone))

    assert [seen(viewer, "trick") for viewer in (None, 0, 1, 2)] == [("??",), ("??",), ("5s",), ("??",)]
    told.on_timeout(1)
    decided = [entry.action for entry in told.record if isinstance(entry, Decided)]
    assert decided == [actions.PlayDown(card="??")]
    told.on_timeout(2)
    assert [seen(viewer, "last_trick") for viewer in (None, 0, 1)] == [("??",), ("??",), ("5s",)]
    while told.round.outcome is None:
        told.on_timeout(1)
    shown = [entry for entry in told.record if isinstance(entry, Shown) and entry.zone == "down"]
    # The last of the three holds only cards that count, and lays the lowest of them.
    assert [(entry.owner, entry.cards) for entry in shown] == [(1, ("5s",)), (2, ("7s",)), (3, ("Js",))]


def test_the_lead_of_a_seat_without_cards_goes_to_its_left() -> None:
    """Where the stock is used up the winner may be out of cards: the next seat to its left that holds some leads."""
    told = Told(FOUR, 4, draw="winner")
    round_ = told.round
    round_.number, round_.trick = 1, []
    round_.stock.next = len(round_.stock.cards)
    round_.hands = {1: ["Ah"], 2: ["7s", "8s"], 3: ["Ks"], 0: ["9h", "8h"]}
    napoleon.Play().lead(round_, 1)
    told.on_timeout(4)
    assert (round_.last_trick[0].seat, round_.turn) == (1, 2)
    told.on_timeout(2)
    assert round_.outcome is not None
