"""Dragon gate (射龍門): each seat bets against a common pool on a third card between two."""

from typing import Any

from services.rules import chips, seating
from services.rules.banker import words
from services.rules.banker.bank import seats_needed
from services.rules.banker.dragon_gate_round import (
    GATE,
    HIGHER,
    LOWER,
    PLAYED,
    DragonGateRound,
    DragonGateRules,
)
from services.rules.banker.pool import ANTE, POOL
from services.rules.cards import PACK_52
from services.rules.chance import Chance, Stock
from services.rules.game import Game, HouseRules, Payout, Round, Table
from services.rules.happenings import Happening, Shuffled
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.vocabulary import Terms


class DragonGate(Game):
    """射龍門."""

    id = "shoot_dragon_gate"
    family = "banker"
    fewest, most = 2, 10
    name = Text("Dragon gate", "射龍門", "射龙门")
    restakes = True
    rules_type = DragonGateRules
    round_type = DragonGateRound
    open_cards = True
    summary = words.paragraphs(
        Text(
            "Everybody puts the ante into a common pool. In turn, from the seat left of the button, each seat is "
            "shown two cards. It may pass, or bet from the ante up to the pool on a third card: between the two it "
            "wins the bet from the pool, outside it loses it, equal to one of them it loses twice the bet. With "
            "two equal cards it guesses higher or lower first, and then must bet. A win that empties the pool "
            "before the last turn makes everybody ante again and gives the winner a new turn. Chips left in the "
            "pool stay for the next round; when the table closes, the seats of the last round share them. A seat "
            "that does not act in time passes, or makes the least bet after a guess.",
            "所有玩家下底注於公區。由發牌者左手邊起輪流翻兩張牌，可不補，或下注（底注以上、公區總額以下）補第三張："
            "在兩張之間贏得"
            "注金，在外輸掉注金，與其一相同輸兩倍。兩張相同則先猜大或小，然後必須下注。未完成一輪而公區被贏光時，"
            "所有玩家再下底注，並由贏家重新"
            "得牌。公區餘額留待下一輪；散桌時由最後一輪的玩家平分。逾時視為不補；猜後逾時押最低注。",
            "所有玩家下底注于公区。由发牌者左手边起轮流翻两张牌，可不补，或下注（底注以上、公区总额以下）补第三张："
            "在两张之间赢得"
            "注金，在外输掉注金，与其一相同输两倍。两张相同则先猜大或小，然后必须下注。未完成一轮而公区被赢光时，"
            "所有玩家再下底注，并由赢家重新"
            "得牌。公区余额留待下一轮；散桌时由最后一轮的玩家平分。逾时视为不补；猜后逾时押最低注。",
        ),
        words.MALFUNCTION,
    )
    terms = Terms(
        phase="play ended",
        zone=GATE,
        status="turn waiting out",
        reason=f"{ANTE} bet {POOL}",
        action="pass bet guess",
        argument="amount side",
        word=f"{HIGHER} {LOWER}",
        suggestion="min half_pot pot max",
        happening="between guessed outside post guess pass passed_over drops_out",
        fact=f"amount guess {POOL}",
    )
    words = words.COMMON | {
        ANTE: Text("ante", "底注", "底注"),
        POOL: Text("pool", "公區", "公区"),
        "guess": Text("guess", "猜大小", "猜大小"),
        "side": Text("side", "大或小", "大或小"),
        HIGHER: words.same("higher", "大"),
        LOWER: words.same("lower", "小"),
        GATE: Text("gate", "龍門", "龙门"),
        "between": Text("between: wins the bet", "射進龍門，贏得注金", "射进龙门，赢得注金"),
        "guessed": Text("guessed right: wins the bet", "猜中，贏得注金", "猜中，赢得注金"),
        "outside": Text("loses the bet", "輸掉注金", "输掉注金"),
        "post": Text("hits the post: loses twice the bet", "撞柱，輸兩倍注金", "撞柱，输两倍注金"),
        "passed_over": Text("passed over", "略過", "略过"),
        "drops_out": Text("cannot pay the new ante and drops out", "無法再下底注，退出本輪", "无法再下底注，退出本轮"),
        "out": Text("out of this round", "已退出本輪", "已退出本轮"),
    }

    def least_carry(self, rules: HouseRules) -> int:
        """Return the ante."""
        assert isinstance(rules, DragonGateRules)
        return rules.ante

    def start(self, rules: HouseRules, table: Table, chance: Chance) -> tuple[Round, list[Happening]]:
        """Seat everybody that can pay the ante; refused where fewer than two can."""
        assert isinstance(rules, DragonGateRules)
        seats_needed(rules, table)
        inside = [seat for seat in sorted(table.chips) if table.chips[seat] >= rules.ante]
        if len(inside) < 2:
            message = f"a round needs two seats that can pay the ante of {rules.ante}"
            figures = {"seats": len(inside), "needed": 2, "chips": rules.ante}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=figures)
        button = seating.next_button(table, inside)
        round_ = DragonGateRound(
            carry={seat: table.chips[seat] for seat in inside},
            held={seat: table.chips[seat] for seat in inside},
            button=button,
            rules=rules,
            order=chips.to_the_left(inside, button),
            stock=Stock(0, chance.shuffle(PACK_52)),
            pool=table.pot,
        )
        return round_, [Shuffled(0, len(PACK_52)), *round_.begin(chance)]

    def left(self, memory: dict[str, Any], seat: int) -> dict[str, Any]:
        """Take the seat out of those that played the last round: a player that left has no share of the pool."""
        return {**memory, PLAYED: [played for played in memory.get(PLAYED, []) if played != seat]}

    def pot_heirs(self, rules: HouseRules, table: Table) -> tuple[int, ...]:
        """List the seats of the last round that are still there, from the left of the button.

        Source: [shoot_dragon_gate Play 6].
        """
        del rules
        played: list[int] = table.memory.get(PLAYED, [])
        return tuple(chips.to_the_left((seat for seat in played if seat in table.chips), table.button or 0))

    def payouts(self, rules: HouseRules) -> tuple[Payout, ...]:
        """List what a bet brings."""
        del rules
        return (
            Payout("bet", self.words["between"], "1:1"),
            Payout("bet", self.words["guessed"], "1:1"),
            Payout("bet", self.words["post"], "-2:1"),
        )

    def greatest_win(self, rules: HouseRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return Text(
            "all chips in the pool, each time that the seat empties it; with a win cap, at most the chips held at "
            "the start.",
            "每次贏光公區時為公區全部籌碼；該桌設有贏額上限時，不超過本局帶入的籌碼。",
            "每次赢光公区时为公区全部筹码；该桌设有赢额上限时，不超过本局带入的筹码。",
        )


GAME = DragonGate()
