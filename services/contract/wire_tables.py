"""Tables, rounds, options and results as the contract shows them to one viewer."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from google.protobuf import timestamp_pb2
from pitboss.v1 import catalogue_pb2
from pitboss.v1 import table_pb2 as pb

from services.contract import wire_facts, wire_hands, wire_line, wire_people, wire_rules, wire_texts
from services.house.settlement import Posting
from services.rules import facts, house_players, personal
from services.rules.game import Game, Round
from services.rules.offers import Between, Choice, OneOf, Option, Sets, SomeOf
from services.rules.outcomes import HOUSE, POT, Party
from services.rules.personal import Show
from services.table import buttons, events, public_table, stake_allowance
from services.table.buttons import Button
from services.table.full_table import EndedRound, FullTable
from services.table.public_table import PublicTable, RoundRecord

STATES = {
    public_table.OPEN: pb.TABLE_STATE_OPEN,
    public_table.IN_ROUND: pb.TABLE_STATE_IN_ROUND,
    public_table.SETTLING: pb.TABLE_STATE_SETTLING,
    public_table.CLOSED: pb.TABLE_STATE_CLOSED,
}


def timestamp(ms: int) -> timestamp_pb2.Timestamp:
    """Write milliseconds since 1970 as a timestamp."""
    return timestamp_pb2.Timestamp(seconds=ms // 1000, nanos=ms % 1000 * 1_000_000)


def summary(core: PublicTable, show: Show = personal.veiled) -> pb.TableSummary:
    """Show a table as lists do."""
    at = core.opening
    return pb.TableSummary(
        table_id=core.table_id,
        game=at.game,
        family=at.family,
        title=show(at.title),
        currency=at.currency,
        stake=at.stake,
        seats_taken=len(core.seats),
        waiting=len(core.line),
        house_players=sum(house_players.is_one(seat.player) for seat in core.seats.values()),
        seats_reserved=len(core.reserved),
        max_seats=at.max_seats,
        state=STATES[core.phase],
        test=at.test,
        round_number=core.round_number,
        least_buy_in=at.least_buy_in,
        greatest_buy_in=at.greatest_buy_in,
        version=core.version,
        template_id=at.template,
        template_version=at.template_version,
        rules_version=at.version,
        private=at.private,
        least_return=at.least_return,
        notice=bank_notice(at.least_return),
        idle_close_time=idle_close(core.phase, core.idle_ms),
    )


def idle_close(phase: str, idle_ms: int) -> timestamp_pb2.Timestamp | None:
    """Return when the house closes a table that nobody uses until then; None in a round, and where it never does."""
    return timestamp(idle_ms) if idle_ms and phase == public_table.OPEN else None


def bank_notice(least_return: str) -> catalogue_pb2.Text | None:
    """Return the notice that a seat banks, with the worst bet's return; None if there is nothing to say."""
    if not least_return:
        return None
    share = f"{100 * float(least_return):.1f}"
    return catalogue_pb2.Text(
        en=f"A player banks here, and the rules favour the bank: of each 100 chips the worst bet returns {share}.",
        zh_hant=f"本桌由玩家作莊，且規則對莊家有利：最差的注平均每100籌碼只拿回{share}。",
        zh_hans=f"本桌由玩家作庄，且规则对庄家有利：最差的注平均每100筹码只拿回{share}。",
    )


def texts_in(core: PublicTable) -> list[Any]:
    """Return everything of a table that may hold texts of players, sealed; ``show`` of a view must know them."""
    named = [[seat.name, seat.avatar] for seat in core.seats.values()]
    over = core.last.outcome.facts if isinstance(core.last, events.RoundSettled) else getattr(core.last, "reason", "")
    return [core.opening.title, named, list(core.last_names.values()), core.memory, over]


def all_texts_in(table: FullTable) -> list[Any]:
    """Return what ``texts_in`` does, and the texts that the ended round still shows."""
    ended = table.ended
    kept = [] if ended is None else [ended.round.facts()]
    return [*texts_in(table.core), *kept]


