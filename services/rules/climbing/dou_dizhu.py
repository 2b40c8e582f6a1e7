"""Fight the Landlord · 鬥地主 (climbing, dou_dizhu; seed: online-casino-games.txt)."""

from typing import Any, Final

import msgspec

from services.rules import cards, chips, game, illegal_actions, keys
from services.rules.actions import Action, Bid, CallLandlord, Pass, Rob
from services.rules.cards import Card, face_down
from services.rules.chance import Chance
from services.rules.climbing import keys as climbing_keys
from services.rules.climbing.game import COMMON, ClimbingGame, cards_left, joined
from services.rules.climbing.play import InTurn, Plays
from services.rules.climbing.round import HAND, ClimbingRound
from services.rules.happenings import Dealt, Happening, Noted, Shown
from services.rules.kinds import Limit, Range
from services.rules.offers import OneOf, Option
from services.rules.outcomes import Claim, Outcome, Stake
from services.rules.phases import Phase, Step
from services.rules.ranking import dou_dizhu
from services.rules.ranking.combination import Combination
from services.rules.ranking.dou_dizhu import BOMB, ROCKET
from services.rules.ranking.dou_dizhu_plays import Plays as Combinations
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.views import Zone
from services.rules.vocabulary import Terms

NAME: Final = Text("Fight the Landlord", "鬥地主", "斗地主")

SUMMARY: Final = Text(
    en=(
        "Three seats, 54 cards, the landlord alone against two farmers. Each seat is dealt 17 cards, three are "
        "laid aside face down. The seat that gets the face-up card of the pack bids first. Bidding by points: "
        "one turn each, 1 to 3 points, more than every bid before; 3 ends it; the highest bidder is landlord "
        "and his bid is the multiplier. Bidding by robbing: the first who calls starts at 3, every robbery "
        "doubles. If nobody bids, nothing is paid and a new round is dealt. The landlord takes the three cards "
        "and leads any combination; each next seat beats it with a higher one of the same type and length, or "
        "passes; after two passes in a row the last to play leads anything. Bombs (four of a rank) beat all "
        "but higher bombs and the rocket (both jokers), and each bomb or rocket played doubles the multiplier. "
        "The first side to have an empty hand wins: each farmer pays the landlord, or is paid by him, base × "
        "multiplier. Kickers of a plane differ in rank and never join both jokers. At the deadline a seat "
        "passes in the bidding and when following; when leading, its lowest single is played. A lost "
        "connection is treated the same way. If a malfunction occurs, the round is void and all chips are "
        "returned."
    ),
    zh_hant=(
        "三人、54 張牌，地主一人對兩名農民。每人先發 17 張，留三張地主牌牌面朝下。摸到翻開的明牌者優先叫牌。叫地主："
        "每人一次，選 1 至 3 分，須大於前面的分值，選 3 分立即成為地主；叫分最高者為地主，分值即倍數。搶地主：第一個"
        "叫地主者以 3 倍起，每搶一次乘二。若無人叫牌，本局不計，重新發牌。地主收下三張地主牌並先出任一牌型；下家須以"
        "同牌型、同張數的更大牌壓過，或選擇「過」；連續兩家過後，最後出牌者可再任意出牌。炸彈（四張同點）大過一般牌"
        "型，王炸（兩張 Joker）最大，每打出一次炸彈或王炸，倍數乘二。任一方先出完手牌即獲勝：每名農民付給地主、或由地"
        "主付給每名農民 底注 × 倍數。飛機的翼點數須各不相同，兩張 Joker 不可同時作翼。逾時：叫牌與跟牌時視為過，領牌"
        "時自動打出最小的單張；斷線亦同。若系統故障，本局作廢，所有籌碼退回。"
    ),
    zh_hans=(
        "三人、54 张牌，地主一人对两名农民。每人先发 17 张，留三张地主牌牌面朝下。摸到翻开的明牌者优先叫牌。叫地主："
        "每人一次，选 1 至 3 分，须大于前面的分值，选 3 分立即成为地主；叫分最高者为地主，分值即倍数。抢地主：第一个"
        "叫地主者以 3 倍起，每抢一次乘二。若无人叫牌，本局不计，重新发牌。地主收下三张地主牌并先出任一牌型；下家须以"
        "同牌型、同张数的更大牌压过，或选择“过”；连续两家过后，最后出牌者可再任意出牌。炸弹（四张同点）大过一般牌型，"
        "王炸（两张 Joker）最大，每打出一次炸弹或王炸，倍数乘二。任一方先出完手牌即获胜：每名农民付给地主、或由地主付"
        "给每名农民 底注 × 倍数。飞机的翼点数须各不相同，两张 Joker 不可同时作翼。逾时：叫牌与跟牌时视为过，领牌时自"
        "动打出最小的单张；断线亦同。若系统故障，本局作废，所有筹码退回。"
    ),
)

