"""Endurance (tricks, ``endurance``): the winner of a trick draws a card, the last seat with cards wins."""

from typing import Any, ClassVar, Final

import msgspec

from services.rules import ante_pot, game, keys
from services.rules.cards import Card
from services.rules.chance import Stock
from services.rules.happenings import Happening, Noted, Shown
from services.rules.text import Text
from services.rules.tricks import deal, texts
from services.rules.tricks.engine import TrickRound
from services.rules.tricks.texts import COMMON, summary
from services.rules.vocabulary import Terms

NAME: Final = Text(en="Endurance", zh_hant="持久戰", zh_hans="持久战")

SUMMARY: Final = summary(
    en=(
        "Four to six players. Each gets six, five or four cards; the dealer's last card is shown, its suit is "
        "trumps. Follow suit if you can, otherwise trump or discard. The highest trump, else the highest card "
        "of the led suit, wins the trick; the winner draws a card and leads. A player without cards is out; "
        "the last one wins the antes."
    ),
    zh_hant=(
        "4至6人，各發6、5或4張牌；發牌者翻開最後一張，其花色為王牌。須跟同花色，無則可用王牌切牌或墊牌。王牌最"
        "大者、否則同花色最大者贏得該墩，抽一張牌並先出下一墩。手牌出盡者淘汰，最後持有手牌者贏得所有底注。"
    ),
    zh_hans=(
        "4至6人，各发6、5或4张牌；发牌者翻开最后一张，其花色为王牌。须跟同花色，无则可用王牌切牌或垫牌。王牌最"
        "大者、否则同花色最大者赢得该墩，抽一张牌并先出下一墩。手牌出尽者淘汰，最后持有手牌者赢得所有底注。"
    ),
)

WORDS: Final[dict[str, Text]] = {
    **COMMON,
    **ante_pot.WORDS,
    "winner": Text(en="winner", zh_hant="贏家", zh_hans="赢家"),
    "turned": Text(en="card that shows trumps", zh_hant="王牌指示牌", zh_hans="王牌指示牌"),
}

TERMS: Final = texts.TERMS + Terms(
    phase="play",
    status="out",
    reason="ante",
    word=texts.SUITS,
    happening="out trump winner",
    fact="out trump turned winners",
)

WINS: Final = Text(en="the last seat that holds cards", zh_hant="最後持有手牌的玩家", zh_hans="最后持有手牌的玩家")


CARDS_EACH: Final = {4: 6, 5: 5, 6: 4}
"""Cards dealt to each seat, by the number of seats [endurance Play 1]."""


class EnduranceRules(game.HouseRules, frozen=True, kw_only=True):
    """House rules: ``ante`` chips of each seat; with 0 only the winner is recorded [endurance D1]."""

    ante: keys.FreeAnte = 0
    min_seats: int = 4
    max_seats: int = 6


class EnduranceRound(TrickRound, kw_only=True):
    """``eliminated``: seats that are out, in that order; ``trump_card``: what the dealer showed."""

    rules: EnduranceRules
    trump_card: Card
    eliminated: list[int] = msgspec.field(default_factory=list)

    def trick_won(self, winner: int) -> list[Happening]:
        """Draw for the winner, then put out the seats without cards, in the order of playing.

        Source: [endurance Play 3, D2, D4].
        """
        assert self.stock, "the stock outlasts the round [endurance D3]"
        record = self.draw(winner)
        for laid in self.last_trick:
            if not self.hands[laid.seat]:
                self.eliminated.append(laid.seat)
                record.append(Noted("out", seat=laid.seat))
        if len(self.players()) == 1:
            return [*record, *self._won(winner)]
        self.lead(winner)
        return record

    def _won(self, winner: int) -> list[Happening]:
        assert self.button is not None, "a round has a button"
        facts = {"winner": winner, **self.facts()}
        ended = self.end(ante_pot.outcome(self.rules.ante, self.order, [winner], self.button, facts=facts))
        return [Noted("winner", seat=winner), *ended]

    def facts(self) -> dict[str, Any]:
        """Return the seats that are out, in order, and the number of tricks played."""
        return {"eliminated": list(self.eliminated), "tricks": self.number}

    def public_facts(self) -> dict[str, Any]:
        """Add the card that the dealer showed."""
        return {**super().public_facts(), "trump_card": self.trump_card}

    def status(self, seat: int) -> str:
        """Return the status of a seat: out, or in."""
        return "out" if seat in self.eliminated else "playing"

    def pots(self) -> tuple[int, ...]:
        """Return the antes."""
        return ante_pot.pot(self.rules.ante, self.order)

    def staked(self, _seat: int) -> int:
        """Return the ante."""
        return self.rules.ante


class Endurance(deal.TrickGame):
    """Endurance, 持久戰 (seed home-games.txt, 生存類 5)."""

    id = "endurance"
    name = NAME
    summary = SUMMARY
    terms = TERMS
    words = WORDS
    rules_type = EnduranceRules
    round_type = EnduranceRound
    case_facts: ClassVar[dict[str, str]] = {"tricks_completed": "tricks"}
    fewest = 4
    most = 6

    def least_carry(self, rules: game.HouseRules) -> int:
        """Return the ante."""
        assert isinstance(rules, EnduranceRules)
        return rules.ante

    def begin(self, rules: game.HouseRules, table: game.Table, order: tuple[int, ...], stock: Stock) -> deal.Begun:
        """Deal; the dealer's last card is shown and taken back [endurance Play 1]."""
        assert isinstance(rules, EnduranceRules)
        hands, record = deal.deal(stock, order, CARDS_EACH[len(order)])
        button = order[-1]
        card = hands[button][-1]
        round_ = EnduranceRound(
            rules=rules,
            carry=deal.carry_of(table, order),
            button=button,
            order=order,
            hands=hands,
            stock=stock,
            trump=card[1],
            trump_card=card,
            table_pot=table.pot,
        )
        shown = [Shown(owner=button, zone="hand", cards=(card,)), Noted("trump", facts={"trump": card[1]})]
        return round_, [*ante_pot.staked(rules.ante, order), *record, *shown, *round_.begin_play(order[0])]

    def payouts(self, rules: game.HouseRules) -> tuple[game.Payout, ...]:
        """List the one payout: the antes."""
        assert isinstance(rules, EnduranceRules)
        return ante_pot.payouts(rules.ante, WINS)

    def greatest_win(self, rules: game.HouseRules) -> Text:
        """Return the antes of all others."""
        assert isinstance(rules, EnduranceRules)
        return ante_pot.greatest_win(rules.ante, rules)


GAME = Endurance()
