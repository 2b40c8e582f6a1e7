"""Dragon gate (射龍門): each seat bets against a common pool on a third card between two."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from services.rules import actions, chips, facts, happenings, illegal_actions, keys, offers, seating
from services.rules.banker import keys as banker_keys
from services.rules.banker import words
from services.rules.banker.bank import seats_needed
from services.rules.banker.table import PLAY, amount_within, listed, spot_bets
from services.rules.cards import PACK_52, Card
from services.rules.chance import Chance, Stock
from services.rules.game import Game, HouseRules, Payout, Table
from services.rules.happenings import Dealt, Happening, Noted, Shuffled, Staked
from services.rules.offers import POT, Between, OneOf, Option
from services.rules.outcomes import Claim, Outcome, Stake
from services.rules.phases import BEFORE_ALL, ENDED, Phase, PhasedRound
from services.rules.ranking import pip_counts
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.views import SeatView, View, Zone
from services.rules.vocabulary import Terms
from services.rules.worth import Worth, of_two

LOW: Final = "low"
HIGH: Final = "high"
GATE: Final = "gate"
PLAYED: Final = "played"
ANTE: Final = "ante"
POOL: Final = "pool"

HIGHER: Final = "higher"
LOWER: Final = "lower"
SIDES: Final = (HIGHER, LOWER)
"""What is guessed of the third card where the two are equal."""

WINS: Final = 1
LOSES: Final = -1
HITS_POST: Final = -2
"""What a bet brings, in bets."""

TAKES: Final = (actions.Pass, actions.Guess, actions.Bet)
"""The actions of a turn."""

TURN_CARDS: Final = 3
"""Cards that a turn may need: the gate, and the one that is bet on."""


def equal_ranks(gate: Sequence[Card]) -> bool:
    """Return whether the two cards of a gate are of one rank."""
    return gate[0][0] == gate[1][0]


def brings(gate: Sequence[Card], guess: str | None, *, ace_high: bool) -> int:
    """Return what a bet brings, in bets: two cards and the third, with the guess if the two are equal."""
    low, high = sorted(value(card, ace_high=ace_high) for card in gate[:2])
    third = value(gate[2], ace_high=ace_high)
    if third in (low, high):
        return HITS_POST
    won = low < third < high if guess is None else (third > high) == (guess == HIGHER)
    return WINS if won else LOSES


def value(card: Card, *, ace_high: bool) -> int:
    """Return a card's value: A 1 (14 if high), 2 … 10, J 11, Q 12, K 13."""
    order = pip_counts.order(card)
    return pip_counts.order("Ks") + 1 if ace_high and card[0] == "A" else order


class DragonGateRules(HouseRules, frozen=True, kw_only=True):
    """House rules."""

    max_seats: int = 10
    ante: keys.Ante = 10
    ace: banker_keys.Ace = LOW


class Antes(Phase["DragonGateRound"], frozen=True):
    """Everybody puts the ante into the pool."""

    def begin(self, round_: "DragonGateRound", chance: Chance, log: list[Happening]) -> bool:
        """Take the antes."""
        round_.take_antes(round_.order, log)
        return False