def view(table: FullTable, viewer: int | None, show: Show = personal.veiled) -> pb.TableView:
    """Show a table to a seat, or to a spectator (None): nothing that the viewer may not know is in the message.

    ``show`` opens the texts of players that are sealed; without it they are shown as if they were erased.
    """
    core = table.core
    shown = pb.TableView(
        table=summary(core, show),
        version=core.version,
        own_seat=viewer,
        seats=wire_people.seats(core, show),
        button=core.button,
        carried_pot=core.pot,
        house_rules=wire_rules.values(core.opening.game, core.opening.version, core.opening.rules),
        carried=wire_facts.carried(core.memory, show),
        next_seed_commitment=core.next_seed.commitment,
        waiting_list=wire_line.shown(core),
        reserved_seats=wire_line.reserved(core),
        scripted=core.script is not None or (core.round is not None and core.round.script is not None),
        start_time=wire_line.moment(core.start_ms),
        idle_close_time=wire_line.moment(core.idle_ms),
    )
    if table.round is not None and core.round is not None:
        shown.round.CopyFrom(_running(table, viewer, show))
    elif table.ended is not None:
        shown.round.CopyFrom(_ended(table, table.ended, viewer, show))
    if core.last is not None:
        shown.last_result.CopyFrom(result(core.last, core.opening.family, core.last_names, show))
    return shown


def clock(core: PublicTable, now_ms: int) -> pb.Clock:
    """Return the house's clock, with the time left until the house acts next: a deadline, or the start of a round."""
    next_ms = core.deadline_ms or core.start_ms
    left = max(0, next_ms - now_ms) if next_ms else None
    return pb.Clock(server_time=timestamp(now_ms), time_left_ms=left)


def _running(table: FullTable, viewer: int | None, show: Show) -> pb.RoundView:
    core, round_ = table.core, table.round
    assert core.round is not None, "a round has its record"
    assert round_ is not None, "a round has its state"
    shown = _round(table.game, core.round, round_, viewer, show)
    shown.state = pb.ROUND_STATE_RUNNING
    waiting = round_.waiting()
    if waiting is not None:
        shown.waiting_for.extend(waiting.seats)
        shown.turn_ms = 1000 * waiting.seconds + core.bank_ms
        shown.time_bank_ms = core.bank_ms
    if core.deadline_ms:
        shown.deadline_time.CopyFrom(timestamp(core.deadline_ms))
    if viewer is not None:
        shown.options.extend(button(entry) for entry in buttons.of_seat(table, viewer))
    if viewer in core.allowed:
        shown.may_stake = stake_allowance.left(table, viewer)
    return shown


def _ended(table: FullTable, ended: EndedRound, viewer: int | None, show: Show) -> pb.RoundView:
    """Show the last round as it ended; a seat that has changed hands since does not show the new player its cards."""
    settled = table.core.settled
    held = None if viewer is None else table.core.seats.get(viewer)
    seat = None if held is None else ended.viewer(held.player)
    shown = _round(ended.game, ended.record, ended.round, seat, show)
    shown.state = pb.ROUND_STATE_VOIDED if ended.voided else pb.ROUND_STATE_ENDED
    if ended.round.outcome is not None and not ended.voided:
        for seat_shown in shown.seats:
            if (words := ended.round.in_words(seat_shown.seat)) is not None:
                seat_shown.result.CopyFrom(wire_texts.text(words))
        posted = settled.posting if settled and settled.round_number == ended.record.round_number else None
        shown.pot_results.extend(wire_hands.pots(ended.round.outcome, posted, shown.hands))
    return shown


def _round(game: Game, record: RoundRecord, round_: Round, viewer: int | None, show: Show) -> pb.RoundView:
    seen = round_.view(viewer)
    return pb.RoundView(
        round_id=record.round_id,
        round_number=record.round_number,
        phase=seen.phase,
        seats=[pb.RoundSeat(**msgspec.structs.asdict(seat)) for seat in seen.seats],
        zones=[pb.Zone(owner=zone.owner, name=zone.name, cards=zone.cards) for zone in seen.zones],
        pots=seen.pots,
        facts=wire_facts.shown(seen.facts, show),
        hands=wire_hands.hands(game, round_, seen, viewer),
        button=seen.button,
        stocks=[pb.StockCommitment(stock=s.stock, size=s.size, root=s.root) for s in record.stocks],
        betting=pb.Betting(**msgspec.structs.asdict(seen.betting)) if seen.betting is not None else None,
    )