LANDLORD_WINS: Final = Text(
    en="the landlord has no cards left: two farmers pay him",
    zh_hant="地主先出完手牌：兩名農民各付",
    zh_hans="地主先出完手牌：两名农民各付",
)
FARMER_WINS: Final = Text(
    en="a farmer has no cards left: the landlord pays each farmer",
    zh_hant="任一農民先出完手牌：地主付給每名農民",
    zh_hans="任一农民先出完手牌：地主付给每名农民",
)

WORDS: Final[dict[str, Text]] = {
    **COMMON,
    "bidding": Text("bidding", "叫牌", "叫牌"),
    "bid": Text("bid", "叫分", "叫分"),
    "points": Text("points", "分", "分"),
    "call_landlord": Text("call landlord", "叫地主", "叫地主"),
    "rob": Text("rob", "搶地主", "抢地主"),
    "nobody_bid": Text("nobody bids", "無人叫牌", "无人叫牌"),
    "landlord": Text("landlord", "地主", "地主"),
    "farmer": Text("farmer", "農民", "农民"),
    "landlord_cards": Text("landlord's cards", "地主牌", "地主牌"),
    "face_up": Text("card face up", "明牌", "明牌"),
    "first": Text("bids first", "先叫", "先叫"),
    "multiplier": Text("multiplier", "倍數", "倍数"),
    "pair": Text("pair", "一對", "一对"),
    "triple_single": Text("triple with one", "三帶一", "三带一"),
    "triple_pair": Text("triple with a pair", "三帶二", "三带二"),
    "straight": Text("straight", "單順", "单顺"),
    "pairs": Text("pairs in a row", "連對", "连对"),
    "plane": Text("plane", "飛機", "飞机"),
    "plane_small": Text("plane with small wings", "飛機帶小翼", "飞机带小翼"),
    "plane_large": Text("plane with large wings", "飛機帶大翼", "飞机带大翼"),
    "four_two": Text("four with two", "四帶二", "四带二"),
    "four_pairs": Text("four with two pairs", "四帶兩對", "四带两对"),
    "bomb": Text("bomb", "炸彈", "炸弹"),
    "rocket": Text("rocket", "王炸", "王炸"),
}

TERMS: Final = Terms(
    phase="bidding play ended",
    zone="hand landlord_cards played",
    status="bidding landlord farmer",
    reason="landlord farmer",
    action="bid call_landlord rob pass play",
    argument="points cards",
    word=" ".join((*dou_dizhu.EQUAL_WINGS, BOMB, ROCKET)),
    happening="bid call_landlord rob passed nobody_bid face_up landlord played",
    fact="landlord multiplier face_up first points cards combination cards_left",
)


SEATS: Final = 3
HAND_SIZE: Final = 17
LANDLORD: Final = "landlord"
FARMER: Final = "farmer"
EXTRA: Final = "landlord_cards"
BIDDING: Final = "bidding"

MOST_POINTS: Final = 3
CALLED: Final = 3
"""The multiplier of a landlord who called; each robbery doubles it."""
GREATEST: Final = {"points": MOST_POINTS, "rob": CALLED * 2**3}
"""The greatest multiplier of each way of bidding [dou_dizhu D3]."""

MOST_BASE: Final = 10**9
"""With the greatest multiplier a claim stays below the most chips that the house takes at once."""

MOST_DOUBLINGS: Final = 13
"""Thirteen bombs, or twelve and the rocket: more do not fit into hands of 20, 17 and 17 cards."""

COMBINATIONS: Final = {
    False: Combinations(dou_dizhu.SHAPES),
    True: Combinations(dou_dizhu.EQUAL_WINGS),
}
"""The sheet's types, by the house rule ``equal_wings``."""


