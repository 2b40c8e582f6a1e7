"""Napoleon (tricks, ``napoleon``): a bidder and his adjutant against all others, for card points."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from services.rules import actions, chips, game, illegal_actions, keys
from services.rules.actions import Action, AnyAction, Bid, NameAdjutant, PlayDown
from services.rules.cards import BIG_JOKER, HIDDEN, PACK_52, SUITS, Card, face_down
from services.rules.chance import Chance
from services.rules.happenings import Happening, Noted, Shown
from services.rules.kinds import Limit, Range
from services.rules.offers import Between, OneOf, Option
from services.rules.outcomes import Stake
from services.rules.phases import Step
from services.rules.ranking import tricks as ladders
from services.rules.ranking.tricks import ACE_OF_SPADES
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.rules.tricks import keys as tricks_keys
from services.rules.tricks import texts
from services.rules.tricks.deal import Deal
from services.rules.tricks.game import TrickGame
from services.rules.tricks.play import Tricks
from services.rules.tricks.questions import Asking, card_of, check_card, one_card
from services.rules.tricks.round import Laid, TrickRound
from services.rules.vocabulary import Terms

NAME: Final = Text("Napoleon", "拿破崙", "拿破仑")

SUMMARY: Final = texts.summary(
    en=(
        "Four to seven players, 53 cards with the joker less some low ones, four cards each; the rest is the "
        "stock. Everybody bids once how many card points he will take with which trumps; the highest bidder is "
        "Napoleon. With six or seven players he names a card whose holder is his secret adjutant. Napoleon "
        "leads; in the first trick neither trumps nor spades may be led, and a player who holds nothing else "
        "lays a card face down and passes the lead on. Follow suit if you can; the joker may be played at any "
        "time. Spade ace beats joker beats trumps. A player who leads the joker may call for trumps; one who "
        "leads the three of clubs may call for the joker. After each trick all draw from the stock (by house "
        "rule only the winner). Napoleon's army wins with the points bid: each ally pays him twice the base "
        "and the adjutant the base; with fewer points, they pay each ally the same. A player who does not bid "
        "in time passes. A Napoleon who names no card in time gets the first that he does not hold of spade "
        "ace, joker, trump A K Q J 10. At a deadline the joker and the spade ace are played last, and nothing "
        "is called."
    ),
    zh_hant=(
        "4至7人，用連飛牌53張減去若干小牌，每人4張，餘為貯存牌。各人輪流喊一次王牌花色與分數，最高者為拿破崙；6、"
        "7人時由其指名一張牌，持有者為秘密副官。拿破崙先出，首墩不得出王牌與黑桃；別無他牌者扣一張牌，出牌權讓"
        "左鄰。須跟同花色，飛牌隨時可出；黑桃A大於飛牌，飛牌大於王牌。出飛牌者可請王牌，出梅花3者可請飛牌。每墩"
        "後各人抽一張貯存牌（或依房規僅贏家抽牌）。拿破崙軍得分達到所喊分數即勝：聯合軍每人付拿破崙兩倍底注、付"
        "副官一倍底注；未達則反向支付。逾時未喊視為不喊；逾時未指名者，取黑桃A、飛牌、王牌A、K、Q、J、10中自己"
        "未持有的第一張。逾時出牌以飛牌、黑桃A為最後，且不請牌。"
    ),
    zh_hans=(
        "4至7人，用连飞牌53张减去若干小牌，每人4张，余为贮存牌。各人轮流喊一次王牌花色与分数，最高者为拿破仑；6、"
        "7人时由其指名一张牌，持有者为秘密副官。拿破仑先出，首墩不得出王牌与黑桃；别无他牌者扣一张牌，出牌权让"
        "左邻。须跟同花色，飞牌随时可出；黑桃A大于飞牌，飞牌大于王牌。出飞牌者可请王牌，出梅花3者可请飞牌。每墩"
        "后各人抽一张贮存牌（或依房规仅赢家抽牌）。拿破仑军得分达到所喊分数即胜：联合军每人付拿破仑两倍底注、付"
        "副官一倍底注；未达则反向支付。逾时未喊视为不喊；逾时未指名者，取黑桃A、飞牌、王牌A、K、Q、J、10中自己"
        "未持有的第一张。逾时出牌以飞牌、黑桃A为最后，且不请牌。"
    ),
)

WORDS: Final[dict[str, Text]] = {
    **texts.COMMON,
    "pass": texts.PASS,
    "bidding": Text("bidding", "宣言", "宣言"),
    "bid": Text("bid", "喊分", "喊分"),
    "bidder": Text("highest bidder", "最高宣言者", "最高宣言者"),
    "bid_trump": Text("trumps of the highest bid", "最高宣言之王牌", "最高宣言之王牌"),
    "points": Text("points", "分數", "分数"),
    "army_points": Text("points of Napoleon's army", "拿破崙軍的分數", "拿破仑军的分数"),
    "napoleon": Text("Napoleon", "拿破崙", "拿破仑"),
    "adjutant": Text("adjutant", "副官", "副官"),
    "ally": Text("ally", "聯合軍", "联合军"),
    "alone": Text("Napoleon stands alone", "拿破崙獨自作戰", "拿破仑独自作战"),
    "naming": Text("naming the adjutant", "指名副官", "指名副官"),
    "name_adjutant": Text("name the adjutant's card", "指名副官牌", "指名副官牌"),
    "named": Text("named card", "指名的牌", "指名的牌"),
    "card": Text("card", "牌", "牌"),
    "play_down": Text("lay a card face down", "扣牌", "扣牌"),
    "down": Text("laid face down", "扣下的牌", "扣下的牌"),
    "call": Text("call", "請牌", "请牌"),
    "trumps": Text("trumps are called", "請王牌", "请王牌"),
    "joker": Text("the joker is called", "請飛牌", "请飞牌"),
    "no_bid": Text("nobody bids", "無人宣言", "无人宣言"),
    "won": Text("Napoleon's army has won", "拿破崙軍勝", "拿破仑军胜"),
    "lost": Text("the allies have won", "聯合軍勝", "联合军胜"),
}

TERMS: Final = texts.TERMS + Terms(
    phase="play bidding naming",
    zone="down",
    status="napoleon adjutant ally",
    reason="napoleon adjutant",
    action="bid pass name_adjutant play_down",
    argument="points trump card call",
    word=f"{texts.SUITS} joker trumps",
    suggestion="min max",
    happening="bid no_bid napoleon named call down decided adjutant alone won lost",
    fact="napoleon adjutant army_points bid bid_trump bidder call named points trump cards action tricks",
)

WON: Final = Text(
    en="Napoleon's army makes the bid: each ally pays Napoleon and the adjutant",
    zh_hant="拿破崙軍達到所喊分數：聯合軍每人付拿破崙與副官",
    zh_hans="拿破仑军达到所喊分数：联合军每人付拿破仑与副官",
)
LOST: Final = Text(
    en="Napoleon's army fails: Napoleon and the adjutant pay each ally",
    zh_hant="拿破崙軍未達分數：拿破崙與副官付聯合軍每人",
    zh_hans="拿破仑军未达分数：拿破仑与副官付联合军每人",
)


def greatest(base: int, seats: int) -> Text:
    """Return what Napoleon can win at most."""
    most = 2 * base * (seats - 1)
    return Text(
        en=f"{most} chips: Napoleon alone against {seats - 1} allies",
        zh_hant=f"{most} 籌碼：拿破崙獨自對 {seats - 1} 名聯合軍",
        zh_hans=f"{most} 筹码：拿破仑独自对 {seats - 1} 名联合军",
    )


REMOVED: Final[dict[int, tuple[Card, ...]]] = {
    4: ("2c",),
    5: ("2c", "2h", "2d"),
    6: ("2s", "2h", "2d", "2c", "3h"),
    7: ("2s", "2h", "2d", "2c"),
}
"""Cards that are left out, by the number of seats [napoleon D1]."""

PACKS: Final[dict[int, tuple[Card, ...]]] = {
    seats: tuple(card for card in (*PACK_52, BIG_JOKER) if card not in removed) for seats, removed in REMOVED.items()
}

CARDS_EACH: Final = 4
ADJUTANT_FROM: Final = 6
"""Seats from which on Napoleon names an adjutant [napoleon Play 3]."""

HONOURS: Final = "AKQJT"
CALLS: Final[dict[str, Card]] = {"trumps": BIG_JOKER, "joker": "3c"}
"""What may be called, and the card that must be led for it [napoleon Play 6, Play 7, D2]."""


class NapoleonRules(game.HouseRules, frozen=True, kw_only=True):
    """House rules: ``base`` chips, ``min_bid`` card points, ``draw`` each or winner.

    Source: [napoleon D8; napoleon D7; napoleon D5].
    """

    base: keys.Base = 10
    min_bid: tricks_keys.MinBid = 40
    draw: tricks_keys.Draw = "each"
    min_seats: int = 4
    max_seats: int = 7


def points(cards: Iterable[Card], trump: str | None) -> int:
    """Count card points: 15 for the ace of spades, 10 for other trump honours, 1 for all other honours.

    Source: [napoleon D3].
    """
    total = 0
    for card in cards:
        if card == ACE_OF_SPADES:
            total += 15
        elif card[0] in HONOURS:
            total += 10 if card[1] == trump else 1
    return total


def highest_bid(trump: str) -> int:
    """Return all points that there are with these trumps: 70 with spades, 79 otherwise."""
    return points(PACK_52, trump)


class Bidding(Asking["NapoleonRound"], frozen=True):
    """One turn each to bid more than every bid before; the highest bidder is Napoleon [napoleon Play 2]."""

    name: str = "bidding"

    def seats(self, round_: "NapoleonRound") -> Sequence[int]:
        """Ask every seat once, from the left of the button."""
        return round_.order

    def _least(self, round_: "NapoleonRound") -> int:
        return max(round_.rules.min_bid, round_.bid + 1)

    def offered(self, round_: "NapoleonRound", seat: int) -> list[Option]:
        """Offer every higher bid, by how far its trumps go."""
        del seat  # the same for all
        least = self._least(round_)
        bids = [
            Option("bid", {"points": Between(least, most), "trump": OneOf(suits)})
            for suits, most in ((("h", "d", "c"), highest_bid("h")), (("s",), highest_bid("s")))
            if least <= most
        ]
        return [*bids, Option("pass")]

    def check(self, round_: "NapoleonRound", seat: int, action: Action) -> None:
        """Refuse anything but a pass or a higher bid that these trumps can make."""
        del seat  # the same for all
        if isinstance(action, actions.Pass):
            return
        if not isinstance(action, Bid):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; bid points with a trump suit, or pass", illegal_actions.BID_TRUMPS
            )
        if action.trump is None or action.trump not in tuple(SUITS):
            raise illegal_actions.illegal(
                f"{action.trump!r} is not a trump suit; it must be one of s, h, d, c", illegal_actions.TRUMP_SUIT
            )
        least, most = self._least(round_), highest_bid(action.trump)
        if not least <= action.points <= most:
            bounds = (
                f"from {least} to {most}" if least <= most else f"{least} or more, and these trumps have only {most}"
            )
            message = f"{action.points} points cannot be bid now; it must be {bounds}"
            # A suit in which no bid is left bounds nothing: another one may have room.
            told = {"least": least, "greatest": most} if least <= most else {"least": least}
            raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata=told)

    def answer(self, round_: "NapoleonRound", seat: int, action: Action, log: list[Happening]) -> bool:
        """Note a bid."""
        if isinstance(action, Bid):
            round_.bid, round_.bid_trump, round_.bidder = action.points, action.trump, seat
            log.append(Noted("bid", seat=seat, facts={"points": action.points, "trump": action.trump}))
        return False

    def answered(self, round_: "NapoleonRound", log: list[Happening]) -> bool:
        """Make the highest bidder Napoleon; without a bid the round has ended."""
        if round_.bidder is None:
            log.append(Noted("no_bid"))
            round_.settle(log)
            return True
        round_.napoleon, round_.trump = round_.bidder, round_.bid_trump
        log.append(Noted("napoleon", seat=round_.napoleon, facts={"points": round_.bid, "trump": round_.trump}))
        return True


class Naming(Asking["NapoleonRound"], frozen=True):
    """Napoleon names a card; its holder, who stays secret, is his adjutant [napoleon Play 3]."""

    name: str = "naming"

    def seats(self, round_: "NapoleonRound") -> Sequence[int]:
        """Ask Napoleon, where there are enough seats."""
        return [round_.leader] if len(round_.order) >= ADJUTANT_FROM else []

    def offered(self, round_: "NapoleonRound", seat: int) -> list[Option]:
        """Offer every card of the pack."""
        del seat  # his own cards too
        return [Option("name_adjutant", {"card": card_of(PACKS[len(round_.order)])})]

    def check(self, round_: "NapoleonRound", seat: int, action: Action) -> None:
        """Refuse a card that is not in the pack."""
        del seat  # his own cards too
        if not isinstance(action, NameAdjutant):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; name the adjutant's card (name_adjutant)",
                illegal_actions.NAME_ADJUTANT,
            )
        if action.card not in PACKS[len(round_.order)]:
            seats = len(round_.order)
            raise Refused(Reason.ILLEGAL_CARDS, f"{action.card} is not in the pack with {seats} seats; name another")

    def answer(self, round_: "NapoleonRound", seat: int, action: Action, log: list[Happening]) -> bool:
        """Record the named card."""
        if isinstance(action, NameAdjutant):
            round_.named = action.card
            holders = [other for other in round_.order if other != seat and action.card in round_.hands[other]]
            round_.adjutant = holders[0] if holders else None
            log.append(Noted("named", seat=seat, facts={"card": action.card}))
        return True

    def forced(self, round_: "NapoleonRound", seat: int) -> AnyAction:
        """Name the first card of the sheet's list that Napoleon does not hold."""
        wanted = (ACE_OF_SPADES, BIG_JOKER, *(rank + str(round_.trump) for rank in HONOURS))
        return NameAdjutant(card=next(card for card in wanted if card not in round_.hands[seat]))


