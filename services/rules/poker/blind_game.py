"""What the games with blinds share: who is dealt in, straddles, and their first version [poker 0.13, 0.15]."""

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from services.rules import actions, illegal_actions
from services.rules.game import Table
from services.rules.kinds import Limit, Only
from services.rules.poker import blind_keys, keys, positions, showdown_keys
from services.rules.poker.game import PokerGame
from services.rules.poker.house_rules import BlindRules
from services.rules.refusals import Reason, Refused


class BlindGame(PokerGame[BlindRules]):
    """A poker game with blinds."""

    version: ClassVar[int] = 2

    def deal(self, rules: BlindRules, table: Table, able: Sequence[int]) -> positions.Deal:
        """Return who of the seats that hold chips is dealt in, and where the button is if it does not simply move."""
        return (
            positions.deal(rules, positions.read(table.memory), able) if table.memory else positions.Deal(tuple(able))
        )

    def left(self, memory: dict[str, Any], seat: int) -> dict[str, Any]:
        """Forget what is known of a seat: its next player is new [poker 0.13]."""
        return positions.write(positions.without(positions.read(memory), seat)) if memory else memory

    def between(self, rules: BlindRules, table: Table, seat: int, action: actions.Action) -> dict[str, Any]:
        """Set whether a seat straddles under the gun [poker 0.15]."""
        if not isinstance(action, actions.Straddle):
            return super().between(rules, table, seat, action)
        if seat not in table.chips:
            message = f"seat {seat} is not taken; take a seat before you straddle"
            raise Refused(Reason.NOT_SEATED, message, metadata={"seat": seat})
        if not rules.may_straddle:
            raise illegal_actions.illegal("the house rules of this table have no straddle", illegal_actions.NO_STRADDLE)
        memory = positions.read(table.memory)
        others = {*memory.straddles} - {seat}
        return positions.write(
            msgspec.structs.replace(memory, straddles=sorted({*others, seat} if action.active else others))
        )

    def standard_rules(self) -> BlindRules:
        """Return the sheet's defaults; in the house's own templates missed blinds are posted [poker 0.13]."""
        return msgspec.structs.replace(self.rules_type(), missed_blinds=keys.POST)


class FirstVersion(BlindGame):
    """Version 1: missed blinds are a big blind or nothing; nobody waits, straddles, runs it twice or hides a hand."""

    version: ClassVar[int] = 1

    def limits(self, rules: BlindRules) -> dict[str, Limit]:
        """Return also the values that this version knows."""
        known = {
            "missed_blinds": Only((keys.NOTHING, keys.POST)),
            "newcomers": Only((blind_keys.AS_MISSED,)),
            "button": Only((blind_keys.MOVING,)),
            "straddle": Only((blind_keys.OFF,)),
            "run_it": Only((showdown_keys.ONCE,)),
            "show": Only((showdown_keys.ALL,)),
        }
        return {**super().limits(rules), **{key: known[key] for key in known.keys() & set(rules.__struct_fields__)}}
