"""Big Two · 大老二 (climbing, ``big_two``): four seats, singles to hands of five; the first without cards is paid."""

from typing import Any, Final

from services.rules import chips, game, keys
from services.rules.cards import face_down
from services.rules.climbing.game import COMMON, ClimbingGame, cards_left, joined
from services.rules.climbing.play import Plays
from services.rules.climbing.round import HAND, ClimbingRound
from services.rules.happenings import Dealt, Happening
from services.rules.kinds import Limit, Range
from services.rules.outcomes import Claim, Outcome, Stake
from services.rules.phases import Step
from services.rules.ranking import big_two
from services.rules.ranking.combination import Combinations
from services.rules.text import Text
from services.rules.vocabulary import Terms

SEATS: Final = 4
CARDS_EACH: Final = 13
MANY: Final = 10
"""Cards from which on each that is left counts twice; it counts three times where none was played."""
MOST_BASE: Final = 10**12
"""With the greatest penalty a claim stays below the most chips that the house takes at once."""

WON: Final = Text("winner", "贏家", "赢家")
WORDS: Final[dict[str, Text]] = {
    **COMMON,
    "playing": Text("in play", "進行中", "进行中"),
    "first": Text("leads first", "先出", "先出"),
    "held": Text("cards left", "剩餘張數", "剩余张数"),
    "penalty": Text("cards left in the hand", "剩牌", "剩牌"),
    "pair": Text("pair", "對子", "对子"),
    "straight": Text("straight", "順子", "顺子"),
    "flush": Text("flush", "同花", "同花"),
    "full_house": Text("full house", "葫蘆", "葫芦"),
    "four_one": Text("four with one", "鐵支", "铁支"),
    "straight_flush": Text("straight flush", "同花順", "同花顺"),
}


class BigTwoRules(game.HouseRules, frozen=True, kw_only=True):
    """House rules: ``base`` chips for each card of the penalty."""

    base: keys.Base = 10
    min_seats: int = SEATS
    max_seats: int = SEATS


def penalty(left: int) -> int:
    """Return what a hand of so many cards counts: once each, from ten on twice, all thirteen three times."""
    return left * (3 if left == CARDS_EACH else 2 if left >= MANY else 1)


def deal(round_: "BigTwoRound", log: list[Happening]) -> None:
    """Deal all cards one at a time; the seat with the lowest card leads with it [big_two Play 1, Play 2]."""
    around = round_.stock.deal_around(SEATS, CARDS_EACH)
    for seat, (positions, hand) in zip(round_.hands, around, strict=True):
        round_.hands[seat] = hand
        log.append(Dealt(seat, HAND, 0, positions, face_down(CARDS_EACH)))
        if big_two.LOWEST in hand:
            round_.first = round_.turn = seat
    round_.opening = big_two.LOWEST


def pay(round_: "BigTwoRound", log: list[Happening]) -> None:
    """End the round: every other seat owes the winner for the cards that it was left with."""
    winner, base = round_.empty_handed(), round_.rules.base
    owed = {seat: base * penalty(len(round_.hands[seat])) for seat in chips.to_the_left(round_.carry, winner)[:-1]}
    outcome = Outcome(
        claims=tuple(Claim(seat, winner, amount, "penalty") for seat, amount in owed.items()),
        stakes=tuple(
            Stake(seat, "penalty", most := min(amount, round_.carry[seat]), most) for seat, amount in owed.items()
        ),
        facts={"winner": [winner], **round_.facts()},
        button=round_.button,
    )
    round_.end(outcome, log)


class BigTwoRound(ClimbingRound[BigTwoRules], kw_only=True):
    """A deal of Big Two; ``first`` held the lowest card and leads."""

    phases = (Step(run=deal), Plays(), Step(run=pay))

    first: int = 0

    def combinations(self) -> Combinations:
        """Return the game's combinations."""
        return big_two.COMBINATIONS

    def status(self, _seat: int) -> str:
        """Return the one status that there is."""
        return "playing"

    def facts(self) -> dict[str, Any]:
        """Return who led first, and how many cards each seat holds."""
        return {"first": self.first, "held": {seat: len(self.hands[seat]) for seat in sorted(self.hands)}}

    def in_words(self, seat: int) -> Text:
        """Return the winner, or the cards that a seat was left with and what they count."""
        left = len(self.hands[seat])
        if not left:
            return WON
        counts = penalty(left)
        return joined(cards_left(left), Text(f"counting {counts}", f"計{counts}", f"计{counts}"))


