"""Identity of callers: a bearer token (JWT) holds subject, role, whether it is a test player, and a display name."""

import enum
import re
import time
from collections.abc import Callable
from typing import Any, Final

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.rules import house_players
from services.rules.refusals import Reason, Refused
from services.runtime import keys
from services.runtime.settings import PREFIX, Settings, SettingsRefused
from services.runtime.token_issuers import Issuers, UnknownKeyError, UnreadKeysError
from services.runtime.verification_keys import Key

LEEWAY_SECONDS = 5
"""Seconds by which the clocks of two machines may differ."""
SHORTEST_SECRET = 32
"""Minimum characters of an HS256 secret: the bytes of the digest."""
REMEMBERED = 4096
"""Maximum verified tokens in a process's cache."""
SUBJECT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@|-]{0,63}")
"""Subjects become parts of account names, which are joined by colons."""
LONGEST_NAME: Final = 80
"""Maximum characters of a name that are shown; the rest is cut off."""
LONGEST_PICTURE: Final = 500
"""Maximum characters of the address of a picture; a longer one is left out."""


class Role(enum.StrEnum):
    """The role of a caller."""

    PLAYER = "player"
    OPERATOR = "operator"
    AUDITOR = "auditor"
    SERVICE = "service"


class Caller(msgspec.Struct, frozen=True):
    """A caller; ``test`` marks test players, who play at test tables only; ``name`` is the display name.

    ``avatar`` is the address of a picture; it is checked where it is stored. ``house_player`` marks a program of the
    house that plays. It is a test player, and its subject begins with ``house_players.PREFIX``, as no other does.
    """

    subject: str
    role: Role
    test: bool = False
    name: str = ""
    avatar: str = ""
    house_player: bool = False