class Play(Tricks["NapoleonRound"], frozen=True):
    """Tricks, after each of which cards are drawn, until hands and stock are used up."""

    def leader(self, round_: "NapoleonRound") -> int:
        """Napoleon leads."""
        return round_.leader

    def lead(self, round_: "NapoleonRound", leader: int) -> None:
        """Begin a trick; nothing has been called."""
        round_.call = None
        super().lead(round_, leader)

    # -- what may be played -----------------------------------------------------------------------------------

    def _leads(self, round_: "NapoleonRound") -> bool:
        """Return whether the seat in turn leads: no card is face up in the trick."""
        return all(laid.down for laid in round_.trick)

    def _bound(self, round_: "NapoleonRound") -> bool:
        """Return whether the seat in turn leads the first trick and is not the last to do so: no trump, no spade.

        Source: [napoleon Play 4].
        """
        return round_.number == 0 and self._leads(round_) and len(round_.to_act) > 1

    def _must_lay_down(self, round_: "NapoleonRound", seat: int) -> bool:
        """Return whether the seat in turn leads, and holds no card that may be led [napoleon Play 4]."""
        return self._bound(round_) and not self.legal(round_, seat)

    def legal(self, round_: "NapoleonRound", seat: int) -> list[Card]:
        """List the cards that may be played face up [napoleon Play 4, Play 5, Play 6, Play 7]."""
        hand = round_.hands[seat]
        if self._bound(round_):
            return [card for card in hand if card[1] not in {round_.trump, "s"}]
        if self._leads(round_):
            return list(hand)
        if round_.call == "trumps":
            return [card for card in hand if card[1] == round_.trump] or list(hand)
        if round_.call == "joker":
            return [BIG_JOKER] if BIG_JOKER in hand else list(hand)
        led = self.led(round_)
        if not any(card[1] == led for card in hand):
            return list(hand)
        return [card for card in hand if card[1] == led or card == BIG_JOKER]

    def _downs(self, round_: "NapoleonRound", seat: int) -> list[Card]:
        """List the cards that may be laid face down: those worth no points, or any if all count [napoleon Play 4]."""
        hand = round_.hands[seat]
        return [card for card in hand if not points([card], round_.trump)] or list(hand)

    def offered(self, round_: "NapoleonRound", seat: int) -> list[Option]:
        """List the cards that may be played, with the calls that go with them."""
        if self._must_lay_down(round_, seat):
            return [Option("play_down", {"card": card_of(self._downs(round_, seat))})]
        legal = self.legal(round_, seat)
        calls = [
            Option("play", {"cards": one_card([card]), "call": OneOf((call,))})
            for call, card in CALLS.items()
            if self._leads(round_) and card in legal
        ]
        return [Option("play", {"cards": one_card(legal)}), *calls]

    def check(self, round_: "NapoleonRound", seat: int, action: Action) -> None:
        """Refuse a card face up where one must lie face down, and the other way round."""
        if not self._must_lay_down(round_, seat):
            super().check(round_, seat, action)
            return
        if not isinstance(action, PlayDown):
            wrong = f"{action.name} is not possible now: you hold no card that may be led to the first trick"
            raise illegal_actions.illegal(f"{wrong}; lay one face down (play_down)", illegal_actions.LAY_DOWN)
        check_card(round_.hands[seat], (action.card,), self._downs(round_, seat))

    def check_extras(self, round_: "NapoleonRound", action: actions.Play) -> None:
        """Refuse a call that does not go with the card led [napoleon Play 6, Play 7]."""
        if action.sign is not None or action.next is not None:
            raise illegal_actions.illegal(
                "Napoleon has no sign and no next; play one card without them", illegal_actions.CARDS_ALONE
            )
        if action.call is None:
            return
        if action.call not in CALLS:
            raise illegal_actions.illegal(
                f"{action.call!r} cannot be called; it must be trumps or joker", illegal_actions.CALLS
            )
        needed = CALLS[action.call]
        if not self._leads(round_) or action.cards != (needed,):
            raise illegal_actions.illegal(
                f"{action.call} can be called only by leading {needed}", illegal_actions.CALL_BY_LEADING, card=needed
            )

    def forced(self, round_: "NapoleonRound", seat: int) -> AnyAction:
        """Play the weakest card, face down where that is demanded [napoleon Play 8]."""
        if self._must_lay_down(round_, seat):
            return PlayDown(card=round_.ladder.weakest(self._downs(round_, seat), round_.trump))
        return super().forced(round_, seat)

    # -- what follows -----------------------------------------------------------------------------------------

    def do(self, round_: "NapoleonRound", seat: int, action: Action, chance: Chance, log: list[Happening]) -> bool:
        """Lay a card face down, or play it with what is called."""
        if isinstance(action, PlayDown):
            laid = Laid(seat, action.card, down=True)
            round_.laid_down.append(laid)
            log.append(Noted("down", seat=seat))
            return self.lay(round_, laid, log)
        if isinstance(action, actions.Play) and action.call is not None:
            round_.call = action.call
            log.append(Noted("call", seat=seat, facts={"call": action.call}))
        return super().do(round_, seat, action, chance, log)

    def lay(self, round_: "NapoleonRound", laid: Laid, log: list[Happening]) -> bool:
        """Lay a card; the seat that plays the named card face up is public from then on [napoleon Play 3]."""
        if laid.card == round_.named and not laid.down:
            round_.known = True
            log.append(Noted("alone" if laid.seat == round_.napoleon else "adjutant", seat=laid.seat))
        return super().lay(round_, laid, log)

    def won(self, round_: "NapoleonRound", winner: int, log: list[Happening]) -> int | None:
        """Collect the trick and draw; the winner leads, or the next seat to the left that holds cards.

        Source: [napoleon Play 5, Play 8].
        """
        for laid in round_.last_trick:
            (round_.taken_down if laid.down else round_.taken).setdefault(winner, []).append(laid.card)
        all_draw = round_.rules.draw == "each"
        for seat in [winner, *(chips.to_the_left(round_.order, winner)[:-1] if all_draw else ())]:
            if round_.stock:
                _draw(round_, seat, log)
        if round_.stock_open():
            log.append(Shown(owner=None, zone="stock", cards=round_.stock_shown()[:1]))
        holding = round_.holding()
        if len(holding) == 1 and not all_draw:
            _take_all(round_, holding[0], log)
            return None
        if winner in holding:
            return winner
        return chips.to_the_left(holding, winner)[0] if holding else None


