"""Spoil Five (tricks, ``spoil_five``): three of five tricks take the pot; the turned card may be robbed."""

from collections.abc import Sequence
from typing import Any, Final

from services.rules import game, illegal_actions, keys
from services.rules.actions import Action, Pass, Rob
from services.rules.cards import Card
from services.rules.happenings import Happening, Noted
from services.rules.offers import Option
from services.rules.outcomes import POT
from services.rules.phases import Step
from services.rules.ranking import tricks as ladders
from services.rules.text import Text
from services.rules.tricks import texts
from services.rules.tricks.deal import Deal, Turn
from services.rules.tricks.game import TrickGame
from services.rules.tricks.play import Tricks
from services.rules.tricks.questions import Asking, card_of, check_card
from services.rules.tricks.round import TrickRound
from services.rules.views import Zone
from services.rules.vocabulary import Terms

NAME: Final = Text("Spoil Five", "三勝二負", "三胜二负")

SUMMARY: Final = texts.summary(
    en=(
        "Two to ten players. Everybody puts the ante into the pot and gets five cards; the next card is "
        "turned, its suit is trumps. If it is an ace the dealer, or else the next one who wants it, may "
        "exchange a card of the hand for it; otherwise the holder of the ace of trumps may. A player who does "
        "not answer in time passes. Follow suit if you can; the ace of hearts is always a trump. Once the five "
        "of trumps is played to a trick, a player who holds the jack of trumps, the ace of hearts or the ace "
        "of trumps must play one of them; once the jack is played, one of the aces. Three tricks win the pot, "
        "all five also an ante from everybody else. If nobody has three, the pot stays for the next round."
    ),
    zh_hant=(
        "2至10人。每人出一份底注，各發5張牌，翻開牌堆頂牌，其花色為王牌。若為A，莊家可用手牌一張交換，不換則依序讓左鄰；"
        "若非A，持有王牌A者可交換，逾時視為不換。須跟同花色，紅心A永遠是王牌。王牌5出現時，持有王牌J、紅心A或王牌A者必須打出其一；"
        "王牌J出現時，持有紅心A或王牌A者必須打出。勝3次以上者得彩池，5次全勝者另向每人收一份底注。無人勝3次時，彩池留待下局。"
    ),
    zh_hans=(
        "2至10人。每人出一份底注，各发5张牌，翻开牌堆顶牌，其花色为王牌。若为A，庄家可用手牌一张交换，不换则依"
        "序让左邻；若非A，持有王牌A者可交换，逾时视为不换。须跟同花色，红心A永远是王牌。王牌5出现时，持有王牌J、"
        "红心A或王牌A者必须打出其一；王牌J出现时，持有红心A或王牌A者必须打出。胜3次以上者得彩池，5次全胜者另向"
        "每人收一份底注。无人胜3次时，彩池留待下局。"
    ),
)

WORDS: Final[dict[str, Text]] = {
    **texts.COMMON,
    "pot": texts.POT,
    "pass": texts.PASS,
    "ante": Text("ante", "底注", "底注"),
    "all_five": Text("all five tricks", "五次全勝", "五次全胜"),
    "rob": Text("take the turned card", "換王牌", "换王牌"),
    "robbing": Text("taking the turned card", "王牌交換", "王牌交换"),
    "robbed": Text("took the turned card", "換走王牌", "换走王牌"),
    "discard": Text("card given for it", "換出的牌", "换出的牌"),
    "turned": Text("turned card", "翻開的牌", "翻开的牌"),
    "tricks": Text("tricks won", "勝次", "胜次"),
    "spoiled": Text(
        en="nobody has three tricks; the pot stays",
        zh_hant="無人勝三次，彩池留待下局",
        zh_hans="无人胜三次，彩池留待下局",
    ),
}

TERMS: Final = texts.TERMS + Terms(
    phase="play robbing",
    zone="turned",
    reason="ante pot all_five",
    action="rob pass",
    argument="discard",
    word=texts.SUITS,
    happening="robbed spoiled",
    fact="robbed tricks trump turned",
)

THREE: Final = Text("three or four tricks", "勝三次或四次", "胜三次或四次")
FIVE: Final = Text("all five tricks", "五次全勝", "五次全胜")


def greatest(ante: int, seats: int) -> Text:
    """Return what the winner can take at most."""
    most = 2 * ante * (seats - 1)
    return Text(
        en=f"{most} chips with {seats} seats (the others' antes, twice with all five tricks), and the carried pot",
        zh_hant=f"{seats} 人時 {most} 籌碼（其他人的底注，五次全勝再加一倍），另加彩池累積",
        zh_hans=f"{seats} 人时 {most} 筹码（其他人的底注，五次全胜再加一倍），另加彩池累积",
    )


CARDS_EACH: Final = 5
ENOUGH: Final = 3
"""Tricks that take the pot."""


class SpoilFiveRules(game.HouseRules, frozen=True, kw_only=True):
    """House rules: ``ante`` chips of each seat in every round."""

    ante: keys.Ante = 1


def take_antes(round_: "SpoilFiveRound", log: list[Happening]) -> None:
    """Move every seat's ante into the pot [spoil_five Play 1]."""
    round_.stake(round_.order, round_.rules.ante, "ante", log)


