"""Table templates as the contract shows them, with what their bets return."""

from typing import Any, Final

import msgspec
from pitboss.v1 import catalogue_pb2 as pb

from services.contract import wire_line, wire_rules, wire_tables
from services.house import appraisal, standards, templates
from services.house.appraisal import Appraisal, BetReturn
from services.house.templates import Terms
from services.rules import catalogue
from services.rules.refusals import invalid

PROPOSED, APPROVED, REJECTED, RETIRED, REPLACED = "proposed", "approved", "rejected", "retired", "replaced"
STATES: Final = {
    PROPOSED: pb.TEMPLATE_STATE_PROPOSED,
    APPROVED: pb.TEMPLATE_STATE_APPROVED,
    REJECTED: pb.TEMPLATE_STATE_REJECTED,
    RETIRED: pb.TEMPLATE_STATE_RETIRED,
    REPLACED: pb.TEMPLATE_STATE_REPLACED,
}
OPENERS: Final = {
    templates.PLAYERS: pb.TEMPLATE_OPENERS_PLAYERS,
    templates.STAFF: pb.TEMPLATE_OPENERS_STAFF,
}
_FIELD_WORDS: Final = {number: word for word, number in wire_rules.FIELDS.items()}


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a template version and the persons behind it (empty for standard templates)."""

    state: str = APPROVED
    reason: str = ""
    proposed_by: str = ""
    proposed_ms: int = 0
    decided_by: str = ""
    decision: str = ""
    decided_ms: int = 0
    retired_by: str = ""
    retirement: str = ""
    retired_ms: int = 0


def terms_of(record: Any) -> Terms:
    """Read what a stored version allows."""
    return msgspec.json.decode(record.terms, type=Terms)


def standing_of(record: Any) -> Standing:
    """Return the state of a stored version."""
    return msgspec.convert(record, Standing, from_attributes=True)


def standard_standing(retirement: Any | None) -> Standing:
    """Return the state of a standard template: approved, unless it was retired."""
    if retirement is None:
        return Standing()
    return Standing(
        state=RETIRED,
        retired_by=retirement.retired_by,
        retirement=retirement.reason,
        retired_ms=retirement.retired_ms,
    )


def template(terms: Terms, standing: Standing, *, inside: bool) -> pb.Template:
    """Return the message of a template's version; the persons are included only for staff and auditors (``inside``)."""
    made = pb.Template(
        template_id=terms.template_id,
        version=terms.version,
        game=terms.game,
        family=terms.family,
        title=terms.title,
        state=STATES[standing.state],
        standard=standards.known(terms.template_id),
        house_rules=wire_rules.values(terms.game, terms.rules_version, terms.rules),
        openers=OPENERS[terms.openers],
        varies=[wire_rules.FIELDS[field] for field in terms.varies],
        staff_varies=[wire_rules.FIELDS[field] for field in terms.staff_varies],
        stake=terms.rules.get(catalogue.nearest(terms.game, terms.rules_version).stake_key, 0),
        least_stake=terms.least_stake,
        greatest_stake=terms.greatest_stake,
        currencies=terms.currencies,
        least_buy_in=terms.least_buy_in,
        greatest_buy_in=terms.greatest_buy_in,
        banker=terms.appraisal.banker,
        returns=[returned(one) for one in terms.appraisal.returns],
        appraisal=described(terms.appraisal),
        notice=wire_tables.bank_notice(appraisal.least_return(terms.appraisal)),
    )
    if inside:
        made.MergeFrom(
            pb.Template(
                reason=standing.reason,
                proposed_by=standing.proposed_by,
                proposal_time=wire_line.moment(standing.proposed_ms),
                decided_by=standing.decided_by,
                decision_reason=standing.decision,
                decision_time=wire_line.moment(standing.decided_ms),
                retired_by=standing.retired_by,
                retirement_reason=standing.retirement,
                retirement_time=wire_line.moment(standing.retired_ms),
            )
        )
    return made


def returned(one: BetReturn) -> pb.TemplateReturn:
    """Write what a bet returns."""
    if one.exact:
        return pb.TemplateReturn(bet=one.bet, returned=decimal(one.returned), exact=one.exact)
    return pb.TemplateReturn(
        bet=one.bet, returned=decimal(one.returned), low=decimal(one.low), high=decimal(one.high), rounds=one.rounds
    )


def decimal(value: float) -> str:
    """Write a return with six digits."""
    return f"{value:.6f}"


def described(found: Appraisal) -> str:
    """Return in words how the returns were determined."""
    if not found.banker:
        return "nobody banks; the house takes fee and rake only"
    if all(one.exact for one in found.returns):
        return f"the {found.banker} banks; returns at best play before the fee, enumerated"
    rounds = max(one.rounds for one in found.returns)
    return f"the {found.banker} banks; returns at good play before the fee, over {rounds} simulated rounds"


def field_words(numbers: Any, name: str) -> tuple[str, ...]:
    """Read which fields a template leaves open. Raises Refused."""
    unknown = [number for number in numbers if number not in _FIELD_WORDS]
    if unknown:
        raise invalid(name, f"{unknown[0]} is no field; it must be one of {', '.join(wire_rules.FIELDS)}")
    return tuple(dict.fromkeys(_FIELD_WORDS[number] for number in numbers))
