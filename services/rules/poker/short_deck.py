"""Short deck, 短牌德州撲克 (poker, short_deck): hold'em with 36 cards, in which a flush beats a full house."""

from typing import ClassVar

from services.rules.hand_history import HandHistory
from services.rules.kinds import Limit, Only
from services.rules.poker import blind_keys, keys, texas_holdem, words
from services.rules.poker.blind_game import BlindGame, FirstVersion
from services.rules.poker.house_rules import BlindRules, BoardRules
from services.rules.poker.stakes import BlindRound, FirstBlindRound
from services.rules.poker.streets import Step
from services.rules.ranking import short_deck
from services.rules.ranking.ladder import Ladder
from services.rules.text import Text


class Rules(BoardRules, frozen=True, kw_only=True):
    """Keys of the game: with ``button_blind`` every seat antes and the button alone has a blind [short_deck D2]."""

    forced_bets: keys.ForcedBets = keys.BLINDS

    @property
    def by_button(self) -> bool:
        """Return whether the button alone has a blind."""
        return self.forced_bets == keys.BUTTON_BLIND

    @property
    def small(self) -> int:
        """The small blind, in chips; 0 where the button alone has a blind."""
        return 0 if self.by_button else super().small


class Hand(BlindRound, kw_only=True):
    """A hand: the best five of two own and five table cards of the short deck."""

    rules: Rules
    streets: ClassVar[tuple[Step, ...]] = texas_holdem.Hand.streets
    ladders: ClassVar[tuple[Ladder, ...]] = (short_deck.ShortDeck(),)

    def big_blind_position(self) -> int:
        """Return the position of the big blind: the button's, where it alone has a blind."""
        return len(self.order) - 1 if self.rules.by_button else super().big_blind_position()

    def blinds(self) -> tuple[tuple[int, str, int], ...]:
        """List the blinds; without a small one where the button alone has a blind."""
        return super().blinds()[1:] if self.rules.by_button else super().blinds()


class ShortDeckHoldem(BlindGame):
    """Short deck."""

    id = "short_deck"
    name = Text(en="Short deck", zh_hant="短牌德州撲克", zh_hans="短牌德州扑克")
    summary = words.joined(
        Text(
            en="Hold'em with 36 cards, sixes to aces: two hole cards each, five table cards (three, one, one), four "
            "betting rounds. The best five of the seven cards win. From low to high: high card, one pair, two pair, "
            "three of a kind, straight (A-6-7-8-9 is the lowest), full house, flush, four of a kind, straight flush. "
            "Where the table says so, every seat antes and the button alone posts a blind, instead of two blinds.",
            zh_hant="只用6至A共36張牌的德州撲克：每人兩張底牌，公牌依序三張、一張、一張，共四輪下注，由七張中任選五張，牌面最大者"
            "獲勝。牌型由小到大：無爛、一對、二對、三條、順子（A6789最小）、葫蘆、同花、鐵支、同花順。該桌若如此設定，則"
            "不下兩個盲注，改為每人下底注、莊家另下一個盲注。",
            zh_hans="只用6至A共36张牌的德州扑克：每人两张底牌，公牌依序三张、一张、一张，共四轮下注，由七张中任选五张，牌面最大者"
            "获胜。牌型由小到大：无烂、一对、二对、三条、顺子（A6789最小）、葫芦、同花、铁支、同花顺。该桌若如此设定，则"
            "不下两个盲注，改为每人下底注、庄家另下一个盲注。",
        ),
        words.PLAIN,
        words.MONEY_RULES,
        words.CHECK_OR_FOLD,
        words.MALFUNCTION,
    )
    terms = texas_holdem.GAME.terms
    words: ClassVar[dict[str, Text]] = texas_holdem.GAME.words
    pack = short_deck.PACK_36
    rules_type = Rules
    round_type = Hand
    hand_history = HandHistory(phh="S", ohh="Holdem")
    most = 10
    flop = True

    def limits(self, rules: BlindRules) -> dict[str, Limit]:
        """Return also that the button moves and nobody straddles where the button alone has a blind."""
        found = super().limits(rules)
        if not rules.by_button:
            return found
        return {**found, "button": Only((blind_keys.MOVING,)), "straddle": Only((blind_keys.OFF,))}


class FirstHand(FirstBlindRound, Hand, kw_only=True):
    """A hand of version 1 [poker D20]."""


class FirstShortDeckHoldem(FirstVersion, ShortDeckHoldem):
    """Version 1 [poker D20]."""

    round_type = FirstHand


GAME = ShortDeckHoldem()
PAST = (FirstShortDeckHoldem(),)
