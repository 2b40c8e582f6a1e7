"""Napoleon (tricks, ``napoleon``): a bidder and his adjutant against all others, for card points."""

from services.rules import game, limits
from services.rules.cards import Card
from services.rules.chance import Stock
from services.rules.text import Text
from services.rules.tricks import deal
from services.rules.tricks import napoleon_pack as pack
from services.rules.tricks.napoleon_auction import BIDDING
from services.rules.tricks.napoleon_round import NapoleonRound
from services.rules.tricks.texts import capped
from services.rules.tricks.texts import napoleon as texts


class Napoleon(deal.TrickGame):
    """Napoleon, 拿破仑 (seed trick-and-pool-games.txt, 游戏七)."""

    id = "napoleon"
    name = texts.NAME
    summary = texts.SUMMARY
    words = texts.WORDS
    rules_type = pack.NapoleonRules
    round_type = NapoleonRound
    fewest = 4
    most = 7

    def faults(self, rules: game.HouseRules) -> list[game.Fault]:
        """Check base, least bid, the way of drawing and the common limits."""
        faults = limits.common(rules, fewest=self.fewest, most=self.most) + limits.between(rules, "base", 1)
        faults += limits.between(rules, "min_bid", 1, pack.highest_bid("h"))
        return faults + limits.word(rules, "draw", ("each", "winner"))

    def least_carry(self, rules: game.HouseRules) -> int:
        """Return twice the base, what an ally may owe Napoleon."""
        assert isinstance(rules, pack.NapoleonRules)
        return 2 * rules.base

    def pack(self, seats: int) -> tuple[Card, ...]:
        """Return the pack with the joker, less some low cards [napoleon D1]."""
        return pack.PACKS[seats]

    def begin(self, rules: game.HouseRules, table: game.Table, order: tuple[int, ...], stock: Stock) -> deal.Begun:
        """Deal four cards each [napoleon Play 1] and ask for bids from the left of the button [napoleon Play 2]."""
        assert isinstance(rules, pack.NapoleonRules)
        hands, record = deal.deal(stock, order, pack.CARDS_EACH)
        round_ = NapoleonRound(
            rules=rules,
            carry=deal.carry_of(table, order),
            button=order[-1],
            order=order,
            hands=hands,
            stock=stock,
            table_pot=table.pot,
        )
        return round_, [*record, *round_.ask(BIDDING, order)]

    def payouts(self, rules: game.HouseRules) -> tuple[game.Payout, ...]:
        """List what a bid made and a bid missed pay."""
        assert isinstance(rules, pack.NapoleonRules)
        pays = f"{2 * rules.base} Napoleon, {rules.base} adjutant, × allies"
        return (
            game.Payout(bet="napoleon", wins=texts.WON, pays=pays),
            game.Payout(bet="napoleon", wins=texts.LOST, pays=pays),
        )

    def greatest_win(self, rules: game.HouseRules) -> Text:
        """Return what Napoleon wins alone against all others."""
        assert isinstance(rules, pack.NapoleonRules)
        return capped(texts.greatest(rules.base, rules.max_seats), rules)


GAME = Napoleon()