class Turns(Phase["DragonGateRound"], frozen=True):
    """Each seat in turn is shown two cards, and may bet on a third."""

    name: str = PLAY

    def begin(self, round_: "DragonGateRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal the first turn."""
        log.append(happenings.Phase(self.name))
        return self.deal_next(round_, chance, log)

    def deal_next(self, round_: "DragonGateRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal two cards to the next seat that is still in and has chips; False after the last one: the round is over.

        Too few cards left for a turn: all are shuffled again [shoot_dragon_gate Play 7].
        """
        order = round_.order
        while round_.place < len(order):
            seat = order[round_.place]
            if seat not in round_.out and round_.free(seat) > 0:
                if len(round_.stock) < TURN_CARDS:
                    round_.stock = Stock(round_.stock.number + 1, chance.shuffle(PACK_52))
                    log.append(Shuffled(round_.stock.number, len(PACK_52)))
                round_.gate, round_.guess = [], None
                round_.deal_to_gate(2, log)
                return True
            log.append(Noted("passed_over", seat))
            round_.place += 1
        round_.finish(log)
        return False

    def asked(self, round_: "DragonGateRound") -> Sequence[int]:
        """Return the seat whose turn it is."""
        return (round_.turn,)

    def options(self, round_: "DragonGateRound", seat: int) -> list[Option]:
        """List pass, guess and bet as the turn allows; a seat that may stake nothing can only pass."""
        if seat != round_.turn:
            return []
        if not round_.free(seat):
            return [Option("pass")]
        if equal_ranks(round_.gate) and not round_.guess:
            return [Option("pass"), Option("guess", {"side": OneOf(SIDES)})]
        bet = Option("bet", {"amount": Between(*round_.bounds())})
        return [bet] if round_.guess else [Option("pass"), bet]

    def verify(self, round_: "DragonGateRound", seat: int, action: actions.Action) -> None:
        """Test an action in the family's order of refusals."""
        if not isinstance(action, TAKES):
            raise illegal_actions.illegal(
                f"nobody can {action.name} in this game; pass, guess or bet", illegal_actions.GATE
            )
        round_.verify_turn(seat, round_.turn)
        if isinstance(action, actions.Bet):
            self.verify_bet(round_, action.amount)
        elif round_.guess and round_.free(seat):
            raise illegal_actions.illegal(
                f"seat {seat} has guessed {round_.guess} and must bet now", illegal_actions.BET_GUESS
            )
        elif isinstance(action, actions.Guess):
            self.verify_guess(round_, seat, action.side)

    def verify_guess(self, round_: "DragonGateRound", seat: int, side: str) -> None:
        """Test a guess of the seat whose turn it is."""
        if not equal_ranks(round_.gate):
            raise illegal_actions.illegal(
                "a guess needs two cards of one rank; bet or pass", illegal_actions.GUESS_PAIR
            )
        if not round_.free(seat):
            message = f"seat {seat} has no chips to bet after a guess; pass"
            raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata={"chips": 0, "needed": 1})
        if side not in SIDES:
            raise illegal_actions.illegal(
                f"{side!r} is not a side; guess {listed(SIDES, 'or')}", illegal_actions.GUESS_SIDE
            )

    def verify_bet(self, round_: "DragonGateRound", amount: int) -> None:
        """Test a bet of the seat whose turn it is."""
        if equal_ranks(round_.gate) and not round_.guess:
            raise illegal_actions.illegal(
                "the two cards are of one rank; guess higher or lower first, or pass", illegal_actions.GUESS_FIRST
            )
        least, _ = round_.bounds()
        amount_within(amount, max(1, least), round_.pool)
        free = round_.free(round_.turn)
        if amount > free:
            message = f"the seat has {free} chips to stake and cannot bet {amount}"
            raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata={"chips": free, "needed": amount})

    def do(
        self, round_: "DragonGateRound", seat: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Pass, guess or bet; every one of them starts a new deadline."""
        round_.clock += 1
        if isinstance(action, actions.Guess):
            round_.guess = action.side
            log.append(Noted("guess", seat, {"side": action.side}))
            return False
        if isinstance(action, actions.Bet):
            self.bet(round_, seat, action.amount, log)
            if round_.pool == 0 and not self.refill(round_, log):
                round_.finish(log)
                return True
        else:
            log.append(Noted("pass", seat))
            round_.gates[seat] = list(round_.gate)
            round_.place += 1
        return not self.deal_next(round_, chance, log)

    def forced(self, round_: "DragonGateRound", seat: int) -> actions.AnyAction:
        """Pass for the seat; after a guess make the least bet, if there is anything to stake."""
        return actions.Bet(round_.bounds()[0]) if round_.guess and round_.free(seat) else actions.Pass()

    def bet(self, round_: "DragonGateRound", seat: int, amount: int, log: list[Happening]) -> None:
        """Turn the third card and move the chips at once; a bet that empties the pool keeps the turn.

        What a seat lacks of a double loss is forgiven [shoot_dragon_gate D2]; a win is never greater than the pool.
        """
        log.append(Staked(seat, "bet", amount))
        round_.deal_to_gate(1, log)
        times = brings(round_.gate, round_.guess, ace_high=round_.rules.ace == HIGH)
        change = max(times * amount, -round_.held[seat])
        round_.gates[seat] = list(round_.gate)
        round_.move(seat, change)
        round_.stakes.append(Stake(seat, "bet", amount, amount))
        word = {WINS: "between" if round_.guess is None else "guessed", LOSES: "outside", HITS_POST: "post"}[times]
        log.append(Noted(word, seat, {"chips": change, "pool": round_.pool}))
        if round_.pool > 0:
            round_.place += 1

    def refill(self, round_: "DragonGateRound", log: list[Happening]) -> bool:
        """Take a new ante of everybody after a win that emptied the pool; False if it was the last turn.

        The seat that emptied the pool is dealt a new turn; it is passed over if it dropped out.
        Source: [shoot_dragon_gate Play 5; shoot_dragon_gate D3].
        """
        inside = [seat for seat in round_.order if seat not in round_.out]
        able = [seat for seat in inside if round_.free(seat) >= round_.rules.ante]
        if round_.turn == inside[-1] or len(able) < 2:
            return False
        dropped = [seat for seat in inside if seat not in able]
        round_.out += dropped
        log += [Noted("drops_out", seat) for seat in dropped]
        round_.take_antes(able, log)
        return True


class DragonGateRound(PhasedRound[DragonGateRules], kw_only=True):
    """A round against a common pool: chips move at once within it.

    ``order``: seats in the order of turns, ``place``: whose turn it is in it; ``held``: the chips of each seat now,
    ``pool`` those of the pool; ``gates``: each seat's last gate; ``out``: seats that could not pay a new ante.
    ``allowed``: what a seat may stake in this round at most, of seats for which that is bounded.
    """

    phases = (Antes(), Turns())

    order: list[int]
    place: int
    held: dict[int, int]
    pool: int
    stock: Stock
    stakes: list[Stake] = msgspec.field(default_factory=list)
    allowed: dict[int, int] = msgspec.field(default_factory=dict)
    out: list[int] = msgspec.field(default_factory=list)
    gate: list[Card] = msgspec.field(default_factory=list)
    gates: dict[int, list[Card]] = msgspec.field(default_factory=dict)
    guess: str | None = None

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return self.order[self.place]

    # -- cards and chips --------------------------------------------------------------------------------------

    def deal_to_gate(self, count: int, log: list[Happening]) -> None:
        """Deal cards face up to the seat whose turn it is."""
        positions, dealt = self.stock.take(count)
        self.gate += dealt
        log.append(Dealt(self.turn, GATE, self.stock.number, positions, dealt))

    def take_antes(self, seats: Sequence[int], log: list[Happening]) -> None:
        """Move an ante of each seat into the pool."""
        ante = self.rules.ante
        for seat in seats:
            self.move(seat, -ante)
            self.stakes.append(Stake(seat, ANTE, ante, ante))
            log.append(Staked(seat, ANTE, ante))

    def move(self, seat: int, change: int) -> None:
        """Move chips out of the pool to a seat; negative: from the seat into the pool."""
        self.held[seat] += change
        self.pool -= change

    def allow(self, seat: int, chips: int) -> None:
        """Bound what a seat may stake in this round, chips won in it included."""
        self.allowed[seat] = chips

    def staked(self, seat: int) -> int:
        """Return what a seat has staked in this round."""
        return sum(stake.amount for stake in self.stakes if stake.seat == seat)

    def laid(self) -> dict[int, dict[str, int]]:
        """Return what each seat has staked in this round on antes and on bets."""
        found: dict[int, dict[str, int]] = {}
        for stake in self.stakes:
            own = found.setdefault(stake.seat, {})
            own[stake.bet] = own.get(stake.bet, 0) + stake.amount
        return found

    def free(self, seat: int) -> int:
        """Return what a seat may still stake: the chips that it holds, unless it is allowed fewer."""
        held = self.held[seat]
        if seat not in self.allowed:
            return held
        return max(0, min(held, self.allowed[seat] - self.staked(seat)))

    def bounds(self) -> tuple[int, int]:
        """Return the least bet and the greatest of the seat whose turn it is [shoot_dragon_gate Play 4]."""
        free = self.free(self.turn)
        return min(self.rules.ante, self.pool, free), min(self.pool, free)

    def finish(self, log: list[Happening]) -> None:
        """End the round with one claim between the pool and each seat that holds more, or less, than it brought."""
        nets = ((seat, self.held[seat] - self.carry[seat]) for seat in self.order)
        self.outcome = Outcome(
            claims=tuple(
                Claim(POT, seat, net, POOL) if net > 0 else Claim(seat, POT, -net, POOL) for seat, net in nets if net
            ),
            stakes=tuple(self.stakes),
            memory={PLAYED: sorted(self.order)},
            button=self.button,
        )
        log.append(happenings.Phase(ENDED))

    # -- what is seen -----------------------------------------------------------------------------------------

    def suggested(self, seat: int, action: str) -> dict[str, int]:
        """Suggest half the pool and the pool."""
        del seat
        return {offers.HALF_POT: self.pool // 2, offers.POT: self.pool} if action == "bet" else {}

    def view(self, viewer: int | None) -> View:
        """Show everything: nothing is hidden in this game."""
        del viewer
        return View(
            phase=self.phase,
            button=self.button,
            seats=tuple(
                SeatView(seat, self.held[seat], self.staked(seat), self.status(seat)) for seat in sorted(self.carry)
            ),
            zones=self.zones(),
            pots=(self.pool,),
            facts=facts.of("banker", self.facts() | {"spot_bets": spot_bets(self.laid())}),
        )

    def zones(self) -> tuple[Zone, ...]:
        """Show the gate of the turn, at the end each seat's last one."""
        if self.outcome is None:
            return (Zone(self.turn, GATE, tuple(self.gate)),)
        return tuple(Zone(seat, GATE, tuple(self.gates[seat])) for seat in sorted(self.gates))

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the two cards of a gate in words, the lower one first."""
        del owner, zone
        low, high = sorted(cards[:2], key=lambda card: value(card, ace_high=self.rules.ace == HIGH))
        return of_two(low, high)

    def facts(self) -> dict[str, Any]:
        """Return the pool as it stands, and the guess of the turn."""
        return {"pool": self.pool, **({"guess": self.guess} if self.guess else {})}

    def status(self, seat: int) -> str:
        """Return the status of a seat: on turn, or out of the round."""
        if self.outcome is None and seat == self.turn:
            return "turn"
        return "out" if seat in self.out else "waiting"


class DragonGate(Game[DragonGateRules, DragonGateRound]):
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
    terms = words.SPOT_BETS + Terms(
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

    def least_carry(self, rules: DragonGateRules) -> int:
        """Return the ante."""
        return rules.ante

    def start(self, rules: DragonGateRules, table: Table, chance: Chance) -> tuple[DragonGateRound, list[Happening]]:
        """Seat everybody that can pay the ante; refused where fewer than two can."""
        seats_needed(rules, table)
        inside = [seat for seat in sorted(table.chips) if table.chips[seat] >= rules.ante]
        if len(inside) < 2:
            message = f"a round needs two seats that can pay the ante of {rules.ante}"
            figures = {"seats": len(inside), "needed": 2, "chips": rules.ante}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=figures)
        button = seating.next_button(table, inside)
        round_ = DragonGateRound(
            at=BEFORE_ALL,
            place=0,
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

    def pot_heirs(self, rules: DragonGateRules, table: Table) -> tuple[int, ...]:
        """List the seats of the last round that are still there, from the left of the button.

        Source: [shoot_dragon_gate Play 6].
        """
        del rules
        played: list[int] = table.memory.get(PLAYED, [])
        return tuple(chips.to_the_left((seat for seat in played if seat in table.chips), table.button or 0))

    def payouts(self, rules: DragonGateRules) -> tuple[Payout, ...]:
        """List what a bet brings."""
        del rules
        return (
            Payout("bet", self.words["between"], "1:1"),
            Payout("bet", self.words["guessed"], "1:1"),
            Payout("bet", self.words["post"], "-2:1"),
        )

    def greatest_win(self, rules: DragonGateRules) -> Text:
        """Return what a seat can win at most."""
        del rules
        return Text(
            "all chips in the pool, each time that the seat empties it; with a win cap, at most the chips held at "
            "the start.",
            "每次贏光公區時為公區全部籌碼；該桌設有贏額上限時，不超過本局帶入的籌碼。",
            "每次赢光公区时为公区全部筹码；该桌设有赢额上限时，不超过本局带入的筹码。",
        )


GAME = DragonGate()
