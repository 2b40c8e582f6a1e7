"""San gong against a banker (三公 搶莊/輪莊): the bank is given, multiples are chosen, hands are compared."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Final

import msgspec

from services.rules import actions, chips, happenings, keys
from services.rules.banker import duels, words
from services.rules.banker import keys as banker_keys
from services.rules.banker.bank import BANKER, BY_HOUSE, BY_SEAT, Bank, BankRules, last_banker, still_banks
from services.rules.banker.family import BankerGame
from services.rules.banker.hands import Hand
from services.rules.banker.payouts import Payouts
from services.rules.banker.table import BankRound
from services.rules.banker.windows import Reveal
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.common_keys import ACTIVITY_FEE_BPS
from services.rules.game import Payout, Table
from services.rules.happenings import Happening, Noted, Staked
from services.rules.offers import OneOf, Option
from services.rules.phases import Phase
from services.rules.ranking import san_gong
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_ranked

GRAB: Final = "grab"
ROTATE: Final = "rotate"
MULTIPLES: Final = "multiples"
"""Phases: all bid at once, or one is asked after the other; all but the banker choose multiples."""

FREE_BANK: Final = "free_bank"
"""Key of the memory: the bank must be grabbed again (the last banker had 0 points)."""

MULTIPLIERS: Final = {"da": 5, "xiao": 4, "hun": 3, "7-9": 2, "0-6": 1}
"""Multiplier of each category, from the highest [san_gong_banker D4]."""

CARDS: Final = 3
PREVIEW_OF_GRAB: Final = 2
SEAT: Final = "seat"


class SanGongBankerRules(BankRules, frozen=True, kw_only=True):
    """House rules; ``preview_cards`` left out is 2 in ``grab`` and 0 in ``rotate``."""

    players: ClassVar[tuple[int, int]] = (1, 5)

    banker: str = BY_SEAT
    fee_bps: int = ACTIVITY_FEE_BPS
    win_cap: str = "stake"
    bank_mode: banker_keys.BankMode = GRAB
    preview_cards: banker_keys.PreviewCards = None
    base: keys.Base = 10
    multiples: keys.Multiples = (1, 2, 3, 4, 5)
    multipliers: Annotated[dict[str, int], keys.multipliers(MULTIPLIERS)] = msgspec.field(default_factory=dict)

    def __post_init__(self) -> None:
        """Fill in the sheet's multipliers and the preview of the mode."""
        super().__post_init__()
        msgspec.structs.force_setattr(self, "multipliers", {**MULTIPLIERS, **self.multipliers})
        if self.preview_cards is None:
            preview = PREVIEW_OF_GRAB if self.bank_mode == GRAB and self.banker == BY_SEAT else 0
            msgspec.structs.force_setattr(self, "preview_cards", preview)

    def preview(self) -> int:
        """Return the number of cards that the seats see before they bid; none with the house's bank."""
        return 0 if self.banker == BY_HOUSE else self.preview_cards or 0


def counter_clockwise(seats: Sequence[int], start: int | None) -> list[int]:
    """Order seats counter-clockwise from a seat: itself, the next lower one and so on; None: from the highest."""
    falling = sorted(seats, reverse=True)
    if start is None:
        return falling
    return [seat for seat in falling if seat <= start] + [seat for seat in falling if seat > start]


def drawn(round_: "SanGongBankerRound", chance: Chance) -> int:
    """Draw the banker where nobody asked for the bank."""
    return chance.pick(sorted(round_.carry), SEAT)


