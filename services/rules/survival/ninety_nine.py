"""Ninety-nine · 九十九 (survival, ninety_nine; seed: home-games.txt, 生存類 １.九十九)."""

from typing import Any, ClassVar, Final

import msgspec

from services.rules import actions, cards, chips, happenings, illegal_actions, keys
from services.rules.cards import Card, face_down
from services.rules.chance import Chance, Stock
from services.rules.game import Table
from services.rules.happenings import Dealt, Happening, Noted, Shown, Shuffled
from services.rules.offers import Choice, OneOf, Option, Sets
from services.rules.refusals import Reason, Refused
from services.rules.survival import keys as survival_keys
from services.rules.survival import texts
from services.rules.survival.table import OUT, SurvivalGame, SurvivalRound, SurvivalRules
from services.rules.survival.turns import Turns
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms

MOST: Final = 99
ADDS: Final = {"A": 1, "2": 2, "3": 3, "6": 6, "7": 7, "8": 8, "9": 9}
"""Ranks that only add; the ace counts 1 [ninety_nine D2]."""
SIGNED: Final = {"T": 10, "Q": 20}
"""Ranks that add or take away; never below 0 [ninety_nine D4]."""
TURN: Final = "4"
SKIP: Final = "5"
FULL: Final = "K"
PLUS: Final = "plus"
MINUS: Final = "minus"
HAND: Final = "hand"
PILE: Final = "pile"


