"""Endurance (tricks, ``endurance``): the winner of a trick draws a card, the last seat with cards wins."""

from typing import Any, ClassVar, Final

import msgspec

from services.rules import ante_pot, game, keys
from services.rules.happenings import Happening, Noted
from services.rules.phases import Step
from services.rules.text import Text
from services.rules.tricks import deal, texts
from services.rules.tricks.game import TrickGame
from services.rules.tricks.play import Tricks
from services.rules.tricks.round import TrickRound
from services.rules.vocabulary import Terms

NAME: Final = Text("Endurance", "持久戰", "持久战")

SUMMARY: Final = texts.summary(
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
    **texts.COMMON,
    **ante_pot.WORDS,
    "winner": Text("winner", "贏家", "赢家"),
    "turned": Text("card that shows trumps", "王牌指示牌", "王牌指示牌"),
}

TERMS: Final = texts.TERMS + Terms(
    phase="play",
    status="out",
    reason="ante",
    word=texts.SUITS,
    happening="out trump winner",
    fact="out trump turned tricks winners",
)

WINS: Final = Text("the last seat that holds cards", "最後持有手牌的玩家", "最后持有手牌的玩家")


CARDS_EACH: Final = {4: 6, 5: 5, 6: 4}
"""Cards dealt to each seat, by the number of seats [endurance Play 1]."""


class EnduranceRules(game.HouseRules, frozen=True, kw_only=True):
    """House rules: ``ante`` chips of each seat; with 0 only the winner is recorded [endurance D1]."""

    ante: keys.FreeAnte = 0
    min_seats: int = 4
    max_seats: int = 6


def open_round(round_: "EnduranceRound", log: list[Happening]) -> None:
    """Take the antes and deal; the dealer's last card is shown and taken back [endurance Play 1]."""
    order = round_.order
    log += ante_pot.staked(round_.rules.ante, order)
    log += deal.deal(round_, CARDS_EACH[len(order)])
    deal.show_last(round_, log)


class Play(Tricks["EnduranceRound"], frozen=True):
    """Tricks until one seat alone holds cards."""

    def won(self, round_: "EnduranceRound", winner: int, log: list[Happening]) -> int | None:
        """Draw for the winner, then put out the seats without cards, in the order of playing.

        Source: [endurance Play 3, D2, D4].
        """
        assert round_.stock, "the stock outlasts the round [endurance D3]"
        log.append(round_.draw(winner))
        for laid in round_.last_trick:
            if not round_.hands[laid.seat]:
                round_.eliminated.append(laid.seat)
                log.append(Noted("out", seat=laid.seat))
        return winner if len(round_.holding()) > 1 else None


def end(round_: "EnduranceRound", log: list[Happening]) -> None:
    """Let the last seat with cards win the antes [endurance Play 4]."""
    (winner,) = round_.holding()
    log.append(Noted("winner", seat=winner))
    facts = {"winner": winner, **round_.facts()}
    round_.end(ante_pot.outcome(round_.rules.ante, round_.order, [winner], round_.order[-1], facts=facts), log)


class EnduranceRound(TrickRound[EnduranceRules], kw_only=True):
    """``eliminated``: seats that are out, in that order; ``turned``: what the dealer showed."""

    phases = (Step(run=open_round), Play(), Step(run=end))

    eliminated: list[int] = msgspec.field(default_factory=list)

    def facts(self) -> dict[str, Any]:
        """Return the seats that are out, in order, and the number of tricks played."""
        return {"eliminated": list(self.eliminated), "tricks": self.number}

    def public_facts(self) -> dict[str, Any]:
        """Add the card that the dealer showed."""
        return {**super().public_facts(), "turned": self.turned}

    def status(self, seat: int, _viewer: int | None) -> str:
        """Return the status of a seat: out, or in."""
        return "out" if seat in self.eliminated else "playing"

    def pots(self) -> tuple[int, ...]:
        """Return the antes."""
        return ante_pot.pot(self.rules.ante, self.order)

    def staked(self, _seat: int) -> int:
        """Return the ante."""
        return self.rules.ante

    def in_words(self, seat: int) -> Text:
        """Return whether a seat lasted, and its tricks."""
        lasted = WORDS["out"] if seat in self.eliminated else WORDS["winner"]
        return texts.listed(lasted, texts.tricks(self.tricks.get(seat, 0)))


class Endurance(TrickGame[EnduranceRules, EnduranceRound]):
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

    def least_carry(self, rules: EnduranceRules) -> int:
        """Return the ante."""
        return rules.ante

    def payouts(self, rules: EnduranceRules) -> tuple[game.Payout, ...]:
        """List the one payout: the antes."""
        return ante_pot.payouts(rules.ante, WINS)

    def greatest_win(self, rules: EnduranceRules) -> Text:
        """Return the antes of all others."""
        return ante_pot.greatest_win(rules.ante, rules)


GAME = Endurance()