class Robbing(Asking["SpoilFiveRound"], frozen=True):
    """The turned card may be taken for a card of the hand [spoil_five Play 2]."""

    name: str = "robbing"

    def seats(self, round_: "SpoilFiveRound") -> Sequence[int]:
        """List the seats asked: all from the dealer on if an ace is turned, else the holder of the ace of trumps."""
        order, ace = round_.order, round_.ace
        if round_.turned == ace:
            return [order[-1], *order[:-1]]
        return [seat for seat in order if ace in round_.hands[seat]]

    def _discards(self, round_: "SpoilFiveRound", seat: int) -> list[Card]:
        """List the cards that may be given for the turned one: any, but not the ace that gives the right."""
        return [card for card in round_.hands[seat] if card != round_.ace]

    def offered(self, round_: "SpoilFiveRound", seat: int) -> list[Option]:
        """Offer the turned card, or to pass."""
        return [Option("rob", {"discard": card_of(self._discards(round_, seat))}), Option("pass")]

    def check(self, round_: "SpoilFiveRound", seat: int, action: Action) -> None:
        """Refuse anything but a pass, or a card of the hand for the turned one."""
        if isinstance(action, Pass):
            return
        if not isinstance(action, Rob):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; take the turned card (rob) or pass", illegal_actions.TAKE_TURNED
            )
        given = () if action.discard is None else (action.discard,)
        check_card(round_.hands[seat], given, self._discards(round_, seat))

    def answer(self, round_: "SpoilFiveRound", seat: int, action: Action, log: list[Happening]) -> bool:
        """Change the card, or ask the next seat."""
        if not isinstance(action, Rob) or action.discard is None or round_.turned is None:
            return False
        hand = round_.hands[seat]
        hand.remove(action.discard)
        hand.append(round_.turned)
        round_.robber = seat
        log.append(Noted("robbed", seat=seat))
        return True


class Play(Tricks["SpoilFiveRound"], frozen=True):
    """Five tricks [spoil_five Play 3, Play 5]."""

    def legal(self, round_: "SpoilFiveRound", seat: int) -> list[Card]:
        """List the cards that may be played: what five or jack of trumps call for goes before following suit.

        Source: [spoil_five Play 4].
        """
        called = _called(round_)
        return [card for card in round_.hands[seat] if card in called] or super().legal(round_, seat)

    def won(self, round_: "SpoilFiveRound", winner: int, log: list[Happening]) -> int | None:
        """Let the winner lead, up to the fifth trick."""
        del log  # the trick is noted
        return winner if round_.number < CARDS_EACH else None


def _called(round_: "SpoilFiveRound") -> set[Card]:
    trump = str(round_.trump)
    lying = {laid.card for laid in round_.trick}
    aces = {ladders.ACE_OF_HEARTS, round_.ace}
    if "5" + trump in lying:
        return {"J" + trump} | aces
    return aces if "J" + trump in lying else set()


def pay(round_: "SpoilFiveRound", log: list[Happening]) -> None:
    """Pay the pot for three tricks, and for five an ante of each other seat too [spoil_five "Pays", D7]."""
    best = max(round_.order, key=lambda seat: round_.tricks.get(seat, 0))
    if round_.tricks[best] < ENOUGH:
        log.append(Noted("spoiled"))
    else:
        round_.owe(POT, best, round_.table_pot, "pot")
    if round_.tricks[best] == CARDS_EACH:
        for seat in round_.order:
            if seat != best:
                round_.owe(seat, best, round_.rules.ante, "all_five")
    round_.settle(log)


class SpoilFiveRound(TrickRound[SpoilFiveRules], kw_only=True):
    """``robber``: who took the turned card."""

    ladder = ladders.SPOIL_FIVE
    phases = (Step(run=take_antes), Deal(each=CARDS_EACH), Turn(), Robbing(), Play(), Step(run=pay))

    robber: int | None = None

    @property
    def ace(self) -> Card:
        """The ace of trumps."""
        return "A" + str(self.trump)

    def secret(self, action: Action) -> bool:
        """Discards are not shown [spoil_five Play 2]."""
        return isinstance(action, Rob)

    def facts(self) -> dict[str, Any]:
        """Return the tricks won so far."""
        return {"tricks": self.tricks_won()}

    def public_facts(self) -> dict[str, Any]:
        """Add the seat that took the turned card."""
        return {**super().public_facts(), "turned": self.turned, "robbed": self.robber}

    def zones(self, viewer: int | None) -> list[Zone]:
        """Add the turned card until somebody takes it."""
        lying = () if self.robber is not None or self.turned is None else (self.turned,)
        return [*super().zones(viewer), Zone(None, "turned", lying)]

    def in_words(self, seat: int) -> Text:
        """Return the tricks of a seat."""
        return texts.tricks(self.tricks.get(seat, 0))


class SpoilFive(TrickGame[SpoilFiveRules, SpoilFiveRound]):
    """Spoil Five, 三胜二负 (seed trick-and-pool-games.txt, 游戏八)."""

    id = "spoil_five"
    name = NAME
    summary = SUMMARY
    terms = TERMS
    words = WORDS
    rules_type = SpoilFiveRules
    round_type = SpoilFiveRound
    carries = True
    fewest = 2
    most = 10

    def least_carry(self, rules: SpoilFiveRules) -> int:
        """Return two antes: one for the pot, one for who takes all five tricks."""
        return 2 * rules.ante

    def payouts(self, rules: SpoilFiveRules) -> tuple[game.Payout, ...]:
        """List what three and five tricks pay."""
        pot = f"pot + {rules.ante} × seats"
        return (
            game.Payout(bet="ante", wins=THREE, pays=pot),
            game.Payout(bet="ante", wins=FIVE, pays=f"{pot} + {rules.ante} × (seats − 1)"),
        )

    def greatest_win(self, rules: SpoilFiveRules) -> Text:
        """Return the antes of all others twice, and the carried pot."""
        return texts.capped(greatest(rules.ante, rules.max_seats), rules)


GAME = SpoilFive()
