"""Spoil Five (tricks, ``spoil_five``): three of five tricks take the pot; the turned card may be robbed."""

from typing import Any, Final

import msgspec

from services.rules import actions, game, illegal_actions, keys
from services.rules.cards import Card
from services.rules.chance import Stock
from services.rules.happenings import Happening, Noted
from services.rules.offers import Option
from services.rules.outcomes import POT
from services.rules.ranking import tricks as ladders
from services.rules.text import Text
from services.rules.tricks import deal, texts
from services.rules.tricks.answers import card_of
from services.rules.tricks.engine import TrickRound
from services.rules.tricks.texts import COMMON, PASS, capped, summary
from services.rules.tricks.texts import POT as POT_WORD
from services.rules.views import Zone
from services.rules.vocabulary import Terms

NAME: Final = Text(en="Spoil Five", zh_hant="三勝二負", zh_hans="三胜二负")

SUMMARY: Final = summary(
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
    **COMMON,
    "pot": POT_WORD,
    "pass": PASS,
    "ante": Text(en="ante", zh_hant="底注", zh_hans="底注"),
    "all_five": Text(en="all five tricks", zh_hant="五次全勝", zh_hans="五次全胜"),
    "rob": Text(en="take the turned card", zh_hant="換王牌", zh_hans="换王牌"),
    "robbing": Text(en="taking the turned card", zh_hant="王牌交換", zh_hans="王牌交换"),
    "robbed": Text(en="took the turned card", zh_hant="換走王牌", zh_hans="换走王牌"),
    "discard": Text(en="card given for it", zh_hant="換出的牌", zh_hans="换出的牌"),
    "turned": Text(en="turned card", zh_hant="翻開的牌", zh_hans="翻开的牌"),
    "tricks": Text(en="tricks won", zh_hant="勝次", zh_hans="胜次"),
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

THREE: Final = Text(en="three or four tricks", zh_hant="勝三次或四次", zh_hans="胜三次或四次")
FIVE: Final = Text(en="all five tricks", zh_hant="五次全勝", zh_hans="五次全胜")


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


class SpoilFiveRound(TrickRound, kw_only=True):
    """``turned``: the card that shows trumps, ``robber``: who took it; ``tricks``: tricks won by each seat."""

    rules: SpoilFiveRules
    trump: str
    turned: Card
    memory: dict[str, Any]
    robber: int | None = None
    tricks: dict[int, int] = msgspec.field(default_factory=dict)

    ladder = ladders.SPOIL_FIVE

    # -- robbing ----------------------------------------------------------------------------------------------

    def may_rob(self) -> list[int]:
        """List the seats asked: all from the dealer on if an ace is turned, else the holder of the ace of trumps.

        Source: [spoil_five Play 2].
        """
        ace = "A" + self.trump
        if self.turned == ace:
            return [self.order[-1], *self.order[:-1]]
        return [seat for seat in self.order if ace in self.hands[seat]]

    def discards(self, seat: int) -> list[Card]:
        """List the cards that may be given for the turned one: any, but not the ace that gives the right."""
        return [card for card in self.hands[seat] if card != "A" + self.trump]

    def answers(self, seat: int) -> list[Option]:
        """Offer the turned card, or to pass."""
        return [Option("rob", {"discard": card_of(self.discards(seat))}), Option("pass")]

    def check_answer(self, seat: int, action: actions.Action) -> None:
        """Refuse anything but a pass, or a card of the hand for the turned one."""
        if isinstance(action, actions.Pass):
            return
        if not isinstance(action, actions.Rob):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; take the turned card (rob) or pass", illegal_actions.TAKE_TURNED
            )
        given = () if action.discard is None else (action.discard,)
        self.check_card(seat, given, self.discards(seat))

    def answer(self, seat: int, action: actions.Action) -> list[Happening]:
        """Change the card, or ask the next seat; then play begins with the seat left of the button.

        Source: [spoil_five Play 3].
        """
        record: list[Happening] = []
        if isinstance(action, actions.Rob):
            assert action.discard is not None, "a robbery without a discard passed the tests"
            self.hands[seat].remove(action.discard)
            self.hands[seat].append(self.turned)
            self.robber = seat
            record = [Noted("robbed", seat=seat)]
        elif self.answered():
            return record
        return [*record, *self.begin_play(self.order[0])]

    def secret(self, action: actions.Action) -> bool:
        """Discards are not shown [spoil_five Play 2]."""
        return isinstance(action, actions.Rob)

    # -- play -------------------------------------------------------------------------------------------------

    def legal(self, seat: int) -> list[Card]:
        """List the cards that may be played: what five or jack of trumps call for goes before following suit.

        Source: [spoil_five Play 4].
        """
        called = self._called()
        return [card for card in self.hands[seat] if card in called] or super().legal(seat)

    def _called(self) -> set[Card]:
        lying = {laid.card for laid in self.trick}
        aces = {ladders.ACE_OF_HEARTS, "A" + self.trump}
        if "5" + self.trump in lying:
            return {"J" + self.trump} | aces
        return aces if "J" + self.trump in lying else set()

    def trick_won(self, winner: int) -> list[Happening]:
        """Count the trick; after the fifth the round has ended."""
        self.tricks[winner] = self.tricks.get(winner, 0) + 1
        if self.number < CARDS_EACH:
            self.lead(winner)
            return []
        best = max(self.order, key=lambda seat: self.tricks.get(seat, 0))
        if self.tricks[best] < ENOUGH:
            return [Noted("spoiled"), *self.settled(self.facts(), self.memory)]
        self.owe(POT, best, self.table_pot, "pot")
        if self.tricks[best] == CARDS_EACH:
            for seat in self.order:
                if seat != best:
                    self.owe(seat, best, self.rules.ante, "all_five")
        return self.settled(self.facts(), self.memory)

    # -- showing ----------------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """Return the tricks won so far."""
        return {"tricks": dict(sorted(self.tricks.items()))}

    def public_facts(self) -> dict[str, Any]:
        """Add the seat that took the turned card."""
        return {**super().public_facts(), "turned": self.turned, "robbed": self.robber}

    def zones(self, viewer: int | None) -> list[Zone]:
        """Add the turned card until somebody takes it."""
        lying = () if self.robber is not None else (self.turned,)
        return [*super().zones(viewer), Zone(None, "turned", lying)]


