"""The words that messages hold, by kind: what clients of the contract can be shown of a game."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from pitboss.v1 import actions_pb2, facts_pb2, table_pb2

from services.contract import wire_events, wire_facts, wire_tables
from services.rules import cards
from services.rules.views import View
from services.rules.vocabulary import Kind
from services.table import codec
from tests.support import sittings, worlds
from tests.support.sittings import Sitting

Found = tuple[Kind, str]

WORDS: Final[dict[str, Kind]] = {
    "RoundView.phase": Kind.PHASE,
    "PhaseHappening.name": Kind.PHASE,
    "Zone.name": Kind.ZONE,
    "DealtHappening.zone": Kind.ZONE,
    "ShownHappening.zone": Kind.ZONE,
    "Hand.zone": Kind.ZONE,
    "Hand.category": Kind.WORD,
    "PotShare.half": Kind.WORD,
    "PotShare.board": Kind.ZONE,
    "RoundSeat.status": Kind.STATUS,
    "StakedHappening.what": Kind.REASON,
    "ForcedBet.reason": Kind.REASON,
    "Claim.why": Kind.REASON,
    "Option.action": Kind.ACTION,
    "DecidedHappening.name": Kind.ACTION,
    "TableEvent.action_name": Kind.ACTION,
    "NotedFacts.action": Kind.ACTION,
    "NotedHappening.what": Kind.HAPPENING,
    "Words.values": Kind.WORD,
    "Suggestion.word": Kind.SUGGESTION,
    "PlaceBetAction.spot": Kind.WORD,
    "GuessAction.side": Kind.WORD,
    "PlayAction.call": Kind.WORD,
    "PlayAction.sign": Kind.WORD,
    "BidAction.trump": Kind.WORD,
    "RoundFacts.trump": Kind.WORD,
    "RoundFacts.hands": Kind.WORD,
    "SpotBet.spot": Kind.REASON,
    "BankerFacts.guess": Kind.WORD,
    "BankerFacts.player_hand": Kind.WORD,
    "BankerFacts.dealer_hand": Kind.WORD,
    "BankerFacts.bonus_hand": Kind.WORD,
    "TrickFacts.bid_trump": Kind.WORD,
    "TrickFacts.call": Kind.WORD,
    "NotedFacts.hand": Kind.WORD,
    "NotedFacts.second_hand": Kind.WORD,
    "PokerFacts.second_hands": Kind.WORD,
    "NotedFacts.hands": Kind.WORD,
    "NotedFacts.combination": Kind.WORD,
    "NotedFacts.trump": Kind.WORD,
    "NotedFacts.call": Kind.WORD,
    "NotedFacts.guess": Kind.WORD,
    "NotedFacts.player_hand": Kind.WORD,
    "NotedFacts.bank_hand": Kind.WORD,
    "NotedFacts.pair_plus": Kind.WORD,
}
"""The fields that hold a word of a game, and the kind of the word."""

OTHERS: Final = frozenset(
    [
        "Seat.player_id",
        "Seat.player",
        "Seat.avatar",
        "Hand.cards",
        "Hand.best",
        "Zone.cards",
        "DealtHappening.cards",
        "ShownHappening.cards",
        "SomeOf.cards",
        "CardSet.cards",
        "PlayedCard.card",
        "PokerFacts.exposes",
        "PokerFacts.lows",
        "PokerFacts.second_lows",
        "NotedFacts.low",
        "NotedFacts.second_low",
        "LowHand.best",
        "TrickFacts.turned",
        "TrickFacts.named",
        "ClimbingFacts.face_up",
        "SurvivalFacts.tops",
        "SurvivalFacts.line",
        "NotedFacts.cards",
        "CarriedFacts.used_cards",
        "DrawAction.discards",
        "ExposeAction.card",
        "ArrangeAction.low",
        "ArrangeAction.high",
        "PlayAction.cards",
        "PlayDownAction.card",
        "RobAction.discard",
        "NameAdjutantAction.card",
        "SurvivalFacts.nicknames",
        "CarriedFacts.nicknames",
        "SetNicknameAction.name",
        "Seat.name",
        "SeatResult.name",
        "TopUp.failed",
        "TableSummary.title",
        "TableSummary.table_id",
        "TableSummary.game",
        "TableSummary.family",
        "TableSummary.currency",
        "TableSummary.template_id",
        "TableSummary.least_return",
        "RoundView.round_id",
        "StockCommitment.root",
        "TableView.next_seed_commitment",
        "TableEvent.type",
        "TableEvent.reason",
        "RoundResult.round_id",
        "RoundResult.void_reason",
    ]
)
"""The fields of text that hold no word of a game: cards, names, ids, reasons that persons wrote."""

_UNNAMED: Final = frozenset({"half"}) | {
    field.name for field in facts_pb2.RoundFacts.DESCRIPTOR.oneofs_by_name["family_facts"].fields
}
"""Fields of facts that are part of another one and have no name of their own."""


def _at_the_end(seen: View) -> Iterator[Found]:
    yield Kind.PHASE, seen.phase
    yield from ((Kind.STATUS, seat.status) for seat in seen.seats)
    yield from ((Kind.ZONE, zone.name) for zone in seen.zones)
    yield from words_in(wire_facts.shown(seen.facts))


def text_fields() -> Iterator[str]:
    """List every field of text in the messages of tables, facts and actions."""
    for file in (table_pb2, facts_pb2, actions_pb2):
        for name, message in file.DESCRIPTOR.message_types_by_name.items():
            for field in message.fields:
                if _is_map(field):
                    if field.message_type.fields_by_name["value"].type == FieldDescriptor.TYPE_STRING:
                        yield f"{name}.{field.name}"
                elif field.type == FieldDescriptor.TYPE_STRING:
                    yield f"{name}.{field.name}"


def _is_map(field: Any) -> bool:
    return bool(field.message_type is not None and field.message_type.GetOptions().map_entry)


def words_in(message: Message) -> Iterator[Found]:
    """Return every word of a game that a message holds, however deep."""
    name = message.DESCRIPTOR.name
    is_facts = message.DESCRIPTOR.file.name.endswith("facts.proto")
    for field, value in message.ListFields():
        where = f"{name}.{field.name}"
        if is_facts and field.name not in _UNNAMED:
            yield Kind.FACT, field.name
        if name == "Option" and field.name == "arguments":
            yield from ((Kind.ARGUMENT, argument) for argument in value)
        if name.endswith("Action") and name != "Action":
            yield Kind.ARGUMENT, field.name
        if where in WORDS:
            yield from ((WORDS[where], word) for word in _texts(field, value) if word and not cards.is_card(word))
        yield from _inside(field, value)


def _inside(field: Any, value: Any) -> Iterator[Found]:
    if _is_map(field):
        value = list(value.values())
    entries = value if field.is_repeated else [value]
    for entry in entries:
        if isinstance(entry, Message):
            if entry.DESCRIPTOR.name == "Action":
                kind = entry.WhichOneof("kind")
                yield from [(Kind.ACTION, kind)] if kind else []
            yield from words_in(entry)


def _texts(field: Any, value: Any) -> list[str]:
    if _is_map(field):
        return list(value.values())
    return list(value) if field.is_repeated else [value]


def played(game: str, seed: str, rounds: int, most: int = 200) -> Iterator[Found]:
    """Play rounds at a table by chance and return all words of its views for everybody, and of its events."""
    rng = Random(f"{game} {seed}")
    sitting: Sitting = sittings.random_sitting(game, seed, rounds=0, salt=seed)
    for _ in range(rounds):
        if not worlds.can_start(sitting.game, sitting.rules, sitting.table.core.for_rules()):
            break
        sitting.start()
        round_ = sitting.table.round
        for step in range(worlds.MOST_MOVES):
            if sitting.table.round is None:
                break
            if step < most or step % 50 == 0:
                for viewer in (None, *sitting.table.core.seats):
                    yield from words_in(wire_tables.view(sitting.table, viewer))
            round_ = sitting.table.round
            sitting.step(rng)
        if round_ is not None:
            yield from _at_the_end(round_.view(None))
        sitting.settle()
        yield from words_in(wire_tables.view(sitting.table, None))
    for version, event in enumerate(sitting.log, start=1):
        yield from words_in(wire_events.event(version, codec.name(event), event, sitting.game.family))