class Identity:
    """Makes and checks tokens with the keys of the settings."""

    def __init__(self, settings: Settings, remembered: int = REMEMBERED) -> None:
        self._remembered = remembered
        self._algorithm = settings.jwt_algorithm
        self._issuer, self._audience = settings.jwt_issuer, settings.jwt_audience
        self._sign, check = _keys(settings)
        self._issuers = Issuers(settings, Key(self._algorithm, check), set(Role) - {Role.SERVICE})
        self._changes = self._issuers.changes()
        self._known: dict[str, tuple[Caller, float]] = {}

    @property
    def algorithm(self) -> str:
        """How tokens are signed."""
        return self._algorithm

    def can_mint(self) -> bool:
        """Return whether this process holds the key that makes tokens."""
        return bool(self._sign)

    def remembers(self) -> int:
        """Return the number of verified tokens in the cache."""
        return len(self._known)

    def mint(self, caller: Caller, seconds: float, now: float | None = None) -> str:
        """Return a token for a caller, valid for ``seconds``; raise ``SettingsRefused`` without a signing key."""
        if not self._sign:
            raise SettingsRefused(f"{PREFIX}JWT_PRIVATE_KEY is needed to make tokens and not set")
        if not SUBJECT.fullmatch(caller.subject):
            raise ValueError(f"subject {caller.subject!r}: 1 to 64 letters, digits and . _ @ | -")
        if not caller.name.isprintable():
            raise ValueError(f"name {caller.name!r}: printable characters only")
        if wrong := _house_player_fault(caller):
            raise ValueError(wrong)
        assert seconds > 0, f"a token lives for a while, not for {seconds} seconds"
        issued = int(time.time() if now is None else now)
        claims = {
            "iss": self._issuer,
            "aud": self._audience,
            "sub": caller.subject,
            "iat": issued,
            "exp": issued + max(1, int(seconds)),
            "role": caller.role.value,
        }
        claims |= {"test": True} if caller.test else {}
        claims |= {"name": caller.name} if caller.name else {}
        claims |= {"picture": caller.avatar} if caller.avatar else {}
        claims |= {"house_player": True} if caller.house_player else {}
        return self.sign(claims)

    def sign(self, claims: dict[str, Any]) -> str:
        """Sign claims unchecked."""
        key_id = self._issuers.own_key_id
        return jwt.encode(claims, self._sign, self._algorithm, headers={"kid": key_id} if key_id else None)

    async def prepare(self, token: str) -> None:
        """Read the keys that a token needs, if they are not known; ``verify`` alone never waits for anything."""
        if token not in self._known or self._issuers.changes() != self._changes:
            await self._issuers.prepare(token)

    def verify(self, token: str) -> Caller:
        """Check a token and return its caller; raise ``Refused`` UNAUTHENTICATED with the reason in words."""
        return self.verify_until(token)[0]

    def verify_until(self, token: str) -> tuple[Caller, float]:
        """Return a token's caller and the token's end in seconds since 1970, including the leeway of clocks.

        Raises ``Refused`` UNAUTHENTICATED with the reason in words.
        """
        if (changes := self._issuers.changes()) != self._changes:
            self._known, self._changes = {}, changes  # a key was withdrawn, and what it signed with it
        known = self._known.get(token)
        if known is not None and known[1] > time.time():
            return known
        claims = self._claims(token)
        found = _caller(claims), float(claims["exp"]) + LEEWAY_SECONDS
        if len(self._known) >= self._remembered:
            del self._known[next(iter(self._known))]
        self._known[token] = found
        return found

    def _claims(self, token: str) -> dict[str, Any]:
        try:
            issuer, key = self._issuers.of(token)
            return issuer.translated(
                jwt.decode(
                    token,
                    key.public,
                    algorithms=[key.algorithm],
                    issuer=issuer.name,
                    audience=issuer.audience,
                    leeway=LEEWAY_SECONDS,
                    options={"require": ["exp", "iat", "sub", "iss", "aud"]},
                )
            )
        except UnknownKeyError:
            raise _refusal("the token is signed with a key that this house does not know") from None
        except UnreadKeysError:
            # Not UNAUTHENTICATED: nobody is to be signed out because a provider cannot be reached for a while.
            raise Refused(Reason.UNAVAILABLE, "the keys that tokens are checked with cannot be read now") from None
        except jwt.ExpiredSignatureError:
            raise _refusal("the token has expired; sign in again") from None
        except jwt.InvalidAudienceError:
            raise _refusal(f"the token is not for this house; its audience must be {issuer.audience!r}") from None
        except jwt.InvalidIssuerError:
            raise _refusal(f"the token's issuer is not {issuer.name!r}") from None
        except jwt.ImmatureSignatureError:
            raise _refusal("the token is not valid yet; a clock may be wrong") from None
        except jwt.MissingRequiredClaimError as error:
            raise _refusal(f"the token lacks the claim {error.claim!r}") from None
        except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError, jwt.InvalidKeyError):
            raise _refusal("the token is not signed by this house") from None
        except (jwt.PyJWTError, *_UNREADABLE):
            raise _refusal("the token cannot be read") from None


def bearer(*authorizations: str) -> str:
    """Return the token of ``authorization: Bearer …``; raise ``Refused`` UNAUTHENTICATED unless there is exactly one.

    With several entries it would be unclear which one counts: a proxy before this house may have checked another one.
    """
    if not authorizations:
        raise _refusal("a token is needed: metadata 'authorization: Bearer …'")
    if len(authorizations) > 1:
        raise _refusal(f"metadata 'authorization' was sent {len(authorizations)} times; send it once: 'Bearer …'")
    scheme, _, token = authorizations[0].partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise _refusal("the authorization is not of the form 'Bearer …'")
    return token.strip()


_UNREADABLE: Final = (TypeError, ValueError, ArithmeticError, AttributeError, LookupError, RecursionError)
"""Errors that reading a token raises besides the library's own, for a header or claims of a wrong kind."""