def _draw(round_: "NapoleonRound", seat: int, log: list[Happening]) -> None:
    """Draw a card; the named one makes its seat the public adjutant, or Napoleon alone [napoleon Play 3]."""
    face_up = round_.stock_open()
    log.append(round_.draw(seat, face_up=face_up))
    if round_.hands[seat][-1] != round_.named:
        return
    if seat != round_.napoleon:
        round_.adjutant, round_.known = seat, True
        log.append(Noted("adjutant", seat=seat))
    elif face_up:
        round_.known = True
        log.append(Noted("alone", seat=seat))


def _take_all(round_: "NapoleonRound", seat: int, log: list[Happening]) -> None:
    """Draw the whole stock for the last seat with cards; all its cards count for it at once [napoleon Play 8]."""
    while round_.stock:
        _draw(round_, seat, log)
    hand, round_.hands[seat] = round_.hands[seat], []
    round_.taken.setdefault(seat, []).extend(hand)
    log.append(Shown(owner=seat, zone="hand", cards=tuple(hand)))


def count(round_: "NapoleonRound", log: list[Happening]) -> None:
    """Count the army's points, which decide; one side pays the other [napoleon "Pays", D4]."""
    round_.known = True
    piles = (round_.taken, round_.taken_down)
    got = sum(points(pile.get(seat, ()), round_.trump) for seat in round_.army() for pile in piles)
    round_.army_points, won = got, got >= round_.bid
    for seat, amount in zip(round_.army(), (2 * round_.rules.base, round_.rules.base), strict=False):
        for ally in round_.allies():
            payer, payee = (ally, seat) if won else (seat, ally)
            round_.owe(payer, payee, amount, "napoleon" if seat == round_.napoleon else "adjutant")
    log += [Shown(owner=laid.seat, zone="down", cards=(laid.card,)) for laid in round_.laid_down]
    alone = round_.adjutant is None
    log.append(Noted("alone", seat=round_.napoleon) if alone else Noted("adjutant", seat=round_.adjutant))
    log.append(Noted("won" if won else "lost", seat=round_.napoleon, facts={"points": got, "bid": round_.bid}))
    round_.settle(log)


