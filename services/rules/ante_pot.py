"""The ante pot: every seat stakes an ante, one winner or several share it (tricks, "Ante pot"; all of survival)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from services.rules import chips
from services.rules.game import HouseRules, Payout
from services.rules.happenings import Happening, Staked
from services.rules.outcomes import Claim, Outcome, Pot, Stake
from services.rules.text import Text

ANTE: Final = "ante"

WORDS: Final[dict[str, Text]] = {
    ANTE: Text(en="ante", zh_hant="底注", zh_hans="底注"),
    "pot": Text(en="pot", zh_hant="彩池", zh_hans="彩池"),
}
"""The words that an ante pot puts into happenings and claims."""


def staked(ante: int, seats: Iterable[int]) -> list[Happening]:
    """Record that every seat stakes ``ante`` chips; nothing to record where the ante is 0."""
    return [Staked(seat=seat, what=ANTE, amount=ante) for seat in seats] if ante else []


def pot(ante: int, seats: Sequence[int]) -> tuple[int, ...]:
    """Return the pot as a view shows it while the round runs, in chips; no pot where the ante is 0."""
    return (ante * len(seats),) if ante else ()


def outcome(
    ante: int,
    seats: Sequence[int],
    winners: Sequence[int],
    button: int,
    *,
    facts: dict[str, Any],
    memory: Mapping[str, Any] | None = None,
) -> Outcome:
    """End a round that is played for an ante pot of ``ante × seats`` chips.

    One winner: each other seat owes him ``ante``. Several: the pot is shared, odd chips one each to the winners
    closest to the left of the button; what a win cap takes goes back to the losing seats. With an ante of 0 nothing
    is owed. ``winners`` must be seats of the round, each named once.
    """
    assert winners, "an ante pot needs a winner"
    assert len(set(winners)) == len(winners), f"a winner is named twice in {winners}"
    assert set(winners) <= set(seats), f"{winners} are not all seats of the round {seats}"
    single = winners[0] if len(winners) == 1 else None
    payee: int | str = "pot:0" if single is None else single
    payers = [seat for seat in seats if seat != single] if ante else []
    shared = Pot(amount=ante * len(seats), winners=tuple(chips.to_the_left(winners, button)))
    return Outcome(
        claims=tuple(Claim(payer=seat, payee=payee, amount=ante, why=ANTE) for seat in payers),
        pots=(shared,) if ante and single is None else (),
        refund=True,
        stakes=tuple(Stake(seat=seat, bet=ANTE, amount=ante, turnover=ante) for seat in seats) if ante else (),
        facts=facts,
        memory=dict(memory or {}),
        button=button,
    )


def payouts(ante: int, wins: Text) -> tuple[Payout, ...]:
    """Return the payout of the ante; ``wins`` describes the winner of this game."""
    return (Payout(bet=ANTE, wins=wins, pays=f"{ante} × (seats − 1)"),)


def greatest_win(ante: int, rules: HouseRules) -> Text:
    """Return what a seat can win at most: the antes of all others, with a win cap never more than its carry."""
    most = ante * (rules.max_seats - 1)
    if rules.win_cap == "stake":
        return Text(
            en=f"{most} chips, and never more than the seat's own carry",
            zh_hant=f"{most} 籌碼，且不超過自己的帶入",
            zh_hans=f"{most} 筹码，且不超过自己的带入",
        )
    return Text(en=f"{most} chips", zh_hant=f"{most} 籌碼", zh_hans=f"{most} 筹码")