def _refusal(message: str) -> Refused:
    return Refused(Reason.UNAUTHENTICATED, message)


def _caller(claims: dict[str, Any]) -> Caller:
    """Return the caller in the claims; a token with a decisive claim of a wrong kind is refused."""
    subject, role, test, name = claims["sub"], claims.get("role"), claims.get("test", False), claims.get("name", "")
    if not isinstance(subject, str) or not SUBJECT.fullmatch(subject):
        raise _refusal("the token's subject must be 1 to 64 letters, digits and . _ @ | -")
    if not isinstance(role, str) or role not in set(Role):
        raise _refusal(f"the token's role must be one of {', '.join(Role)}")
    house_player = claims.get("house_player", False)
    for claim, value in (("test", test), ("house_player", house_player)):
        if not isinstance(value, bool):
            raise _refusal(f"the token's claim {claim!r} must be true or false")
    if not isinstance(name, str) or not name.isprintable():
        raise _refusal("the token's name must be a text of printable characters")
    for moment in ("exp", "iat"):
        if not _is_number(claims[moment]):
            raise _refusal(f"the token's claim {moment!r} must be a number, in seconds since 1970")
    caller = Caller(subject, Role(role), test, name[:LONGEST_NAME], _picture(claims.get("picture", "")), house_player)
    if wrong := _house_player_fault(caller):
        raise _refusal(wrong)
    return caller


def _house_player_fault(caller: Caller) -> str:
    """Return what is wrong with a caller as a house player, "" if nothing.

    Claim and subject go together, so that every record which names the subject marks it, and nobody else takes it.
    """
    if house_players.is_one(caller.subject) != caller.house_player:
        prefix = house_players.PREFIX
        return f"subjects that begin with {prefix!r} are those of house players: they and no others have that claim"
    if caller.house_player and not (caller.test and caller.role is Role.PLAYER):
        return "a house player has the role 'player' and the claim 'test'"
    return ""


def _picture(claim: object) -> str:
    """Return the claim of a picture if it can be one; it decides nothing, so that no token is refused for it."""
    return claim if isinstance(claim, str) and len(claim) <= LONGEST_PICTURE and claim.isprintable() else ""


def _is_number(value: object) -> bool:
    """Return whether a claim is a finite number that is a possible time and that a float holds exactly."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -_BEYOND < value < _BEYOND


_BEYOND: Final = 1 << 53


def _keys(settings: Settings) -> tuple[Any, Any]:
    if settings.jwt_algorithm == "HS256":
        secret = settings.jwt_secret.get_secret_value()
        if len(secret) < SHORTEST_SECRET:
            raise SettingsRefused(
                f"{PREFIX}JWT_SECRET (or {PREFIX}JWT_SECRET_FILE) must have {SHORTEST_SECRET} characters or more;"
                f" it has {len(secret)}"
            )
        return secret, secret
    if not settings.jwt_public_key:
        raise SettingsRefused(f"{PREFIX}JWT_PUBLIC_KEY is needed to check {settings.jwt_algorithm} tokens and not set")
    private, public = settings.jwt_private_key.get_secret_value(), settings.jwt_public_key
    sign = _key("JWT_PRIVATE_KEY", private, Ed25519PrivateKey.from_private_bytes) if private else ""
    return sign, _key("JWT_PUBLIC_KEY", public, Ed25519PublicKey.from_public_bytes)


def _key(name: str, text: str, of_bytes: Callable[[bytes], Any]) -> Any:
    """Parse a key: PEM, or the 32 bytes of an Ed25519 key as base64, which fit on one line."""
    if _PEM in text:
        return text
    try:
        return of_bytes(keys.decode(text))
    except ValueError as error:
        raise SettingsRefused(
            f"{PREFIX}{name}: neither PEM nor the 32 bytes of an Ed25519 key as base64 ({error})"
        ) from None


_PEM: Final = "-----BEGIN"