class BigTwo(ClimbingGame[BigTwoRules, BigTwoRound]):
    """Big Two."""

    id = "big_two"
    name = Text("Big Two", "大老二", "大老二")
    summary = Text(
        en=(
            "Four players, thirteen cards each. The holder of the three of diamonds leads, with a play that holds it. "
            "Singles, pairs, triples and hands of five are played; each next player beats the last play with a higher "
            "one of as many cards, or passes and may play again later. After three passes in a row the last to play "
            "leads anything. Ranks go from 3 up to ace and 2, suits from diamonds over clubs and hearts to spades. "
            "Hands of five from low to high: straight (without a 2), flush, full house, four with one, straight flush. "
            "The first player without cards wins and is paid by each other the base for each card left: twice with ten "
            "or more left, three times with all thirteen. At the deadline a player passes; one who leads plays the "
            "lowest single. A lost connection is treated the same way. If a malfunction occurs, the round is void and "
            "all chips are returned."
        ),
        zh_hant=(
            "四人，每人十三張。持有方塊3者先出，首次出牌須含方塊3。可出單張、對子、三條或五張牌型；下家須以同張數的更大牌"
            "壓過，或選擇「過」，之後仍可再出。連續三家過後，最後出牌者可任意出牌。點數由3至A、2遞增，花色由方塊、梅花、"
            "紅心至黑桃遞增。五張牌型由小到大：順子（不含2）、同花、葫蘆、鐵支、同花順。先出完手牌者獲勝，其他人每剩一張付"
            "一份底注；剩十張以上加倍，十三張全剩則三倍。逾時視為過，領牌時自動打出最小的單張；斷線亦同。若系統故障，本局"
            "作廢，所有籌碼退回。"
        ),
        zh_hans=(
            "四人，每人十三张。持有方块3者先出，首次出牌须含方块3。可出单张、对子、三条或五张牌型；下家须以同张数的更大牌"
            "压过，或选择“过”，之后仍可再出。连续三家过后，最后出牌者可任意出牌。点数由3至A、2递增，花色由方块、梅花、"
            "红心至黑桃递增。五张牌型由小到大：顺子（不含2）、同花、葫芦、铁支、同花顺。先出完手牌者获胜，其他人每剩一张付"
            "一份底注；剩十张以上加倍，十三张全剩则三倍。逾时视为过，领牌时自动打出最小的单张；断线亦同。若系统故障，本局"
            "作废，所有筹码退回。"
        ),
    )
    terms = Terms(
        phase="play ended",
        zone="hand played",
        status="playing",
        reason="penalty",
        action="play pass",
        argument="cards",
        word=" ".join((*big_two.SAME.values(), *big_two.FIVES)),
        happening="played passed",
        fact="first held winners cards combination cards_left",
    )
    words = WORDS
    rules_type = BigTwoRules
    round_type = BigTwoRound
    fewest = most = SEATS

    def limits(self, rules: BigTwoRules) -> dict[str, Limit]:
        """Return also the bound of ``base``."""
        return {**super().limits(rules), "base": Range(1, MOST_BASE)}

    def least_carry(self, rules: BigTwoRules) -> int:
        """Return the base, what one card left costs."""
        return rules.base

    def payouts(self, rules: BigTwoRules) -> tuple[game.Payout, ...]:
        """List what a hand that is left pays."""
        wins = Text("the first without cards: from each other", "先出完手牌：其他人各付", "先出完手牌：其他人各付")
        return (game.Payout("penalty", wins, f"{rules.base} × cards (× 2 from {MANY}, × 3 with {CARDS_EACH})"),)

    def greatest_win(self, rules: BigTwoRules) -> Text:
        """Return what three whole hands pay."""
        most = (SEATS - 1) * penalty(CARDS_EACH) * rules.base
        capped = rules.win_cap == "stake"
        return Text(
            f"{most} chips; never more than the losers' chips" + (" and the seat's own carry" if capped else ""),
            f"{most} 籌碼；不超過輸家的籌碼" + ("，也不超過自己的帶入" if capped else ""),
            f"{most} 筹码；不超过输家的筹码" + ("，也不超过自己的带入" if capped else ""),
        )


GAME = BigTwo()