class NapoleonRound(TrickRound[NapoleonRules], kw_only=True):
    """A whole round: auction, play, and the count of the army's points.

    ``bid``, ``bid_trump``, ``bidder``: the highest bid so far; ``napoleon``: its bidder once the bidding is over.
    ``named``: the adjutant's card; ``adjutant``: the seat that holds it; ``known``: whether that is public. ``call``:
    what the leader of this trick called; ``taken``: cards in the tricks of each seat, those that were laid face down
    apart in ``taken_down``; ``laid_down``: who laid which card face down. ``army_points``: the count at the end.
    """

    ladder = ladders.NAPOLEON
    phases = (Deal(each=CARDS_EACH), Bidding(), Naming(), Play(), Step(run=count))

    bid: int = 0
    bid_trump: str | None = None
    bidder: int | None = None
    napoleon: int | None = None
    named: Card | None = None
    adjutant: int | None = None
    known: bool = False
    call: str | None = None
    taken: dict[int, list[Card]] = msgspec.field(default_factory=dict)
    taken_down: dict[int, list[Card]] = msgspec.field(default_factory=dict)
    laid_down: list[Laid] = msgspec.field(default_factory=list)
    army_points: int | None = None

    @property
    def leader(self) -> int:
        """Napoleon, once there is one."""
        assert self.napoleon is not None, "nobody is Napoleon before the bidding is over"
        return self.napoleon

    def army(self) -> list[int]:
        """List Napoleon and his adjutant, if he has one."""
        return [seat for seat in (self.napoleon, self.adjutant) if seat is not None]

    def allies(self) -> list[int]:
        """List all other seats."""
        return [seat for seat in self.order if seat not in self.army()]

    def secret(self, action: Action) -> bool:
        """Return whether the card is face down."""
        return isinstance(action, PlayDown)

    def masked(self, action: AnyAction) -> AnyAction:
        """Hide a card that is face down."""
        return PlayDown(card=HIDDEN) if isinstance(action, PlayDown) else action

    def at_stake(self) -> tuple[Stake, ...]:
        """List what each seat would have lost, as far as it could pay: nothing where nobody bid."""
        if self.napoleon is None:
            return ()
        base, army, allies = self.rules.base, self.army(), len(self.allies())
        risks = dict.fromkeys(self.order, base * (2 + (len(army) > 1)))
        risks.update(zip(army, (2 * base * allies, base * allies), strict=False))
        return self.most_owed("napoleon", risks)

    # -- showing ----------------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """Return Napoleon and what is public of adjutant and points; cards face down do not count yet."""
        army = [seat for seat in self.army() if seat == self.napoleon or self.known]
        seen = sum(points(self.taken.get(seat, ()), self.trump) for seat in army)
        counted = seen if self.army_points is None else self.army_points
        return {"napoleon": self.napoleon, "adjutant": army[1] if len(army) > 1 else None, "points": counted}

    def public_facts(self) -> dict[str, Any]:
        """Add the bid, the named card and what the leader of this trick called."""
        said = {"bid": self.bid, "bid_trump": self.bid_trump, "bidder": self.bidder}
        return {**super().public_facts(), **said, "named": self.named, "call": self.call}

    def status(self, seat: int, viewer: int | None) -> str:
        """Return Napoleon and, to himself or once it is known, his adjutant; the others then are allies."""
        if self.phase in {"bidding", "naming"} or self.napoleon is None:
            return "playing"
        if seat == self.napoleon:
            return "napoleon"
        if seat == self.adjutant and (self.known or seat == viewer):
            return "adjutant"
        return "ally" if self.known or self.named is None else "playing"

    def pots(self) -> tuple[int, ...]:
        """Return no pot."""
        return ()

    def stock_open(self) -> bool:
        """Return whether the top card of the stock is face up: all are but the first [napoleon Play 1, D6]."""
        return bool(self.stock) and self.stock.next > CARDS_EACH * len(self.order)

    def stock_shown(self) -> tuple[Card, ...]:
        """Return the stock: its top card is open once the first has been drawn."""
        hidden = face_down(len(self.stock))
        return (self.stock.cards[self.stock.next], *hidden[1:]) if self.stock_open() else hidden

    def in_words(self, seat: int) -> Text:
        """Return the seat's part, its tricks, and how the army fared."""
        if self.napoleon is None:
            return WORDS["no_bid"]
        won = WORDS["won" if (self.army_points or 0) >= self.bid else "lost"]
        return texts.listed(WORDS[self.status(seat, None)], texts.tricks(self.tricks.get(seat, 0)), won)


