"""How the command line reaches a house: its addresses, and tokens made with its secret."""

import json
from pathlib import Path

import msgspec

from services.localhouse import secret_set
from services.runtime import settings
from services.runtime.identity import Caller, Identity, Role
from services.runtime.settings import SettingsRefused

TOKEN_SECONDS = 12 * 3600.0


class Reach(msgspec.Struct, frozen=True):
    """A running house: its dealers, settlement and audit, and who makes its tokens.

    ``families`` are the dealers by family, where each family has its own.
    """

    dealers: tuple[str, ...]
    settlement: str
    audit: str
    identity: Identity
    families: dict[str, str] = {}

    def token(self, subject: str, role: Role = Role.PLAYER, *, test: bool = False, name: str = "") -> str:
        """Make a token of this house."""
        return self.identity.mint(Caller(subject=subject, role=role, test=test, name=name), TOKEN_SECONDS)


def of_folder(folder: Path, target: str = "") -> Reach:
    """Find a house by the folder of ``pitboss up``, or by its address and the settings of the environment.

    Raises SettingsRefused where neither says how to make tokens.
    """
    written = folder / "house.json"
    found: dict[str, str] = json.loads(written.read_text(encoding="utf-8")) if written.exists() else {}
    kept = folder / "secrets.json"
    own = secret_set.of_tokens(kept)
    environment = settings.load()
    if not own and not any(key.get_secret_value() for key in (environment.jwt_secret, environment.jwt_private_key)):
        raise SettingsRefused(
            f"no key to make tokens with: {kept} does not exist (did `pitboss up` run?),"
            " and neither PITBOSS_JWT_PRIVATE_KEY nor PITBOSS_JWT_SECRET is set"
        )
    identity = Identity(settings.load(**own) if own else environment)
    dealers = [address for name, address in sorted(found.items()) if name.startswith("dealer")]
    families = {} if target or dealers else environment.dealer_addresses
    return Reach(
        dealers=(target,) if target else tuple(dealers) or tuple(families.values()) or (environment.listen,),
        settlement=found.get("settlement", environment.settlement_address),
        audit=found.get("audit", environment.audit_address),
        identity=identity,
        families=families,
    )