def option(entry: Option) -> pb.Option:
    """Write what a seat may do; the action is spelled as the contract does."""
    return pb.Option(
        action=entry.action,
        arguments={name: _choice(choice) for name, choice in entry.arguments.items()},
    )


def button(entry: Button) -> pb.Option:
    """Write an option with its price, and the amounts that are suggested."""
    shown = option(entry.option)
    shown.cost, shown.most_cost = entry.cost, entry.most_cost
    for choice in shown.arguments.values():
        if choice.HasField("range"):
            choice.range.step = 1
            choice.range.suggestions.extend(
                pb.Suggestion(word=one.word, value=one.value, cost=one.cost) for one in entry.suggested
            )
        elif choice.HasField("numbers"):
            choice.numbers.costs.extend(entry.costs)
    return shown


def _choice(choice: Choice) -> pb.Choice:
    match choice:
        case Between():
            return pb.Choice(range=pb.Range(least=choice.least, most=choice.most))
        case SomeOf():
            return pb.Choice(some_of=pb.SomeOf(cards=choice.cards, least=choice.least, most=choice.most))
        case Sets():
            return pb.Choice(sets=pb.CardSets(sets=[pb.CardSet(cards=entry) for entry in choice.sets]))
        case OneOf():
            if any(isinstance(value, str) for value in choice.values):
                return pb.Choice(words=pb.Words(values=[str(value) for value in choice.values]))
            return pb.Choice(numbers=pb.Numbers(values=[int(value) for value in choice.values]))


def option_from_wire(message: pb.Option) -> Option:
    """Read an option from the wire."""
    return Option(
        action=message.action,
        arguments={name: _choice_from_wire(choice) for name, choice in message.arguments.items()},
    )


def _choice_from_wire(choice: pb.Choice) -> Choice:
    match choice.WhichOneof("kind"):
        case "range":
            return Between(least=choice.range.least, most=choice.range.most)
        case "some_of":
            some = choice.some_of
            return SomeOf(cards=tuple(some.cards), least=some.least, most=some.most)
        case "sets":
            return Sets(sets=tuple(tuple(entry.cards) for entry in choice.sets.sets))
        case "words":
            return OneOf(values=tuple(choice.words.values))
        case _:
            return OneOf(values=tuple(choice.numbers.values))


def result(
    over: events.RoundSettled | events.RoundVoided, family: str, names: Mapping[int, str], show: Show = personal.veiled
) -> pb.RoundResult:
    """Write how a round of a game of this family ended."""
    if isinstance(over, events.RoundVoided):
        return pb.RoundResult(round_number=over.round_number, voided=True, void_reason=show(over.reason))
    posting, named = over.posting, wire_people.names(names, show)
    return pb.RoundResult(
        round_number=over.round_number,
        seats=[
            pb.SeatResult(
                seat=seat.seat,
                name=named.get(seat.seat, ""),
                net=posting.net.get(seat.seat, 0),
                fee=seat.fee,
                chips_before=seat.before,
                chips_after=seat.after,
                house_player=house_players.is_one(seat.player),
            )
            for seat in over.seats
        ],
        fee=posting.fee,
        rake=posting.rake,
        house=posting.house,
        pot=posting.pot,
        claims=claims(posting),
        facts=wire_facts.shown(facts.of(family, over.outcome.facts), show),
    )


def claims(posting: Posting) -> Iterable[pb.Claim]:
    """Write the claims after limits and caps."""
    for claim in posting.claims:
        yield pb.Claim(payer=_party(claim.payer), payee=_party(claim.payee), amount=claim.amount, why=claim.why)


def _party(party: Party) -> pb.Party:
    if isinstance(party, int):
        return pb.Party(seat=party)
    if party == HOUSE:
        return pb.Party(house=True)
    return pb.Party(carried_pot=True) if party == POT else pb.Party(pot=int(party.removeprefix(f"{POT}:")))