class Preview(Phase["SanGongBankerRound"], frozen=True):
    """The cards that the seats see before they bid; who keeps the bank has it at once."""

    def begin(self, round_: "SanGongBankerRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal the preview."""
        round_.hands = {seat: Hand() for seat in round_.players}
        if round_.rules.preview():
            log.append(happenings.Phase("deal"))
            round_.deal_to_seats(counter_clockwise(round_.players, round_.button), round_.rules.preview(), log)
        if round_.holder is not None:
            round_.give_bank(round_.holder, log)
        return False


class Bidding(Phase["SanGongBankerRound"], frozen=True):
    """The bank is given: in ``grab`` all bid at once, in ``rotate`` one seat is asked after the other."""

    def begin(self, round_: "SanGongBankerRound", chance: Chance, log: list[Happening]) -> bool:
        """Ask for bids, unless the bank is given already, or in the other way."""
        rules = round_.rules
        if rules.banker == BY_HOUSE or round_.bank.seat is not None or rules.bank_mode != self.name:
            return False
        log.append(happenings.Phase(self.name))
        if self.name == ROTATE:
            log.append(Noted("turn", round_.to_ask[0]))
        return True

    def asked(self, round_: "SanGongBankerRound") -> Sequence[int]:
        """Return the seats that have not yet answered whether they want the bank."""
        if self.name == ROTATE:
            return round_.to_ask[:1]
        return [seat for seat in round_.players if seat not in round_.bids]

    def options(self, round_: "SanGongBankerRound", seat: int) -> list[Option]:
        """List bid and pass."""
        return [Option("bid_banker"), Option("pass")] if seat in self.asked(round_) else []

    def verify(self, round_: "SanGongBankerRound", seat: int, action: actions.Action) -> None:
        """Test a bid or a pass."""
        if not isinstance(action, actions.BidBanker | actions.Pass):
            raise round_.not_now(seat, action)
        if seat not in self.asked(round_):
            if self.name == ROTATE:
                message = f"seat {round_.to_ask[0]} is asked now, not seat {seat}"
                raise Refused(Reason.OUT_OF_TURN, message, metadata={"turn": round_.to_ask[0]})
            raise round_.not_now(seat, action)

    def do(
        self, round_: "SanGongBankerRound", seat: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Take a bid or a pass; the last one gives the bank."""
        wants = isinstance(action, actions.BidBanker)
        log.append(Noted("bid_banker" if wants else "pass", seat))
        if self.name == GRAB:
            round_.bids[seat] = wants
            if len(round_.bids) < len(round_.carry):
                return False
            round_.give_bank(self.richest(round_, chance), log)
            return True
        if wants:
            round_.give_bank(seat, log)
            return True
        round_.to_ask.pop(0)
        if not round_.to_ask:
            round_.give_bank(drawn(round_, chance), log)
            return True
        round_.clock += 1
        log.append(Noted("turn", round_.to_ask[0]))
        return False

    def richest(self, round_: "SanGongBankerRound", chance: Chance) -> int:
        """Return the richest bidder; of equal ones the first to the left of the button; without bids draw a seat.

        Source: [san_gong_banker D2].
        """
        bidders = [seat for seat, bid in round_.bids.items() if bid]
        if not bidders:
            return drawn(round_, chance)
        left_of = -1 if round_.button is None else round_.button
        return max(chips.to_the_left(bidders, left_of), key=lambda seat: round_.carry[seat])

    def forced(self, round_: "SanGongBankerRound", seat: int) -> actions.AnyAction:
        """Pass."""
        return actions.Pass()


class Multiples(Phase["SanGongBankerRound"], frozen=True):
    """All but the banker choose their multiples, all at once."""

    time = "bet_seconds"

    name: str = MULTIPLES

    def asked(self, round_: "SanGongBankerRound") -> Sequence[int]:
        """List the seats that have still to choose."""
        return [seat for seat in round_.players if seat not in round_.multiples]

    def options(self, round_: "SanGongBankerRound", seat: int) -> list[Option]:
        """List the multiples."""
        able = seat in self.asked(round_)
        return [Option("bet_multiple", {"multiple": OneOf(round_.rules.multiples)})] if able else []

    def verify(self, round_: "SanGongBankerRound", seat: int, action: actions.Action) -> None:
        """Test a multiple."""
        if not isinstance(action, actions.BetMultiple) or seat not in self.asked(round_):
            raise round_.not_now(seat, action)
        if action.multiple not in round_.rules.multiples:
            right = ", ".join(map(str, round_.rules.multiples))
            message = f"{action.multiple} is not a multiple here; choose one of {right}"
            raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"choices": right})

    def do(
        self, round_: "SanGongBankerRound", seat: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Take a multiple; the last one closes the window."""
        if isinstance(action, actions.BetMultiple):
            round_.multiples[seat] = action.multiple
            log.append(Staked(seat, "multiple", round_.rules.base * action.multiple))
        return len(round_.multiples) == len(round_.players)

    def forced(self, round_: "SanGongBankerRound", seat: int) -> actions.AnyAction:
        """Take the first multiple."""
        return actions.BetMultiple(round_.rules.multiples[0])


class DealRest(Phase["SanGongBankerRound"], frozen=True):
    """The missing cards are dealt counter-clockwise from the banker."""

    def begin(self, round_: "SanGongBankerRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal."""
        order: list[int | None] = list(counter_clockwise(list(round_.carry), round_.bank.seat))
        order = [None, *order] if round_.bank.seat is None else order
        log.append(happenings.Phase("deal"))
        round_.deal_to_seats(order, CARDS - round_.rules.preview(), log)
        return False


class Compare(Phase["SanGongBankerRound"], frozen=True):
    """Each hand meets the banker's; two hands are never equal."""

    def begin(self, round_: "SanGongBankerRound", chance: Chance, log: list[Happening]) -> bool:
        """Settle by base, multiple and the winner's multiplier."""
        bank = san_gong.online(round_.bank_hand.cards)
        round_.zero_points = bank.points == 0
        log.append(Noted("hand", round_.bank.seat, {"category": bank.category, "points": bank.points}))
        payouts, times = round_.new_payouts(), round_.rules.multipliers
        for seat in round_.players:
            own, unit = san_gong.online(round_.hands[seat].cards), round_.rules.base * round_.multiples[seat]
            log.append(Noted("hand", seat, {"category": own.category, "points": own.points}))
            staked = round_.staked_by(seat)
            if own.key > bank.key:
                payouts.won(seat, "multiple", staked, unit * times[own.category], own.category)
            else:
                payouts.lost(seat, "multiple", staked, unit * times[bank.category], bank.category)
        round_.finish(payouts, log)
        return False


class SanGongBankerRound(BankRound[SanGongBankerRules], kw_only=True):
    """``players`` are all seats of the round until the bank is given, then all but the banker.

    ``button`` is the last banker until then. ``holder``: the seat that keeps the bank; ``to_ask``: in rotate the seats
    still to be asked; ``bids``: who asked for the bank; ``multiples`` by seat; ``zero_points``: whether the banker's
    hand had 0 points.
    """

    apart = "multiple"
    phases = (Preview(), Bidding(GRAB), Bidding(ROTATE), Multiples(), DealRest(), Reveal(), Compare())

    holder: int | None = None
    to_ask: list[int] = msgspec.field(default_factory=list)
    bids: dict[int, bool] = msgspec.field(default_factory=dict)
    multiples: dict[int, int] = msgspec.field(default_factory=dict)
    zero_points: bool = False

    def give_bank(self, seat: int, log: list[Happening]) -> None:
        """Make a seat the banker."""
        self.bank = Bank(seat)
        self.button = seat
        self.players = [other for other in chips.to_the_left(self.carry, seat) if other != seat]
        self.bank_hand = self.hands.pop(seat)
        log.append(Noted("banker", seat))

    def deal_to_seats(self, order: Sequence[int | None], count: int, log: list[Happening]) -> None:
        """Deal ``count`` cards each, one at a time, in this order."""
        banks = (None, self.bank.seat)
        self.deal([(seat, self.bank_hand if seat in banks else self.hands[seat or 0]) for seat in order], log, count)

    def cost(self, seat: int, action: actions.Action) -> int:
        """Return the stake that a multiple makes."""
        multiple = action.multiple if isinstance(action, actions.BetMultiple) else 0
        return min(self.rules.base * multiple, self.carry[seat])

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return a whole hand's category, or its points."""
        del owner, zone
        return of_ranked(san_gong.online(cards)) if len(cards) == CARDS else None

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Keep the banker, and whether the bank must be grabbed again."""
        del counts
        return {BANKER: self.bank.seat, FREE_BANK: self.zero_points}

    def result(self, payouts: Payouts) -> dict[str, Any]:
        """Return the banker."""
        del payouts
        return {"banker": self.party()}

    def staked_by(self, seat: int) -> int:
        """Count the base times the multiple, or all that the seat brought if that is less."""
        return min(self.rules.base * self.multiples.get(seat, 0), self.carry[seat])

    def status(self, seat: int) -> str:
        """Return the status of a seat: banker, still to decide, or asked for the bank."""
        if seat == self.bank.seat:
            return "banker"
        if self.outcome is None and seat in self.current.asked(self):
            return "turn"
        if self.phase == GRAB:
            return "bidder" if self.bids[seat] else "passed"
        return "bet" if seat in self.multiples else "waiting"

    def facts(self) -> dict[str, Any]:
        """Return the banker once there is one."""
        return {} if self.bank.seat is None else {"banker": self.bank.seat}


WINS: Final = {"da": 221_040, "xiao": 735_760, "hun": 3_814_680, "7-9": 101_702_424, "0-6": 97_111_296}
"""In how many pairs of hands one hand wins with each category; the other wins as often."""
PAIRS_OF_HANDS: Final = 407_170_400
"""Player's and banker's hands together: 22 100 × 18 424."""


class SanGongBanker(BankerGame[SanGongBankerRules, SanGongBankerRound]):
    """三公 搶莊/輪莊."""

    id = "san_gong_banker"
    name = Text("San gong against a banker", "三公（搶莊／輪莊）", "三公（抢庄／轮庄）")
    rules_type = SanGongBankerRules
    round_type = SanGongBankerRound
    summary = words.paragraphs(
        Text(
            "Grab: every seat sees two cards, then all decide at the same time whether to ask for the bank. The "
            "seat with the most chips among those that ask becomes the banker, and keeps the bank until its hand "
            "has 0 points. Rotate: the seats are asked in turn to take the bank, and it changes every round. If "
            "nobody wants the bank, the banker is drawn by lot; a seat that does not answer in time declines. The "
            "other seats choose a multiple (the first one at the deadline). Then hands are filled up to three "
            "cards and compared with the banker's: points 0 to 9 (10 J Q K count nothing) < three court cards < "
            "three of a rank < three equal court cards; at equal points more court cards, then the highest card, "
            "then its suit decide. The winner gets base × multiple × the multiplier of its hand. A banker that "
            "cannot pay in full pays all it has, in proportion.",
            "搶莊：每家先看兩張，同時選擇搶莊或不搶，選擇搶莊的玩家中籌碼最多者作莊，直到莊家摸到0點才重新搶莊。輪"
            "莊：依次詢問是否作莊，每局換莊。無人作莊則隨機選定。閒家選擇押注倍數（逾時取第一個）；未回應搶莊視為不"
            "搶。補足三張後與莊家比牌：點數0至9（10、J、Q、K為零點）＜混三公＜小三公＜大三公；同點時比公牌數，再比"
            "最大單張及其花色。贏家得底注×倍數×牌型倍數。莊家不夠賠時按比例賠付。",
            "抢庄：每家先看两张，同时选择抢庄或不抢，选择抢庄的玩家中筹码最多者作庄，直到庄家摸到0点才重新抢庄。轮"
            "庄：依次询问是否作庄，每局换庄。无人作庄则随机选定。闲家选择押注倍数（逾时取第一个）；未回应抢庄视为不"
            "抢。补足三张后与庄家比牌：点数0至9（10、J、Q、K为零点）＜混三公＜小三公＜大三公；同点时比公牌数，再比"
            "最大单张及其花色。赢家得底注×倍数×牌型倍数。庄家不够赔时按比例赔付。",
        ),
        words.MALFUNCTION,
    )
    terms = words.SPOT_BETS + Terms(
        phase=f"{GRAB} {ROTATE} {MULTIPLES} deal showdown ended",
        zone="hand bank",
        status="banker turn bidder passed bet waiting",
        reason=" ".join(("multiple", *MULTIPLIERS)),
        action="bid_banker pass bet_multiple",
        argument="multiple",
        word=" ".join(MULTIPLIERS),
        happening="banker bid_banker pass turn hand",
        fact="banker house_banks bank_is_free hand points",
    )
    words = words.COMMON | {
        GRAB: Text("grab the bank", "搶莊", "抢庄"),
        ROTATE: Text("offer of the bank", "輪莊", "轮庄"),
        MULTIPLES: Text("choice of multiples", "選擇倍數", "选择倍数"),
        "multiple": Text("multiple", "倍數", "倍数"),
        "bid_banker": Text("asks for the bank", "搶莊", "抢庄"),
        "bidder": Text("has asked for the bank", "已搶莊", "已抢庄"),
        "bet_multiple": Text("choose a multiple", "選擇倍數", "选择倍数"),
        "points": Text("points", "點數", "点数"),
        "da": Text("three equal court cards", "大三公", "大三公"),
        "xiao": Text("three of a rank", "小三公", "小三公"),
        "hun": Text("three court cards", "混三公", "混三公"),
        "7-9": Text("7 to 9 points", "7至9點", "7至9点"),
        "0-6": Text("0 to 6 points", "0至6點", "0至6点"),
    }

    def open(
        self, rules: SanGongBankerRules, table: Table, chance: Chance
    ) -> tuple[SanGongBankerRound, list[Happening]]:
        """Seat everybody with chips, and determine the banker or the seats that may bank."""
        inside = [seat for seat in sorted(table.chips) if table.chips[seat] > 0]
        by_house = rules.banker == BY_HOUSE
        if len(inside) < (1 if by_house else 2):
            message = "too few seats have chips for a round; add chips first"
            needed = {"seats": len(inside), "needed": 1 if by_house else 2, "chips": 1}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=needed)
        round_, log = super().open(rules, table, chance)
        if by_house:
            return round_, log
        last = last_banker(table)
        first = min(table.chips) if table.first_button is None else table.first_button
        round_.button = first if last is None else last
        if rules.bank_mode == GRAB:
            keeps = last is not None and still_banks(table, last) and not table.memory.get(FREE_BANK, False)
            round_.holder = last if keeps else None
        else:
            first_asked = chance.pick(inside, SEAT) if last is None else chips.to_the_left(inside, last)[0]
            round_.to_ask = chips.to_the_left(round_.players, first_asked - 1)
        return round_, log

    def best_returns(self, rules: SanGongBankerRules) -> dict[str, Fraction]:
        """Return what a multiple returns; more than 1 where wins are not capped, for any carry will do to lose less."""
        return {"multiple": duels.best_return(rules, rules.multipliers, WINS, PAIRS_OF_HANDS, cover=0)}

    def payouts(self, rules: SanGongBankerRules) -> tuple[Payout, ...]:
        """List what a win with each category pays on base times multiple; the banker wins at the same multipliers."""
        return tuple(Payout("multiple", self.words[name], f"{times}:1") for name, times in rules.multipliers.items())

    def greatest_win(self, rules: SanGongBankerRules) -> Text:
        """Return what a seat can win at most."""
        most = rules.base * max(rules.multiples) * max(rules.multipliers.values())
        return Text(
            f"{most} chips as a player, and the same from each player as the banker, before the fee; with a "
            "win cap, at most the chips held at the start.",
            f"閒家最多贏{most}；莊家最多向每位閒家各贏{most}，未扣活動費；該桌設有贏額上限時，不超過本局帶入的籌碼。",
            f"闲家最多赢{most}；庄家最多向每位闲家各赢{most}，未扣活动费；该桌设有赢额上限时，不超过本局带入的筹码。",
        )


GAME = SanGongBanker()