class DouDizhuRules(game.HouseRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: ``base`` chips for each point of the multiplier; spring is not in the seed [dou_dizhu D8]."""

    min_seats: int = SEATS
    max_seats: int = SEATS
    base: keys.Base = 10
    bidding: climbing_keys.Bidding = "points"
    spring: climbing_keys.Spring = False
    equal_wings: climbing_keys.EqualWings = False


class Deal(Phase["DouDizhuRound"], frozen=True):
    """17 cards each, one at a time, and three to the table; one of the 51 is face up [dou_dizhu D2]."""

    def begin(self, round_: "DouDizhuRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal; the seat that gets the card face up bids first."""
        pack, order = round_.stock.cards, chips.to_the_left(round_.carry, round_.button_seat)
        dealt, round_.extra = pack[: SEATS * HAND_SIZE], tuple(pack[SEATS * HAND_SIZE :])
        round_.stock.next = len(pack)
        round_.face_up = chance.pick(dealt, "card")
        round_.first = round_.turn = order[dealt.index(round_.face_up) % SEATS]
        round_.asked = round_.circle(round_.first)
        for place, seat in enumerate(order):
            round_.hands[seat] = hand = dealt[place::SEATS]
            shown = tuple(card if card == round_.face_up else cards.HIDDEN for card in hand)
            log.append(Dealt(seat, HAND, 0, tuple(range(place, len(dealt), SEATS)), shown))
        log.append(Dealt(None, EXTRA, 0, tuple(range(len(dealt), len(pack))), face_down(len(round_.extra))))
        log.append(Noted("face_up", round_.first, {"card": round_.face_up}))
        return False


class Bidding(InTurn["DouDizhuRound"], frozen=True, kw_only=True):
    """Seats are asked one by one; ``kind`` is the house rule under which this bidding is held."""

    name: str = BIDDING
    kind: str

    def begin(self, round_: "DouDizhuRound", chance: Chance, log: list[Happening]) -> bool:
        """Ask the seat that bids first."""
        return round_.rules.bidding == self.kind and super().begin(round_, chance, log)

    def do(self, round_: "DouDizhuRound", seat: int, action: Action, chance: Chance, log: list[Happening]) -> bool:
        """Take a bid, and ask the next seat."""
        del chance  # nothing is drawn
        del round_.asked[0]
        log.append(self.take(round_, seat, action))
        if not round_.asked:
            return True
        round_.turn = round_.asked[0]
        round_.clock += 1
        return False

    def take(self, round_: "DouDizhuRound", seat: int, action: Action) -> Happening:
        """Apply the bid of the seat on turn."""
        raise NotImplementedError


class Points(Bidding, frozen=True, kw_only=True):
    """One turn each; the multiplier is the highest bid, and the greatest bid ends it [dou_dizhu Play 2]."""

    kind: str = "points"

    def offered(self, round_: "DouDizhuRound", seat: int) -> list[Option]:
        """List no points and all that are more than every bid before, and passing."""
        higher = range(round_.multiplier + 1, MOST_POINTS + 1)
        return [Option("bid", {"points": OneOf((0, *higher))}), Option("pass")]

    def check(self, round_: "DouDizhuRound", seat: int, action: Action) -> None:
        """Accept a pass (or 0 points) and any higher bid."""
        if isinstance(action, Pass):
            return
        if not isinstance(action, Bid) or action.trump is not None:
            raise illegal_actions.illegal(
                f"{action.name} is not possible in this bidding; bid points, or pass", illegal_actions.BID_OR_PASS
            )
        least = round_.multiplier + 1
        if action.points and not least <= action.points <= MOST_POINTS:
            able = str(MOST_POINTS) if least == MOST_POINTS else f"{least} to {MOST_POINTS}"
            message = f"a bid of {action.points} is not possible; bid {able}, or pass"
            raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"least": least, "greatest": MOST_POINTS})

    def take(self, round_: "DouDizhuRound", seat: int, action: Action) -> Happening:
        """Note the bid; three points end the bidding."""
        points = action.points if isinstance(action, Bid) else 0
        if not points:
            return Noted("passed", seat)
        round_.candidate, round_.multiplier = seat, points
        if points == MOST_POINTS:
            round_.asked.clear()
        return Noted("bid", seat, {"points": points})


