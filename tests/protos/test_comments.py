"""The public contract's comments: each method lists its callers and existing reasons."""

import re
from pathlib import Path

import pytest

from services.audit import service as audit
from services.dealer import access as dealer
from services.dealer import catalogue_service
from services.rules.refusals import Reason
from services.runtime.identity import Role
from services.settlement import privacy, reports, wallets
from services.settlement import service as settlement
from services.settlement.backoffice import service as backoffice

PROTOS = Path(__file__).parents[2] / "protos" / "pitboss" / "v1"
ACCESS = {
    "AuditService": audit.ACCESS,
    "BackOfficeService": backoffice.ACCESS,
    "CatalogueService": catalogue_service.ACCESS,
    "DealerService": dealer.ACCESS,
    "PrivacyService": privacy.ACCESS,
    "ReportService": reports.ACCESS,
    "SettlementService": settlement.ACCESS,
    "WalletService": wallets.ACCESS,
}
_COMMENTED = re.compile(r"((?:^ *//.*\n)+) *rpc (\w+)\(", re.MULTILINE)
_SERVICE = re.compile(r"^service (\w+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")


def _comments() -> dict[tuple[str, str], str]:
    """Return the comment of every method, as one line of text."""
    found: dict[tuple[str, str], str] = {}
    for path in PROTOS.glob("*.proto"):
        for service, body in _SERVICE.findall(path.read_text()):
            for comment, method in _COMMENTED.findall(body):
                found[service, method] = " ".join(comment.replace("//", " ").split())
    return found


COMMENTS = _comments()


def test_every_method_has_a_comment() -> None:
    """Each method that a service serves is described in its proto."""
    served = {(service, method) for service, access in ACCESS.items() for method in access}
    assert served == set(COMMENTS)


@pytest.mark.parametrize(("service", "method"), sorted(COMMENTS))
def test_a_comment_names_the_callers_that_the_service_admits(service: str, method: str) -> None:
    """The line "Callers:" lists exactly the roles that may call the method."""
    listed = re.search(r"Callers: ([a-z, ]+)\.", COMMENTS[service, method])
    assert listed is not None, "a method's comment has a line 'Callers: ….'"
    roles = set(Role) if listed[1] == "any role" else {Role(role) for role in listed[1].split(", ")}
    assert roles == set(ACCESS[service][method])


@pytest.mark.parametrize(("service", "method"), sorted(COMMENTS))
def test_a_comment_names_reasons_of_the_closed_list(service: str, method: str) -> None:
    """The line "Refuses with:" is there, and every reason in the comment exists."""
    comment = COMMENTS[service, method]
    assert "Refuses with: " in comment
    assert set(_WORD.findall(comment)) <= set(Reason)


@pytest.mark.parametrize("message", ["PlayedRound", "StatementLine"])
def test_every_field_of_an_account_of_chips_has_a_comment(message: str) -> None:
    """A front end that shows these lines to a player reads in the proto what each figure holds, and its sign."""
    [body] = [
        found
        for path in PROTOS.glob("*.proto")
        for found in re.findall(rf"^message {message} \{{\n(.*?)^\}}", path.read_text(), re.MULTILINE | re.DOTALL)
    ]
    lines = body.splitlines()
    bare = [
        line for before, line in zip(["", *lines], lines, strict=False) if "=" in line and "//" not in before + line
    ]
    assert bare == []
