"""A table's move to another version of its game's rules: between rounds, by an operator, recorded in its log."""

from typing import Any

import msgspec

from services.house import appraisal, standards
from services.house.appraisal import HOUSE
from services.rules import catalogue
from services.rules.game import Game, HouseRules
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.table import commands, events, public_table
from services.table.events import Event
from services.table.public_table import PublicTable


def move(
    core: PublicTable, version: int, *, moved_by: str, reason: str, at_ms: int, least_return: str = ""
) -> list[Event]:
    """Move a table to a version of its game's rules, the next round on; no event where it has that version already.

    ``least_return``: as in the opening, found by ``terms``. Raises Refused (``ROUND_IN_PROGRESS``, ``TABLE_CLOSED``;
    ``MATCH_IN_PROGRESS``, a match ends under its rules; ``UNKNOWN_RULES``; ``HOUSE_RULE_OUT_OF_RANGE`` where the
    table's house rules do not fit the version; ``INVALID_ARGUMENT``).
    """
    commands.require_open(core)
    commands.require_reason(reason)
    opening = core.opening
    to, was = catalogue.game(opening.game, version), public_table.game_of(core)
    if version == opening.version:
        return []
    match = was.closed_match(public_table.rules_of(core, was.rules_type), core.for_rules(), in_round=False)
    if match is not None:
        message = f"a match is being played at this table; it ends under version {was.version} of the rules"
        raise Refused(Reason.MATCH_IN_PROGRESS, message, metadata={"match_round": match.round_number})
    rules, memory = to.taken_over(was.version, opening.rules, core.memory)
    return [
        events.RulesMoved(
            at_ms=at_ms,
            rules_version=version,
            was=was.version,
            rules=_kept(was, to, rules),
            memory=memory,
            least_return=least_return,
            moved_by=moved_by,
            reason=reason,
        )
    ]


def least_return(core: PublicTable, version: int) -> str:
    """Return what the worst bet returns under a version, where its rules favour a seat that banks; else nothing.

    Raises Refused (``RETURN_TOO_HIGH``) where the house banks for money and would lose or cannot know that.
    """
    to, was = catalogue.game(core.opening.game, version), public_table.game_of(core)
    rules, _ = to.taken_over(was.version, core.opening.rules, core.memory)
    under = _read(to, rules)
    found = standards.appraised(to, under)
    if appraisal.banker_of(under) == HOUSE and not core.opening.test:
        faults = [f"{fault.field}: {fault.message}" for fault in to.bank_faults(under)]
        faults += [f"{fault.field}: {fault.message}" for fault in appraisal.faults(found)] if found else []
        if found is None:
            faults = ["what the bets return is shown by a trial alone; propose a template of that version instead"]
        if faults:
            message = f"the house cannot bank version {version} of {to.id} by this table's rules: {'; '.join(faults)}"
            raise Refused(Reason.RETURN_TOO_HIGH, message)
    return appraisal.least_return(found) if found else ""


def text(event: events.RulesMoved) -> Text:
    """Return what people at the table read."""
    version = event.rules_version
    return Text(
        f"From the next round on, this table plays by version {version} of the rules.",
        f"自下一局起，此桌改用第 {version} 版規則。",
        f"自下一局起，此桌改用第 {version} 版规则。",
    )


def _kept(was: Game, to: Game, rules: dict[str, Any]) -> dict[str, Any]:
    """Return the house rules under a version: those that were recorded, and those that only the version has.

    Older logs lack rules that came later; what they lack stays off at their tables. Raises Refused.
    """
    under = _read(to, rules)
    if faults := to.faults(under):
        listed = [(f"house_rules.{fault.field}", fault.message) for fault in faults]
        raise _unfit(to, "; ".join(f"{key}: {what}" for key, what in listed), listed)
    known = {field.encode_name for field in msgspec.structs.fields(was.rules_type)}
    values: dict[str, Any] = msgspec.to_builtins(under)
    return {key: value for key, value in values.items() if key in rules or key not in known}


def _read(to: Game, rules: dict[str, Any]) -> HouseRules:
    """Return house rules as those of a version. Raises Refused where it does not know one, or its kind of value."""
    try:
        return msgspec.convert(rules, to.rules_type)
    except msgspec.ValidationError as error:
        raise _unfit(to, str(error), []) from error


def _unfit(to: Game, what: str, fields: list[tuple[str, str]]) -> Refused:
    message = f"the house rules of this table do not fit version {to.version} of {to.id}: {what}; open a new table"
    return Refused(Reason.HOUSE_RULE_OUT_OF_RANGE, message, fields=fields)