class Robbing(Bidding, frozen=True, kw_only=True):
    """A first circle to call and to rob, and where anybody robbed a second one to rob back [dou_dizhu Play 3]."""

    kind: str = "rob"

    def offered(self, round_: "DouDizhuRound", seat: int) -> list[Option]:
        """List calling or robbing, and passing."""
        return [Option("call_landlord" if round_.caller is None else "rob"), Option("pass")]

    def check(self, round_: "DouDizhuRound", seat: int, action: Action) -> None:
        """Accept a pass, a call while nobody has called, then robbing."""
        wanted = CallLandlord() if round_.caller is None else Rob()
        if action not in (Pass(), wanted):
            message = f"{action.name} is not possible now; say {wanted.name} (without a card) or pass"
            right = illegal_actions.CALL_LANDLORD if round_.caller is None else illegal_actions.ROB_LANDLORD
            raise illegal_actions.illegal(message, right)

    def take(self, round_: "DouDizhuRound", seat: int, action: Action) -> Happening:
        """Note a call, a robbery or a pass; the first robbery of the second circle ends the bidding."""
        if isinstance(action, Pass):
            round_.gone.append(seat)
        else:
            round_.multiplier = CALLED if round_.caller is None else 2 * round_.multiplier
            round_.candidate = seat
            if round_.caller is None:
                round_.caller = seat
            elif round_.second:
                round_.asked.clear()
        if not round_.asked and not round_.second and round_.caller is not None and round_.candidate != round_.caller:
            round_.second = True
            out = {*round_.gone, round_.candidate}
            round_.asked = [other for other in round_.circle(round_.caller) if other not in out]
        if isinstance(action, Pass):
            return Noted("passed", seat)
        return Noted(action.name, seat, {"multiplier": round_.multiplier})


def name_landlord(round_: "DouDizhuRound", log: list[Happening]) -> None:
    """Hand the landlord the three cards and the lead; without one end the round, unpaid [dou_dizhu D11]."""
    round_.landlord = landlord = round_.candidate
    if landlord is None:
        log.append(Noted("nobody_bid"))
        round_.end(Outcome(facts=round_.facts(), button=round_.button), log)
        return
    round_.turn = landlord
    round_.hands[landlord].extend(round_.extra)
    positions = tuple(range(SEATS * HAND_SIZE, SEATS * HAND_SIZE + len(round_.extra)))
    log += [
        Noted(LANDLORD, landlord, {"multiplier": round_.multiplier}),
        Shown(None, EXTRA, round_.extra),
        Dealt(landlord, HAND, 0, positions, round_.extra),
    ]


def pay(round_: "DouDizhuRound", log: list[Happening]) -> None:
    """End the round: each farmer owes the landlord ``base × multiplier``, or the reverse."""
    landlord, won = round_.landlord, round_.empty_handed() == round_.landlord
    assert landlord is not None, "nobody plays without a landlord"
    if round_.rules.spring and round_.is_spring(landlord, won=won):
        round_.multiplier *= 2
    amount = round_.rules.base * round_.multiplier
    farmers = chips.to_the_left((seat for seat in round_.carry if seat != landlord), landlord)
    stakes = [(landlord, LANDLORD, 2 * amount), *((farmer, FARMER, amount) for farmer in farmers)]
    outcome = Outcome(
        claims=tuple(
            Claim(farmer, landlord, amount, FARMER) if won else Claim(landlord, farmer, amount, LANDLORD)
            for farmer in farmers
        ),
        stakes=tuple(Stake(seat, part, most := min(owed, round_.carry[seat]), most) for seat, part, owed in stakes),
        facts=round_.facts(),
        button=round_.button,
    )
    round_.end(outcome, log)


