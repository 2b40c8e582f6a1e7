"""The templates that a dealer opens tables from."""

import msgspec
import pytest

from services.dealer import templates
from services.house import standards
from services.house.templates import STAFF
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Caller, Role


def test_a_template_of_rules_that_are_not_kept_opens_nothing() -> None:
    """A template names the version that it was approved for; where the house does not keep it, it opens no table."""
    terms = standards.terms("suit_betting")
    assert templates.as_appraised(terms) == terms
    with pytest.raises(Refused, match="propose it anew") as caught:
        templates.as_appraised(msgspec.structs.replace(terms, rules_version=terms.rules_version + 1))
    assert caught.value.reason is Reason.TEMPLATE_CLOSED


@pytest.mark.parametrize("role", list(Role))
def test_staffs_templates_are_closed_to_players_alone(role: Role) -> None:
    """A player is refused at a template for staff, with the reason; staff may use it."""
    terms = msgspec.structs.replace(standards.terms("war"), openers=STAFF)
    caller = Caller(subject="x", role=role)
    if role is not Role.PLAYER:
        assert templates.for_caller(terms, caller) == terms
        return
    with pytest.raises(Refused, match="opened by staff") as caught:
        templates.for_caller(terms, caller)
    assert caught.value.reason is Reason.PERMISSION_DENIED
