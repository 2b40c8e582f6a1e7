"""Whose tokens the house accepts: its own, and those of one OpenID Connect provider.

The house's tokens are checked with the key of the settings, and with those of a key set while keys are rotated. Those
of the provider are checked with its key set alone. Its claims become the house's by a written mapping, and they make
nobody a service or a house player.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

import jwt

from services.runtime import verification_keys
from services.runtime.settings import PREFIX, Settings, SettingsRefused
from services.runtime.verification_keys import Key, KeySource

NOT_FOR_CALLS: Final = frozenset({"ID", "Refresh", "Logout"})
"""Values of the claim ``typ`` by which providers mark tokens that are no access tokens."""


class UnknownKeyError(Exception):
    """A token names a key that the house does not know, or none where it must."""


class UnreadKeysError(Exception):
    """A token names a key that the house does not know, and the key set could not be read: it may be a good one."""


class Issuer:
    """The house as an issuer: its name, its audience and its keys."""

    def __init__(self, name: str, audience: str, key: Key | None, key_id: str, source: KeySource | None) -> None:
        self.name, self.audience = name, audience
        self._key, self._key_id = key, key_id
        self.source = source

    def key(self, key_id: object) -> Key:
        """Return the key of an id, which may be missing. Raises UnknownKeyError, UnreadKeysError."""
        found = None
        if self.source is not None and isinstance(key_id, str):
            found = self.source.get(key_id)
        if found is None and (self.source is None or key_id is None or key_id == self._key_id):
            found = self._key
        if found is None and key_id is not None and self.source is not None and not self.source.is_current:
            raise UnreadKeysError
        if found is None:
            raise UnknownKeyError
        return found

    def translated(self, claims: dict[str, Any]) -> dict[str, Any]:
        """Return checked claims as the house reads them."""
        return claims


class Provider(Issuer):
    """A provider: the roles of the house follow from a claim of its tokens."""

    def __init__(self, settings: Settings, allowed: AbstractSet[str]) -> None:
        for name in ("jwt_provider_jwks", "jwt_provider_audience"):
            if not getattr(settings, name):
                raise SettingsRefused(f"{PREFIX}{name.upper()} is needed with {PREFIX}JWT_PROVIDER_ISSUER and not set")
        for value, role in settings.jwt_provider_roles.items():
            if role not in allowed:
                raise SettingsRefused(
                    f"{PREFIX}JWT_PROVIDER_ROLES gives {value!r} the role {role!r};"
                    f" a provider's tokens have one of {', '.join(sorted(allowed))}"
                )
        if settings.jwt_provider_issuer == settings.jwt_issuer:
            raise SettingsRefused(f"{PREFIX}JWT_PROVIDER_ISSUER must differ from {PREFIX}JWT_ISSUER, the house's own")
        source = KeySource(settings.jwt_provider_jwks, "JWT_PROVIDER_JWKS")
        super().__init__(settings.jwt_provider_issuer, settings.jwt_provider_audience, None, "", source)
        self._claim = settings.jwt_provider_role_claim.split(".")
        self._roles = settings.jwt_provider_roles

    def translated(self, claims: dict[str, Any]) -> dict[str, Any]:
        """Return the claims with a role of the house, and a name where the provider has one under another claim."""
        if claims.get("typ") in NOT_FOR_CALLS:
            raise jwt.InvalidTokenError
        found: Any = claims
        for name in self._claim:
            found = found.get(name) if isinstance(found, Mapping) else None
        values = [found] if isinstance(found, str) else found if isinstance(found, list) else []
        role = next((role for value, role in self._roles.items() if value in values), None)
        name = claims.get("name") or claims.get("preferred_username") or ""
        return {**claims, "role": role, "name": name}


class Issuers:
    """The issuers that the settings name. Raises SettingsRefused."""

    def __init__(self, settings: Settings, key: Key, allowed: AbstractSet[str]) -> None:
        source = KeySource(settings.jwt_jwks, "JWT_JWKS") if settings.jwt_jwks else None
        self.own_key_id = _id_of(key)
        self._house = Issuer(settings.jwt_issuer, settings.jwt_audience, key, self.own_key_id, source)
        self._provider = Provider(settings, allowed) if settings.jwt_provider_issuer else None
        self._sources = [one.source for one in (self._house, self._provider) if one and one.source]

    def changes(self) -> int:
        """Return how often keys were withdrawn or replaced."""
        return sum(one.changes for one in self._sources)

    def of(self, token: str) -> tuple[Issuer, Key]:
        """Return whose token it claims to be, and the key that must have signed it.

        Raises UnknownKeyError, UnreadKeysError, and the errors of the library where the token cannot be read.
        """
        issuer, key_id = self._named(token)
        return issuer, issuer.key(key_id)

    async def prepare(self, token: str) -> None:
        """Read the keys that a token needs, if they are not known."""
        if not self._sources:
            return
        try:
            issuer, key_id = self._named(token)
        except (jwt.PyJWTError, ValueError, TypeError, AttributeError, RecursionError):
            return  # such a token is refused when it is checked
        if issuer.source is not None and isinstance(key_id, str) and key_id != self.own_key_id:
            await issuer.source.prepare(key_id)

    def _named(self, token: str) -> tuple[Issuer, object]:
        if not self._sources:
            return self._house, None
        issuer = self._house
        if self._provider is not None:
            claims = jwt.decode(token, options={"verify_signature": False})
            issuer = self._provider if claims.get("iss") == self._provider.name else self._house
        return issuer, jwt.get_unverified_header(token).get("kid")


def _id_of(key: Key) -> str:
    """Return the id of the house's own public key, "" for a secret and for a text that is no key."""
    if key.algorithm == "HS256":
        return ""
    algorithm = jwt.get_algorithm_by_name(key.algorithm)
    try:
        return verification_keys.thumbprint(algorithm.to_jwk(algorithm.prepare_key(key.public), as_dict=True))
    except (jwt.PyJWTError, ValueError, TypeError):
        return ""  # found when the first token is checked