class SpoilFive(deal.TrickGame):
    """Spoil Five, 三胜二负 (seed trick-and-pool-games.txt, 游戏八)."""

    id = "spoil_five"
    name = NAME
    summary = SUMMARY
    terms = TERMS
    words = WORDS
    rules_type = SpoilFiveRules
    round_type = SpoilFiveRound
    fewest = 2
    most = 10

    def least_carry(self, rules: game.HouseRules) -> int:
        """Return two antes: one for the pot, one for who takes all five tricks."""
        assert isinstance(rules, SpoilFiveRules)
        return 2 * rules.ante

    def begin(self, rules: game.HouseRules, table: game.Table, order: tuple[int, ...], stock: Stock) -> deal.Begun:
        """Take the antes, deal five cards each, turn the next one for trumps, ask who may rob.

        Source: [spoil_five Play 1; spoil_five Play 2].
        """
        assert isinstance(rules, SpoilFiveRules)
        hands, record = deal.deal(stock, order, CARDS_EACH)
        turned, turning = deal.turn(stock)
        round_ = SpoilFiveRound(
            rules=rules,
            carry=deal.carry_of(table, order),
            button=order[-1],
            order=order,
            hands=hands,
            stock=stock,
            trump=turned[1],
            turned=turned,
            table_pot=table.pot,
            memory=deal.last_seats(table, order),
        )
        staked = round_.stake(order, rules.ante, "ante")
        asked = round_.may_rob()
        follows = round_.ask("robbing", asked) if asked else round_.begin_play(order[0])
        return round_, [*staked, *record, turning, *follows]

    def payouts(self, rules: game.HouseRules) -> tuple[game.Payout, ...]:
        """List what three and five tricks pay."""
        assert isinstance(rules, SpoilFiveRules)
        pot = f"pot + {rules.ante} × seats"
        return (
            game.Payout(bet="ante", wins=THREE, pays=pot),
            game.Payout(bet="ante", wins=FIVE, pays=f"{pot} + {rules.ante} × (seats − 1)"),
        )

    def greatest_win(self, rules: game.HouseRules) -> Text:
        """Return the antes of all others twice, and the carried pot."""
        assert isinstance(rules, SpoilFiveRules)
        return capped(greatest(rules.ante, rules.max_seats), rules)


GAME = SpoilFive()
