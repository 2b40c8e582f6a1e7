"""A table as dealers hold it: the public core, and the running round with every card.

A live table is kept sealed wherever it is stored; ``store`` and ``load`` turn it into plain bytes and back for that.
"""

import msgspec

from services.fairness import commitment, seed
from services.fairness.chance import RoundChance, SealedChance, Used
from services.fairness.scripted import Script, ScriptedChance
from services.rules import catalogue
from services.rules.cards import Card
from services.rules.game import Game, HouseRules, Round
from services.table import events, public_table
from services.table.events import StockRoot
from services.table.public_table import PublicTable, RoundRecord


class Dealing(msgspec.Struct, kw_only=True):
    """The round's chance: its seed and how far it was used, so that it continues after a reload.

    ``house_seed`` and ``reveal`` (the same seed, sealed for auditors, hex) come from the round's start; ``orders`` are
    those of the stocks made so far, by number, and ``packs`` what was shuffled for them.
    """

    house_seed: bytes
    round_seed: bytes
    reveal: str
    script: Script | None = None
    used: Used = Used()
    orders: dict[int, list[Card]] = {}
    packs: dict[int, list[Card]] = {}

    def chance(self) -> RoundChance:
        """Return the chance of this round, continued from the last draw."""
        if self.script is not None:
            return ScriptedChance.resume(self.script, self.round_seed, self.used)
        return SealedChance.resume(self.round_seed, self.used)

    def after(self, chance: RoundChance) -> tuple[StockRoot, ...]:
        """Note how far a chance was used, and commit to the stocks that it made."""
        self.used = chance.used
        made, chance.made = chance.made, []
        self.orders.update(made)
        self.packs.update(chance.packs)
        return tuple(
            StockRoot(stock=number, size=len(order), root=commitment.root(self.round_seed, number, order).hex())
            for number, order in made
        )


class EndedRound(msgspec.Struct, kw_only=True):
    """The round that ended last, as it stood at its end: shown until the next one starts.

    ``game`` is the version that was played; the table may have been moved to another since. ``players``: each seat's
    player in the round. A seat may have changed hands since, and its new player may not see what the old one saw.
    """

    game: Game
    record: RoundRecord
    round: Round
    players: dict[int, str]
    voided: bool = False

    def viewer(self, player: str) -> int | None:
        """Return the seat whose view of the round a player gets; None for somebody who was not in it."""
        return next((seat for seat, held_by in self.players.items() if held_by == player), None)


class FullTable(msgspec.Struct, kw_only=True):
    """One table in full; ``round`` and ``dealing`` are there while a round is open, ``ended`` from then to the next.

    ``head_hash`` is the hash of the log's event at the table's version. It distinguishes a log with another history
    from the table's own, and is empty if the table was not read from a log.
    """

    core: PublicTable
    game: Game
    rules: HouseRules
    round: Round | None = None
    dealing: Dealing | None = None
    ended: EndedRound | None = None
    head_hash: bytes = b""


_NO_ROUND = msgspec.Raw(msgspec.msgpack.encode(None))


class _StoredEnded(msgspec.Struct, kw_only=True):
    rules_version: int
    record: RoundRecord
    round: msgspec.Raw
    players: dict[int, str]
    voided: bool


class _Stored(msgspec.Struct, kw_only=True):
    rules_version: int
    core: PublicTable
    round: msgspec.Raw  # which class it is of says the game; msgspec reads no optional Raw
    head_hash: bytes
    dealing: Dealing | None = None
    ended: _StoredEnded | None = None


_stored = msgspec.msgpack.Decoder(_Stored)
_encoder = msgspec.msgpack.Encoder()


def of_core(core: PublicTable) -> FullTable:
    """Make a live table of a core without a round."""
    game, rules = public_table.game_and_rules(core)
    return FullTable(core=core, game=game, rules=rules)


def follow_rules(table: FullTable) -> None:
    """Take up the version of the rules that a table was moved to."""
    table.game, table.rules = public_table.game_and_rules(table.core)


def store(live: FullTable) -> bytes:
    """Write a live table as bytes, hidden cards in clear: for sealing only."""
    raw = _NO_ROUND if live.round is None else msgspec.Raw(_encoder.encode(live.round))
    ended = None
    if live.ended is not None:
        ended = _StoredEnded(
            rules_version=live.ended.game.version,
            record=live.ended.record,
            round=msgspec.Raw(_encoder.encode(live.ended.round)),
            players=live.ended.players,
            voided=live.ended.voided,
        )
    stored = _Stored(
        rules_version=live.game.version,
        core=live.core,
        round=raw,
        head_hash=live.head_hash,
        dealing=live.dealing,
        ended=ended,
    )
    return _encoder.encode(stored)


def load(data: bytes) -> FullTable:
    """Read what ``store`` wrote. Raises msgspec.DecodeError where the bytes are of another release.

    Raises catalogue.UnknownRules where this release does not know the version of the game's rules.
    """
    stored = _stored.decode(data)
    live = of_core(stored.core)
    if stored.rules_version != live.game.version:
        opened, held = live.game.version, stored.rules_version
        raise msgspec.DecodeError(f"the round is of version {held} of the rules, the table of version {opened}")
    live.head_hash = stored.head_hash
    if bytes(stored.round) != bytes(_NO_ROUND):
        live.round = msgspec.msgpack.decode(stored.round, type=live.game.round_type)
        live.dealing = stored.dealing
    if stored.ended is not None:
        played = catalogue.game(live.game.id, stored.ended.rules_version)
        live.ended = EndedRound(
            game=played,
            record=stored.ended.record,
            round=msgspec.msgpack.decode(stored.ended.round, type=played.round_type),
            players=stored.ended.players,
            voided=stored.ended.voided,
        )
    return live


def keep_ended(table: FullTable, event: events.Event) -> None:
    """Keep a round that ends with this event, until the next one starts; the event is not folded yet."""
    core = table.core
    match event:
        case events.RoundStarted():
            table.ended = None
        case events.RoundEnded() | events.RoundVoided() if table.round is not None and core.round is not None:
            players = {seat: core.seats[seat].player for seat in core.round.carry}
            voided = isinstance(event, events.RoundVoided)
            table.ended = EndedRound(
                game=table.game, record=core.round, round=table.round, players=players, voided=voided
            )
        case events.RoundVoided() if table.ended is not None:
            table.ended.voided = True
        case _:
            pass


def deal(
    house_seed: bytes, reveal: str, core: PublicTable, player_seeds: dict[int, str], script: Script | None
) -> Dealing:
    """Make the chance of the round that starts now from the house's seed and the players'."""
    round_seed = seed.combine(house_seed, core.table_id, core.round_number + 1, player_seeds)
    return Dealing(house_seed=house_seed, round_seed=round_seed, reveal=reveal, script=script)
