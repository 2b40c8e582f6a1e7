"""The most that seats may stake [R43]: enforced at the start, at every action, and in the options.

A player with a stake limit is dealt in with no more chips than it may stake: the round's carry. No game lets a seat
stake more than that, whatever is won meanwhile, so that nothing need be asked while the round runs. Only where a limit
is tightened in the middle of a round the carry is too much; then each action by which a seat would put in more is
tried on a copy of the round first. What the round asks of a seat without a choice goes on: nobody is taken out of it.
"""

import msgspec

from services.limits import policy
from services.rules import actions
from services.rules.game import Round
from services.rules.offers import Between, Choice, OneOf, Option, enumerate_actions, is_offered
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.table import action_bound
from services.table.full_table import FullTable


def options(table: FullTable, seat: int) -> list[Option]:
    """List all that a seat of the running round may do now: complete, and nothing in it is refused."""
    assert table.round is not None, "no round runs"
    return _allowed(table, seat, table.round.options(seat))


def offers(table: FullTable, seat: int) -> list[Option]:
    """List what a seat of the running round is shown to choose from: each thing that it may do, once."""
    assert table.round is not None, "no round runs"
    return _allowed(table, seat, table.round.offers(seat))


def _allowed(table: FullTable, seat: int, listed: list[Option]) -> list[Option]:
    offered = action_bound.within(table, seat, listed)
    return _within(table, seat, offered) if _lowered(table, seat) else offered


def verify(table: FullTable, seat: int, action: actions.Action) -> None:
    """Raise Refused where the rules do not allow an action, or a limit does not (``LIMIT_REACHED``)."""
    round_ = table.round
    assert round_ is not None, "no round runs"
    try:
        round_.verify(seat, action)
    except Refused as refusal:
        if seat in table.core.allowed and _for_the_limit(table, seat, action, refusal):
            raise refused(left(table, seat)) from refusal
        raise
    if not _lowered(table, seat) or not action.stakes:
        return
    if not _fits(table, seat, action) and not is_offered(options(table, seat), action):
        raise refused(left(table, seat))


def left(table: FullTable, seat: int | None) -> int:
    """Return the chips that a seat with a limit may still stake in the running round; 0 where it is not in it."""
    if seat is None or table.round is None or seat not in table.round.carry:
        return 0
    return policy.left(table.core.allowed[seat], staked(table.round, seat))


def staked(round_: Round, seat: int) -> int:
    """Return what a seat has staked in a round so far, chips that were returned to it included once it has ended."""
    seen = next((one.staked for one in round_.view(None).seats if one.seat == seat), 0)
    ended = round_.outcome.stakes if round_.outcome is not None else ()
    return max(seen, sum(stake.amount for stake in ended if stake.seat == seat))


def refused(chips: int) -> Refused:
    """Return the refusal of a stake beyond a limit, with what may still be staked."""
    return Refused(
        Reason.LIMIT_REACHED,
        f"your stake limit is reached: you may stake {chips} more chips in this round",
        metadata={"limit": "stake", "left": chips},
        text=Text(
            f"Your stake limit is reached: you may stake {chips} more chips in this round.",
            f"已達投注上限：本局最多還可投注 {chips} 分。",
            f"已达投注上限：本局最多还可投注 {chips} 分。",
        ),
    )


# -- why the rules refuse


def _for_the_limit(table: FullTable, seat: int, action: actions.Action, refusal: Refused) -> bool:
    """Return whether the rules refuse only because the seat may not stake all of its chips."""
    round_, core = table.round, table.core
    assert round_ is not None, "no round runs"
    if refusal.reason == Reason.NOT_SEATED:
        return seat not in round_.carry
    if core.allowed[seat] >= core.seats[seat].chips:
        return False
    asked = getattr(action, "amount", getattr(action, "to", 0))
    return refusal.reason == Reason.INSUFFICIENT_CHIPS or (
        refusal.reason == Reason.AMOUNT_OUT_OF_RANGE and asked > core.allowed[seat] - staked(round_, seat)
    )


# -- limits that were tightened in mid-round


def _lowered(table: FullTable, seat: int) -> bool:
    """Return whether a seat may stake less than it was dealt in with."""
    allowed, round_ = table.core.allowed, table.round
    return bool(allowed) and round_ is not None and seat in allowed and allowed[seat] < round_.carry.get(seat, 0)


def _fits(table: FullTable, seat: int, action: actions.Action) -> bool:
    """Return whether an action keeps a seat within what it may stake, or adds nothing to its stake."""
    assert table.round is not None, "no round runs"
    return _tried(table, seat, action) <= max(table.core.allowed[seat], staked(table.round, seat))


def _tried(table: FullTable, seat: int, action: actions.Action) -> int:
    """Return what a seat has staked after an action, which is tried on a copy of the round."""
    assert table.dealing is not None, "a round has its chance"
    copy: Round = msgspec.msgpack.decode(msgspec.msgpack.encode(table.round), type=table.game.round_type)
    copy.do(seat, action, table.dealing.chance())
    return staked(copy, seat)


def _within(table: FullTable, seat: int, offered: list[Option]) -> list[Option]:
    """Narrow what is offered to what a seat may stake; where nothing is left, to the least that the round asks."""
    narrowed = [kept for option in offered if (kept := _narrowed(table, seat, option)) is not None]
    if narrowed or not offered:
        return narrowed
    asked = [(_tried(table, seat, _first(option)), option) for one in offered for option in _least(one)]
    fewest = min(chips for chips, _ in asked)
    return [option for chips, option in asked if chips == fewest]


def _narrowed(table: FullTable, seat: int, option: Option) -> Option | None:
    """Narrow the amount or multiple of one option; None where none of them may be staked."""
    if not actions.BY_NAME[option.action].stakes:
        return option
    for name, choice in option.arguments.items():
        if isinstance(choice, Between):
            most = _most(table, seat, option, name, choice)
            return _with(option, name, Between(choice.least, most)) if most >= choice.least else None
        if isinstance(choice, OneOf) and isinstance(choice.values[0], int):
            fitting = [
                int(value) for value in choice.values if _fits(table, seat, _first(_pinned(option, name, value)))
            ]
            return _with(option, name, OneOf(tuple(fitting))) if fitting else None
    return option if _fits(table, seat, _first(option)) else None


def _most(table: FullTable, seat: int, option: Option, name: str, choice: Between) -> int:
    """Find the greatest amount that may be staked; one less than the least where none may."""
    low, high = choice.least - 1, choice.most
    while low < high:
        middle = (low + high + 1) // 2
        if _fits(table, seat, _first(_pinned(option, name, middle))):
            low = middle
        else:
            high = middle - 1
    return low


def _least(option: Option) -> list[Option]:
    """Return an option with its least amount, or once with each of its multiples."""
    for name, choice in option.arguments.items():
        if isinstance(choice, Between):
            return [_with(option, name, Between(choice.least, choice.least))]
        if isinstance(choice, OneOf) and isinstance(choice.values[0], int):
            return [_pinned(option, name, value) for value in choice.values]
    return [option]


def _with(option: Option, name: str, choice: Choice) -> Option:
    return Option(option.action, {**option.arguments, name: choice})


def _pinned(option: Option, name: str, value: int | str) -> Option:
    return _with(option, name, OneOf((int(value),)))


def _first(option: Option) -> actions.Action:
    return enumerate_actions(option, 1)[0]