class DouDizhuRound(ClimbingRound[DouDizhuRules], kw_only=True):
    """One round; ``first`` received the face-up card and bids first, ``extra`` are the landlord's cards.

    ``asked``: seats still to be asked in the bidding, ``candidate``: who would be landlord; ``multiplier`` is 0 until
    somebody bids. ``caller``: who called, ``gone``: who passed, for a pass is for good; ``second``: the second circle.
    """

    phases = (
        Deal(),
        Points(),
        Robbing(),
        Step(run=name_landlord),
        Plays(),
        Step(run=pay),
    )

    extra: tuple[Card, ...] = ()
    face_up: Card = ""
    first: int = 0
    landlord: int | None = None
    multiplier: int = 0
    asked: list[int] = msgspec.field(default_factory=list)
    candidate: int | None = None
    caller: int | None = None
    gone: list[int] = msgspec.field(default_factory=list)
    second: bool = False

    @property
    def button_seat(self) -> int:
        """The seat with the button."""
        assert self.button is not None, "a round has a button"
        return self.button

    def circle(self, first: int) -> list[int]:
        """List all seats from one on."""
        return [first, *chips.to_the_left(self.carry, first)[:-1]]

    def is_spring(self, landlord: int, *, won: bool) -> bool:
        """Return whether only the winner's side played, but for the landlord's first lead."""
        return set(self.plays_made) == {landlord} if won else self.plays_made[landlord] == 1

    def combinations(self) -> Combinations:
        """Return the sheet's types; with ``equal_wings`` single kickers of a plane may repeat."""
        return COMBINATIONS[self.rules.equal_wings]

    def after_play(self, reading: Combination) -> dict[str, Any]:
        """Double the multiplier for a bomb or the rocket, also as a last play."""
        if reading.kind in (BOMB, ROCKET):
            self.multiplier *= 2
        return {"multiplier": self.multiplier}

    def offers(self, seat: int) -> list[Option]:
        """Offer the words of the bidding without the second way to pass, a bid of 0."""
        return [_shown(option) for option in self.options(seat)]

    def status(self, seat: int) -> str:
        """Return the seat's part: in the bidding nobody has one yet."""
        if self.landlord is None:
            return BIDDING
        return LANDLORD if seat == self.landlord else FARMER

    def in_words(self, seat: int) -> Text:
        """Return the seat's part, and the cards that it was left with."""
        if self.landlord is None:
            return WORDS["nobody_bid"]
        return joined(WORDS[self.status(seat)], cards_left(len(self.hands[seat])))

    def table_zones(self) -> tuple[Zone, ...]:
        """Show the landlord's cards: face down until the landlord is known, afterwards face up for all."""
        hidden = self.landlord is None
        return (Zone(None, EXTRA, face_down(len(self.extra)) if hidden else self.extra),)

    def facts(self) -> dict[str, Any]:
        """Return the landlord and the multiplier as they are now, and the card that lay face up in the pack."""
        return {LANDLORD: self.landlord, "multiplier": self.multiplier, "face_up": self.face_up, "first": self.first}


def _shown(option: Option) -> Option:
    points = option.arguments.get("points")
    return Option("bid", {"points": OneOf(points.values[1:])}) if isinstance(points, OneOf) else option


class DouDizhu(ClimbingGame[DouDizhuRules, DouDizhuRound]):
    """The game; least carry is ``base``."""

    id = "dou_dizhu"
    name = NAME
    summary = SUMMARY
    terms = TERMS
    words = WORDS
    rules_type = DouDizhuRules
    round_type = DouDizhuRound
    pack = tuple(cards.PACK_54)
    fewest = most = SEATS

    def limits(self, rules: DouDizhuRules) -> dict[str, Limit]:
        """Return also the bound of ``base``."""
        return {**super().limits(rules), "base": Range(1, MOST_BASE)}

    def least_carry(self, rules: DouDizhuRules) -> int:
        """Return the chips with which a seat is dealt in."""
        return rules.base

    def payouts(self, rules: DouDizhuRules) -> tuple[game.Payout, ...]:
        """List what either side wins."""
        return (
            game.Payout(LANDLORD, LANDLORD_WINS, f"2 × {rules.base} × multiplier"),
            game.Payout(FARMER, FARMER_WINS, f"{rules.base} × multiplier"),
        )

    def greatest_win(self, rules: DouDizhuRules) -> Text:
        """Bound the landlord's win by the greatest bid and all bombs there can be."""
        most = 2 * rules.base * GREATEST[rules.bidding] * 2**MOST_DOUBLINGS
        return greatest_win(most, capped=rules.win_cap == "stake")


def greatest_win(most: int, *, capped: bool) -> Text:
    """Return what a seat can win at most; ``capped``: no more than its own carry either."""
    if capped:
        return Text(
            en=f"{most} chips as landlord, half as a farmer; at most the losers' chips and the seat's own carry",
            zh_hant=f"地主最多 {most} 籌碼，農民為其半數；不超過輸家的籌碼，也不超過自己的帶入",
            zh_hans=f"地主最多 {most} 筹码，农民为其半数；不超过输家的筹码，也不超过自己的带入",
        )
    return Text(
        en=f"{most} chips as landlord, half as a farmer; never more than the losers' chips",
        zh_hant=f"地主最多 {most} 籌碼，農民為其半數；不超過輸家的籌碼",
        zh_hans=f"地主最多 {most} 筹码，农民为其半数；不超过输家的筹码",
    )


GAME = DouDizhu()