class NinetyNineRules(SurvivalRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: ``five`` skips the next seat, or lets its player choose who goes next [ninety_nine D1]."""

    min_seats: int = 3
    max_seats: int = 6
    five: survival_keys.Five = "skip"
    max_turns: keys.MaxTurns = 500


class Plays(Turns["NinetyNineRound"], frozen=True):
    """Each seat in turn plays a card and draws one; who cannot play is out."""

    def begin(self, round_: "NinetyNineRound", chance: Chance, log: list[Happening]) -> bool:
        """Turn the top card of the stock as if the button had played it; a five always skips."""
        stock = round_.stock
        place, card = stock.next, stock.deal()
        log += [Dealt(None, PILE, stock.number, (place,), (card,)), happenings.Phase(self.name)]
        after = self.effect(round_, round_.dealer, actions.Play(cards=(card,), sign=PLUS))
        self.look_at(round_, after, log)
        return round_.outcome is None

    def effect(self, round_: "NinetyNineRound", seat: int, action: actions.Play) -> int:
        """Lay a card on the pile, and return the seat that is next."""
        card = action.cards[0]
        round_.pile.append(card)
        round_.total = round_.sum_after(card, action.sign)
        if cards.rank(card) == TURN:
            round_.direction = -round_.direction
        if action.next is not None:
            return action.next
        after = round_.beside(seat)
        return round_.beside(after) if cards.rank(card) == SKIP else after

    def look_at(self, round_: "NinetyNineRound", seat: int, log: list[Happening]) -> None:
        """Put the first seat on turn that can play; those before it are out, and the last one left wins."""
        while len(round_.seats_in()) > 1:
            if any(round_.signs(card) for card in round_.stacks[seat]):
                round_.turn = seat
                return
            hand = tuple(round_.stacks[seat])
            round_.stacks[seat] = []
            round_.pile.extend(hand)
            round_.out.append(seat)
            log += [Shown(seat, HAND, hand), Noted(OUT, seat)]
            seat = round_.beside(seat)
        round_.finish(round_.seats_in(), log)

    def offered(self, round_: "NinetyNineRound", seat: int) -> list[Option]:
        """List the playable cards: those that need nothing, with each sign, and fives that name a seat."""
        hand = round_.stacks[seat]
        found: list[Option] = []
        for sign in (None, PLUS, MINUS):
            fit = tuple((card,) for card in hand if sign in round_.signs(card) and not round_.chooses(card))
            if fit:
                signed: dict[str, Choice] = {} if sign is None else {"sign": OneOf((sign,))}
                found.append(Option("play", {"cards": Sets(fit), **signed}))
        naming = tuple((card,) for card in hand if round_.chooses(card))
        if naming:
            others = tuple(other for other in round_.seats_in() if other != seat)
            found.append(Option("play", {"cards": Sets(naming), "next": OneOf(others)}))
        return found

    def check(self, round_: "NinetyNineRound", seat: int, action: actions.Action) -> None:
        """Test sign and next, then whether the card is held, then whether it may be played."""
        if not isinstance(action, actions.Play) or action.call is not None:
            raise illegal_actions.illegal(f"{action.name} is not possible now; play one card", illegal_actions.PLAY_ONE)
        if len(action.cards) == 1 and cards.is_card(action.cards[0]):
            self.check_words(round_, seat, action, action.cards[0])
        for card in action.cards:
            if card not in round_.stacks[seat]:
                raise Refused(Reason.CARD_NOT_HELD, f"{card} is not in the hand; play a card that you hold")
        if len(action.cards) != 1:
            raise Refused(Reason.ILLEGAL_CARDS, f"{len(action.cards)} cards were named; play exactly one")
        after = round_.sum_after(action.cards[0], action.sign)
        if after > MOST:
            message = f"{action.cards[0]} makes {after}; play a card that leaves the total at {MOST} or below"
            raise Refused(Reason.ILLEGAL_CARDS, message)

    def check_words(self, round_: "NinetyNineRound", seat: int, action: actions.Play, card: Card) -> None:
        """Test the sign, and the seat that is named."""
        signed = cards.rank(card) in SIGNED
        if action.sign not in ((PLUS, MINUS) if signed else (None,)):
            right = f"needs sign {PLUS} or {MINUS}" if signed else "takes no sign"
            text = illegal_actions.NEEDS_SIGN if signed else illegal_actions.NO_SIGN
            raise illegal_actions.illegal(f"{card} {right}; the sign given is {action.sign}", text, card=card)
        others = [other for other in round_.seats_in() if other != seat]
        if action.next not in (others if round_.chooses(card) else (None,)):
            right = f"must name one of the seats {others}" if round_.chooses(card) else "names no next seat"
            text = illegal_actions.NEEDS_NEXT if round_.chooses(card) else illegal_actions.NO_NEXT
            seats = ", ".join(map(str, others))
            raise illegal_actions.illegal(
                f"{card} {right}; the seat named is {action.next}", text, card=card, seats=seats
            )

    def do(
        self, round_: "NinetyNineRound", seat: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Play a card, draw one, and look at the next seat, which has a deadline of its own."""
        if isinstance(action, actions.Play):
            round_.stacks[seat].remove(action.cards[0])
            after = self.effect(round_, seat, action)
            round_.turns += 1
            facts = {"cards": action.cards, "total": round_.total, "direction": round_.direction}
            log.append(Noted("played", seat, facts))
            self.draw(round_, seat, chance, log)
            if round_.turns >= round_.rules.max_turns:
                round_.finish(round_.seats_in(), log)
            else:
                self.look_at(round_, after, log)
            round_.clock += 1
        return round_.outcome is not None

    def draw(self, round_: "NinetyNineRound", seat: int, chance: Chance, log: list[Happening]) -> None:
        """Draw a card; where the stock is empty all face-up cards make a new one, the one just played too.

        Source: [ninety_nine D6].
        """
        if not len(round_.stock):
            round_.stock = Stock(round_.stock.number + 1, chance.shuffle(round_.pile))
            log.append(Shuffled(round_.stock.number, len(round_.stock)))
            round_.pile = []
        place = round_.stock.next
        round_.stacks[seat].append(round_.stock.deal())
        log.append(Dealt(seat, HAND, round_.stock.number, (place,), face_down(1)))

    def forced(self, round_: "NinetyNineRound", seat: int) -> actions.AnyAction:
        """Play the playable card held longest: plus where it fits; a choosing five names the next seat."""
        card = next(card for card in round_.stacks[seat] if round_.signs(card))
        named = round_.beside(seat) if round_.chooses(card) else None
        return actions.Play(cards=(card,), sign=round_.signs(card)[0], next=named)


class NinetyNineRound(SurvivalRound[NinetyNineRules], kw_only=True):
    """One round; a stack is a hand here, in the order of receipt. ``direction`` is 1 (clockwise) or -1."""

    phases = (Plays(),)

    total: int = 0
    direction: int = 1
    stock: Stock = msgspec.field(default_factory=lambda: Stock(0, []))
    pile: list[Card] = msgspec.field(default_factory=list)

    def sum_after(self, card: Card, sign: str | None) -> int:
        """Return the total after a card; above 99 it may not be played."""
        rank = cards.rank(card)
        if rank == FULL:
            return MOST
        step = SIGNED.get(rank, 0)
        return max(0, self.total + ADDS.get(rank, 0) + (-step if sign == MINUS else step))

    def signs(self, card: Card) -> tuple[str | None, ...]:
        """List the signs with which a card may be played now; a card that needs none has ``None``."""
        signs = (PLUS, MINUS) if cards.rank(card) in SIGNED else (None,)
        return tuple(sign for sign in signs if self.sum_after(card, sign) <= MOST)

    def beside(self, seat: int) -> int:
        """Return the next seat in, in the direction of play."""
        ring = [other for other in chips.to_the_left(self.seats_in(), seat) if other != seat]
        return ring[0 if self.direction > 0 else -1] if ring else seat

    def chooses(self, card: Card) -> bool:
        """Return whether this card's player names the next seat."""
        return cards.rank(card) == SKIP and self.rules.five == "choose"

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show the own hand and the face-up pile."""
        return (
            Zone(None, PILE, tuple(self.pile)),
            *(
                Zone(seat, HAND, tuple(hand) if seat == viewer else face_down(len(hand)))
                for seat, hand in self.stacks.items()
            ),
        )

    def keys(self) -> dict[str, Any]:
        """Return total, direction, what is left of the stock, and whose turn it is."""
        return {"total": self.total, "direction": self.direction, "stock": len(self.stock), "turn": self.turn}


class NinetyNine(SurvivalGame[NinetyNineRules, NinetyNineRound]):
    """The game."""

    id = "ninety_nine"
    name = Text(en="Ninety-nine", zh_hant="九十九", zh_hans="九十九")
    summary = Text(
        en=(
            "Every seat stakes the ante and holds five cards; the top card of the stock starts the total. In turn "
            "a seat plays one card that leaves the total at 99 or below and draws one. A counts 1; 2, 3, 6, 7, 8 "
            "and 9 their number; 4 turns the direction; 5 skips the next seat (or, where the house says so, names "
            "it); T is plus or minus 10, Q plus or minus 20, never below 0; J changes nothing; K makes it 99. A "
            "seat that has no playable card on its turn is out. The last seat left takes the antes; at the limit "
            "of turns all that are still in share them. Deadline: the playable card held longest is played, T and "
            "Q as plus where that fits; a lost connection is treated the same way. If a malfunction occurs, the "
            "round is void and all chips are returned."
        ),
        zh_hant=(
            "每人付底注並持五張牌，餘牌最上方的牌翻開作為起始總點數。輪到者打出一張使總點數不超過 99 的牌，並補一張。A "
            "為 1；2、3、6、7、8、9 依點數相加；4 迴轉；5 跳格（或依房規指定下家）；10 加減 10；Q 加減 20，不低於 0；J "
            "PASS；K 為 99。輪到而無牌可出者退出。最後仍有牌可出者贏得全部底注；達出牌上限時由仍在場者平分。逾時：自動"
            "打出持有最久的可出之牌，10 與 Q 可加則加；斷線亦同。若系統故障，本局作廢，所有籌碼退回。"
        ),
        zh_hans=(
            "每人付底注并持五张牌，余牌最上方的牌翻开作为起始总点数。轮到者打出一张使总点数不超过 99 的牌，并补一张。A "
            "为 1；2、3、6、7、8、9 依点数相加；4 回转；5 跳格（或依房规指定下家）；10 加减 10；Q 加减 20，不低于 0；J "
            "PASS；K 为 99。轮到而无牌可出者退出。最后仍有牌可出者赢得全部底注；达出牌上限时由仍在场者平分。逾时：自动"
            "打出持有最久的可出之牌，10 与 Q 可加则加；断线亦同。若系统故障，本局作废，所有筹码退回。"
        ),
    )
    terms = texts.TERMS + Terms(
        phase="play",
        zone="hand pile",
        action="play",
        argument="cards sign next",
        word="plus minus",
        happening="played",
        fact="cards count direction stock total turn",
    )
    words: ClassVar[dict[str, Text]] = texts.WORDS | {
        "hand": Text(en="hand", zh_hant="手牌", zh_hans="手牌"),
        "stock": Text(en="stock", zh_hant="餘牌", zh_hans="余牌"),
        "cards": Text(en="cards", zh_hant="牌", zh_hans="牌"),
        "played": Text(en="played", zh_hant="打出", zh_hans="打出"),
        "total": Text(en="total", zh_hant="總點數", zh_hans="总点数"),
        "direction": Text(en="direction", zh_hant="方向", zh_hans="方向"),
        "sign": Text(en="sign", zh_hant="加減", zh_hans="加减"),
        "plus": Text(en="plus", zh_hant="加", zh_hans="加"),
        "minus": Text(en="minus", zh_hant="減", zh_hans="减"),
        "next": Text(en="next seat", zh_hant="指定下家", zh_hans="指定下家"),
    }
    rules_type = NinetyNineRules
    round_type = NinetyNineRound
    fewest, most = 3, 6
    limit = "max_turns"
    hand_size = 5
    wins = Text(
        en="the last seat that is still in; at the limit of turns all that are still in share",
        zh_hant="最後仍有牌可出者；達出牌上限時由仍在場者平分",
        zh_hans="最后仍有牌可出者；达出牌上限时由仍在场者平分",
    )

    def own_fields(self, table: Table, seats: list[int], stock: Stock) -> dict[str, Any]:
        """Keep the stock, from which seats draw."""
        del table, seats
        return {"stock": stock}


GAME = NinetyNine()
