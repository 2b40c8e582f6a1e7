"""San gong against a banker (三公 搶莊/輪莊): the bank is given, multiples are chosen, hands are compared."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from services.rules import actions, chips
from services.rules.banker import duels, words
from services.rules.banker.bank import BANKER, BY_HOUSE, Bank, last_banker, still_banks
from services.rules.banker.engine import SHOWDOWN, open_round
from services.rules.banker.family import BankerGame
from services.rules.banker.grabbed_bank import (
    CARDS,
    FREE_BANK,
    GRAB,
    MULTIPLIERS,
    ROTATE,
    SEAT,
    GrabbedBankRound,
    SanGongBankerRules,
    counter_clockwise,
)
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.game import HouseRules, Payout, Round, Table
from services.rules.happenings import Decided, Happening, Noted, Phase, Staked
from services.rules.offers import OneOf, Option, Waiting
from services.rules.ranking import san_gong
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_ranked

MULTIPLES: Final = "multiples"
"""Phase in which all but the banker choose their multiples."""


class SanGongBankerRound(GrabbedBankRound, kw_only=True):
    """``multiples`` by seat; ``zero_points``: whether the banker's hand had 0 points."""

    multiples: dict[int, int] = msgspec.field(default_factory=dict)
    zero_points: bool = False

    def bank_given(self) -> list[Happening]:
        """Open the choice of multiples for the other seats."""
        return self.enter(MULTIPLES)

    # -- moves ------------------------------------------------------------------------------------------------

    def to_decide(self) -> tuple[int, ...]:
        """List the seats that have still to decide."""
        if self.outcome is not None:
            return ()
        if self.phase != MULTIPLES:
            return super().to_decide()
        return tuple(seat for seat in self.players if seat not in self.multiples)

    def waiting(self) -> Waiting | None:
        """Wait for bids, or for multiples."""
        if self.outcome is not None:
            return None
        seconds = self.rules.bet_seconds if self.phase == MULTIPLES else self.rules.turn_seconds
        return Waiting(self.to_decide(), self.clock, seconds)

    def options(self, seat: int) -> list[Option]:
        """List bid and pass, or the multiples."""
        if seat not in self.to_decide():
            return []
        if self.phase == MULTIPLES:
            return [Option("bet_multiple", {"multiple": OneOf(self.rules.multiples)})]
        return [Option("bid_banker"), Option("pass")]

    def cost(self, seat: int, action: actions.Action) -> int:
        """Return the stake that a multiple makes."""
        multiple = action.multiple if isinstance(action, actions.BetMultiple) else 0
        return min(self.rules.base * multiple, self.carry[seat])

    def check(self, seat: int, action: actions.Action) -> None:
        """Test a bid, a pass or a multiple."""
        if self.phase != MULTIPLES:
            self.check_bid(seat, action)
            return
        if not isinstance(action, actions.BetMultiple) or seat not in self.to_decide():
            raise self.not_now(seat, action)
        if action.multiple not in self.rules.multiples:
            right = ", ".join(map(str, self.rules.multiples))
            message = f"{action.multiple} is not a multiple here; choose one of {right}"
            raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"choices": right})

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Take a bid, a pass or a multiple."""
        if not isinstance(action, actions.BetMultiple):
            return self.bid(seat, action, chance)
        self.multiples[seat] = action.multiple
        happened: list[Happening] = [Staked(seat, "multiple", self.rules.base * action.multiple)]
        return happened + self.deal_and_compare() if len(self.multiples) == len(self.players) else happened

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Pass for the seats asked for the bank, or take the first multiple."""
        happened: list[Happening] = []
        for seat in self.to_decide():
            action: actions.BetMultiple | actions.Pass = actions.Pass()
            if self.phase == MULTIPLES:
                action = actions.BetMultiple(self.rules.multiples[0])
            happened += [Decided(seat, action), *self.do(seat, action, chance)]
        return happened

    # -- showdown ---------------------------------------------------------------------------------------------

    def deal_and_compare(self) -> list[Happening]:
        """Deal the missing cards counter-clockwise from the banker, show all and compare."""
        order: list[int | None] = list(counter_clockwise(list(self.carry), self.bank.seat))
        order = [None, *order] if self.bank.seat is None else order
        happened: list[Happening] = [Phase("deal"), *self.deal_to_seats(order, CARDS - self.rules.preview())]
        happened += [Phase(SHOWDOWN), *self.show(self.takers())]
        bank = san_gong.online(self.bank_hand.cards)
        self.zero_points = bank.points == 0
        happened.append(Noted("hand", self.bank.seat, {"category": bank.category, "points": bank.points}))
        payouts = self.new_payouts()
        for seat in self.players:
            own, unit = san_gong.online(self.hands[seat].cards), self.rules.base * self.multiples[seat]
            happened.append(Noted("hand", seat, {"category": own.category, "points": own.points}))
            if own.key > bank.key:
                pays = unit * self.rules.multipliers[own.category]
                payouts.won(seat, "multiple", self.staked_by(seat), pays, own.category)
            else:
                owes = unit * self.rules.multipliers[bank.category]
                payouts.lost(seat, "multiple", self.staked_by(seat), owes, bank.category)
        return happened + self.finish(payouts, {"banker": "house" if self.bank.seat is None else self.bank.seat})

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return a whole hand's category, or its points."""
        del owner, zone
        return of_ranked(san_gong.online(cards)) if len(cards) == CARDS else None

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Keep the banker, and whether the bank must be grabbed again."""
        del counts
        return {BANKER: self.bank.seat, FREE_BANK: self.zero_points}

    # -- what is seen -----------------------------------------------------------------------------------------

    def staked_by(self, seat: int) -> int:
        """Count the base times the multiple, or all that the seat brought if that is less."""
        return min(self.rules.base * self.multiples.get(seat, 0), self.carry[seat])

    def status(self, seat: int) -> str:
        """Return the status of a seat: banker, still to decide, or asked for the bank."""
        if seat == self.bank.seat:
            return "banker"
        if seat in self.to_decide():
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


class SanGongBanker(BankerGame):
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
    terms = Terms(
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

    def open(self, rules: HouseRules, table: Table, chance: Chance) -> tuple[Round, list[Happening]]:
        """Seat everybody with chips, and determine the banker or the seats that may bank."""
        assert isinstance(rules, SanGongBankerRules)
        inside = [seat for seat in sorted(table.chips) if table.chips[seat] > 0]
        by_house = rules.banker == BY_HOUSE
        if len(inside) < (1 if by_house else 2):
            message = "too few seats have chips for a round; add chips first"
            needed = {"seats": len(inside), "needed": 1 if by_house else 2, "chips": 1}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=needed)
        round_, happened = open_round(SanGongBankerRound, rules, table, chance, banked=Bank(None), least=1)
        if by_house:
            return round_, happened + round_.begin(None, None)
        last = last_banker(table)
        first = min(table.chips) if table.first_button is None else table.first_button
        round_.button = first if last is None else last
        holder: int | None = None
        first_asked: int | None = None
        if rules.bank_mode == GRAB:
            keeps = last is not None and still_banks(table, last) and not table.memory.get(FREE_BANK, False)
            holder = last if keeps else None
        elif last is None:
            first_asked = chance.pick(inside, SEAT)
        else:
            first_asked = chips.to_the_left(inside, last)[0]
        return round_, happened + round_.begin(holder, first_asked)

    def best_returns(self, rules: HouseRules) -> dict[str, Fraction]:
        """Return what a multiple returns; more than 1 where wins are not capped, for any carry will do to lose less."""
        assert isinstance(rules, SanGongBankerRules)
        return {"multiple": duels.best_return(rules, rules.multipliers, WINS, PAIRS_OF_HANDS, cover=0)}

    def payouts(self, rules: HouseRules) -> tuple[Payout, ...]:
        """List what a win with each category pays on base times multiple; the banker wins at the same multipliers."""
        assert isinstance(rules, SanGongBankerRules)
        return tuple(Payout("multiple", self.words[name], f"{times}:1") for name, times in rules.multipliers.items())

    def greatest_win(self, rules: HouseRules) -> Text:
        """Return what a seat can win at most."""
        assert isinstance(rules, SanGongBankerRules)
        most = rules.base * max(rules.multiples) * max(rules.multipliers.values())
        return Text(
            f"{most} chips as a player, and the same from each player as the banker, before the fee; with a "
            "win cap, at most the chips held at the start.",
            f"閒家最多贏{most}；莊家最多向每位閒家各贏{most}，未扣活動費；該桌設有贏額上限時，不超過本局帶入的籌碼。",
            f"闲家最多赢{most}；庄家最多向每位闲家各赢{most}，未扣活动费；该桌设有赢额上限时，不超过本局带入的筹码。",
        )


GAME = SanGongBanker()