class Napoleon(TrickGame[NapoleonRules, NapoleonRound]):
    """Napoleon, 拿破崙 (seed trick-and-pool-games.txt, 游戏七)."""

    id = "napoleon"
    name = NAME
    summary = SUMMARY
    terms = TERMS
    words = WORDS
    rules_type = NapoleonRules
    round_type = NapoleonRound
    fewest = 4
    most = 7

    def limits(self, rules: NapoleonRules) -> dict[str, Limit]:
        """Return also that a bid cannot be higher than all points that there are."""
        return {**super().limits(rules), "min_bid": Range(1, highest_bid("h"))}

    def least_carry(self, rules: NapoleonRules) -> int:
        """Return twice the base, what an ally may owe Napoleon."""
        return 2 * rules.base

    def pack(self, seats: int) -> tuple[Card, ...]:
        """Return the pack with the joker, less some low cards [napoleon D1]."""
        return PACKS[seats]

    def payouts(self, rules: NapoleonRules) -> tuple[game.Payout, ...]:
        """List what a bid made and a bid missed pay."""
        pays = f"{2 * rules.base} Napoleon, {rules.base} adjutant, × allies"
        return (
            game.Payout(bet="napoleon", wins=WON, pays=pays),
            game.Payout(bet="napoleon", wins=LOST, pays=pays),
        )

    def greatest_win(self, rules: NapoleonRules) -> Text:
        """Return what Napoleon wins alone against all others."""
        return texts.capped(greatest(rules.base, rules.max_seats), rules)


GAME = Napoleon()
