"""Keys by their ids, their rotation, and the tokens of a provider: what is accepted, and what is refused in words."""

import asyncio
import base64
import hmac
import http.server
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from services.rules.refusals import Reason, Refused
from services.runtime import keys, settings, verification_keys
from services.runtime.identity import Caller, Identity, Role
from services.runtime.settings import SettingsRefused
from services.runtime.verification_keys import KeySource
from tests.support import echo

ISSUER = "https://id.example/realms/players"
OLD, NEW = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
CURVE = ec.generate_private_key(ec.SECP256R1())
ED = ed25519.Ed25519PrivateKey.generate()


def entry(key: Any, algorithm: str, **more: str) -> dict[str, Any]:
    """Return a public key as an entry of a set."""
    return {**jwt.get_algorithm_by_name(algorithm).to_jwk(key.public_key(), as_dict=True), **more}


def put(path: Path, *entries: dict[str, Any]) -> None:
    """Write a key set into a file."""
    path.write_text(written(*entries))


def written(*entries: dict[str, Any]) -> str:
    """Return a key set."""
    return json.dumps({"keys": entries})


def token(key: Any, kid: str | None, algorithm: str = "RS256", **changes: Any) -> str:
    """Return a token as the provider makes them."""
    now = int(time.time())
    claims = {"iss": ISSUER, "aud": "house", "sub": "ann", "role": "player", "iat": now, "exp": now + 60} | changes
    return jwt.encode(claims, key, algorithm, headers={"kid": kid} if kid else None)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of a key set with one key, ``old``."""
    path = tmp_path / "keys.json"
    path.write_text(written(entry(OLD, "RS256", kid="old")))
    return path


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let key sets be read again at once."""
    monkeypatch.setattr(verification_keys, "PAUSE_SECONDS", 0.0)


def accepting(file: Path | str, **more: Any) -> Identity:
    """Return a house that accepts the provider's tokens."""
    given = {"jwt_provider_issuer": ISSUER, "jwt_provider_jwks": str(file), "jwt_provider_audience": "house"}
    return Identity(settings.load(jwt_secret=echo.SECRET, **{**given, **more}))


def refused(who: Identity, text: str) -> str:
    """Verify a token that must be refused. Return the message."""
    with pytest.raises(Refused) as caught:
        who.verify(text)
    return caught.value.message


async def prepared(who: Identity, text: str) -> str:
    """Check a token as a call does. Return the caller's subject."""
    await who.prepare(text)
    return who.verify(text).subject


@pytest.mark.usefixtures("hasty")
async def test_a_provider_s_key_is_rotated_and_nobody_is_signed_out(file: Path) -> None:
    """Old and new keys both hold in the overlap; after it the withdrawn key signs nothing, remembered tokens too."""
    who = accepting(file)
    first, second = token(OLD, "old"), token(NEW, "new")
    assert await prepared(who, first) == "ann"
    await who.prepare(second)
    assert "a key that this house does not know" in refused(who, second)
    put(file, entry(OLD, "RS256", kid="old"), entry(NEW, "RS256", kid="new"))
    assert await prepared(who, second) == "ann"
    assert await prepared(who, first) == "ann"
    put(file, entry(NEW, "RS256", kid="new"))
    await who.prepare(token(OLD, "another"))
    assert "a key that this house does not know" in refused(who, first)
    assert await prepared(who, second) == "ann"


@pytest.mark.parametrize(("key", "algorithm"), [(OLD, "RS256"), (CURVE, "ES256"), (ED, "EdDSA")])
def test_each_kind_of_key_checks_its_own_algorithm(file: Path, key: Any, algorithm: str) -> None:
    """RSA, P-256 and Ed25519 keys are taken; a key without an id has the one that follows from it (RFC 7638)."""
    public = entry(key, algorithm)
    put(file, public)
    assert accepting(file).verify(token(key, verification_keys.thumbprint(public), algorithm)).role is Role.PLAYER


def test_a_token_cannot_choose_how_it_is_checked(file: Path) -> None:
    """Neither no algorithm, nor a public key as a secret, nor another key's algorithm passes for the key of an id."""
    put(file, entry(OLD, "RS256", kid="old"), entry(CURVE, "ES256", kid="curve"))
    who = accepting(file)
    pem = OLD.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    confused = _hs256(token(OLD, "old"), pem)
    for wrong in (confused, token("", "old", "none"), token(CURVE, "old", "ES256"), token(OLD, "old", "PS256")):
        assert "not signed by this house" in refused(who, wrong)
    assert "does not know" in refused(who, token(OLD, None))
    assert "not signed by this house" in refused(who, token(NEW, "old"))


def _hs256(text: str, secret: bytes) -> str:
    """Sign a token's claims with HS256; the library refuses a public key as a secret, an attacker does not."""
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"old","typ":"JWT"}').rstrip(b"=")
    body = head + b"." + text.split(".")[1].encode()
    return (body + b"." + base64.urlsafe_b64encode(hmac.digest(secret, body, "sha256")).rstrip(b"=")).decode()


def test_the_provider_s_keys_sign_no_token_of_the_house(file: Path) -> None:
    """A token that names the house as its issuer is checked with the house's key, whatever key it names."""
    who = accepting(file)
    assert who.verify(who.mint(Caller("nora", Role.OPERATOR), 60)).role is Role.OPERATOR
    assert "not signed by this house" in refused(who, token(OLD, "old", iss="pitboss", aud="pitboss", role="operator"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"role": "operator"}, "role must be one of"),
        ({"role": None}, "role must be one of"),
        ({"role": {"player": 1}}, "role must be one of"),
        ({"aud": "the-page"}, "audience must be 'house'"),
        ({"aud": None}, "lacks the claim 'aud'"),
        ({"iss": "https://id.example/realms/others"}, "not signed by this house"),
        ({"exp": 1}, "expired"),
        ({"sub": "a:b"}, "subject"),
        ({"house_player": True}, "house players"),
        ({"typ": "ID"}, "cannot be read"),
        ({"typ": "Refresh"}, "cannot be read"),
    ],
)
def test_a_provider_s_token_that_does_not_fit_is_refused_in_words(
    file: Path, changes: dict[str, Any], words: str
) -> None:
    """Roles beyond the mapping, other audiences and issuers, and tokens that are no access tokens are refused."""
    changes = {name: value for name, value in changes.items() if value is not None or name == "role"}
    text = token(OLD, "old", **changes)
    if words.startswith("lacks"):
        claims = jwt.decode(text, options={"verify_signature": False})
        del claims["aud"]
        text = jwt.encode(claims, OLD, "RS256", headers={"kid": "old"})
    assert words in refused(accepting(file), text)


@pytest.mark.parametrize(
    ("roles", "role"),
    [
        (["offline_access", "players"], Role.PLAYER),
        (["players", "auditors"], Role.AUDITOR),
        ("auditors", Role.AUDITOR),
    ],
)
def test_roles_follow_from_a_mapping(file: Path, roles: list[str] | str, role: Role) -> None:
    """The claim may be inside objects, and a list; of several values the first of the mapping counts."""
    who = accepting(
        file,
        jwt_provider_role_claim="realm_access.roles",
        jwt_provider_roles={"auditors": "auditor", "players": "player"},
    )
    found = who.verify(token(OLD, "old", realm_access={"roles": roles}, preferred_username="annie"))
    assert (found.role, found.name) == (role, "annie")
    assert "role must be one of" in refused(who, token(OLD, "old", realm_access=[roles]))


def test_the_settings_that_the_page_tells_for_keycloak_accept_its_tokens(file: Path) -> None:
    """The column for Keycloak in docs/web.md, read as settings, takes a player's token of the shape that it makes."""
    page = (Path(__file__).parents[2] / "docs" / "web.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `PITBOSS_(JWT_PROVIDER_\w+)` \| `([^`]+)`", page, re.MULTILINE)
    given: dict[str, Any] = {name.lower(): value for name, value in rows}
    assert len(given) == 5
    given["jwt_provider_roles"] = json.loads(given["jwt_provider_roles"])
    assert verification_keys.PLACE.fullmatch(given.pop("jwt_provider_jwks"))
    text = token(
        OLD,
        "old",
        iss=given["jwt_provider_issuer"],
        aud=["house", "account"],
        sub="f3a1c6de-6a0b-4a52-9c31-0d3f5be2a1d7",
        typ="Bearer",
        azp="the-page",
        preferred_username="ann",
        realm_access={"roles": ["default-roles-casino", "casino-player"]},
        role=None,
    )
    found = accepting(file, **given).verify(text)
    assert (found.role, found.name, found.test) == (Role.PLAYER, "ann", False)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"jwt_provider_roles": {"x": "service"}}, "the role 'service'"),
        ({"jwt_provider_roles": {"x": "king"}}, "the role 'king'"),
        ({"jwt_provider_audience": ""}, "PITBOSS_JWT_PROVIDER_AUDIENCE is needed"),
        ({"jwt_provider_jwks": ""}, "PITBOSS_JWT_PROVIDER_JWKS is needed"),
        ({"jwt_provider_issuer": "pitboss"}, "must differ"),
        ({"jwt_provider_jwks": "http://id.example/jwks"}, "https address"),
        ({"jwt_provider_jwks": "keys.json"}, "whole path"),
        ({"jwt_provider_jwks": "/nowhere/keys.json"}, "/nowhere/keys.json"),
        ({"jwt_provider_role_claim": "a..b"}, "PITBOSS_JWT_PROVIDER_ROLE_CLAIM"),
    ],
)
def test_settings_of_a_provider_that_cannot_be_are_refused(file: Path, more: dict[str, Any], words: str) -> None:
    """Each wrong setting stops the process with a sentence that names it."""
    with pytest.raises(SettingsRefused, match=words):
        accepting(file, **more)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a key set"),
        ("[]", "not a key set"),
        ('{"keys": 1}', "a list"),
        ('{"keys": [1]}', "not an object"),
        (written({"kty": "oct", "k": "c2VjcmV0", "kid": "s"}), "private or secret"),
        (written(entry(OLD, "RS256", kid="a", d="AQAB")), "private or secret"),
        (written(*[entry(OLD, "RS256", kid="a")] * 2), "two keys"),
        (written(*[entry(ED, "EdDSA", kid=str(one)) for one in range(33)]), "at most 32"),
        (written({"kty": "RSA", "n": "!", "e": "AQAB", "kid": "a"}), "cannot be read"),
        (written(entry(rsa.generate_private_key(public_exponent=65537, key_size=1024), "RS256")), "2048 bits"),
        (" " * 70_000, "more than 65536 bytes"),
    ],
    ids=["empty", "list", "no list", "no object", "secret", "private", "twice", "many", "rubbish", "short", "large"],
)
def test_a_key_set_that_is_not_good_is_refused_in_words(file: Path, text: str, words: str) -> None:
    """A set is bounded, holds public keys only, and each of its keys has an id of its own."""
    file.write_text(text)
    with pytest.raises(SettingsRefused, match=words):
        KeySource(str(file), "JWT_JWKS")


def test_keys_for_other_purposes_check_nothing(file: Path) -> None:
    """Keys for encryption and of other algorithms may stand in a set and are left out."""
    others = [entry(OLD, "RS256", kid="enc", use="enc"), entry(NEW, "RS256", kid="oaep", alg="RSA-OAEP")]
    put(file, entry(CURVE, "ES256", kid="sig", use="sig", alg="ES256"), *others)
    source = KeySource(str(file), "JWT_JWKS")
    assert [name for name in ("sig", "enc", "oaep") if source.get(name)] == ["sig"]


def own_keys(key: ed25519.Ed25519PrivateKey) -> dict[str, str]:
    """Return the settings of a house's own key."""
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return {"jwt_algorithm": "EdDSA", "jwt_private_key": private.decode(), "jwt_public_key": public.decode()}


async def test_the_house_s_own_key_is_rotated_and_nobody_is_signed_out(file: Path) -> None:
    """With a set of both keys, tokens of the old and the new key hold, those without a key id as well."""
    other, ann = ed25519.Ed25519PrivateKey.generate(), Caller("ann", Role.PLAYER)
    put(file, entry(ED, "EdDSA"), entry(other, "EdDSA"))
    old, new = (Identity(settings.load(jwt_jwks=str(file), **own_keys(key))) for key in (ED, other))
    before, after = old.mint(ann, 60), new.mint(ann, 60)
    plain = jwt.encode(jwt.decode(before, options={"verify_signature": False}), ED, "EdDSA")
    for who in (old, new):
        assert [await prepared(who, text) for text in (before, after)] == ["ann", "ann"]
    assert await prepared(old, plain) == "ann"
    alone = Identity(settings.load(**own_keys(other)))
    assert "not signed by this house" in refused(alone, before)


async def test_a_key_of_the_settings_is_written_into_a_set_as_the_page_says(file: Path) -> None:
    """The base64 of a public key, spelled for addresses, is the ``x`` of its entry (docs/operations.md)."""
    private, public = keys.signing_pair()
    x = public.replace("+", "-").replace("/", "_").rstrip("=")
    put(file, {"kty": "OKP", "crv": "Ed25519", "x": x})
    maker = Identity(settings.load(jwt_algorithm="EdDSA", jwt_private_key=private, jwt_public_key=public))
    checker = Identity(settings.load(jwt_jwks=str(file), **own_keys(ED)))
    assert await prepared(checker, maker.mint(Caller("ann", Role.PLAYER), 60)) == "ann"


class Keys(http.server.BaseHTTPRequestHandler):
    """Answers with the server's key set, and counts."""

    server: "KeyServer"

    def do_GET(self) -> None:
        """Answer."""
        self.server.asked += 1
        body = self.server.text.encode()
        self.send_response(self.server.status)
        self.send_header("content-length", str(len(body)))
        self.send_header("location", "/elsewhere")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the library
        """Write nothing."""


class KeyServer(http.server.ThreadingHTTPServer):
    """Serves a key set."""

    asked, status, text = 0, 200, ""


@pytest.fixture
def server() -> Iterator[KeyServer]:
    """Yield a server of a key set on this machine."""
    made = KeyServer(("127.0.0.1", 0), Keys)
    made.text = written(entry(OLD, "RS256", kid="old"))
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.shutdown()
    thread.join(60)
    made.server_close()


Clock = Callable[[float], None]


@pytest.fixture
def pass_seconds(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return a function that moves the clock of key sets on."""
    moved = [1000.0]

    class Time:
        """The clock that key sets read."""

        monotonic = staticmethod(lambda: moved[0])

    def on(seconds: float) -> None:
        moved[0] += seconds

    monkeypatch.setattr(verification_keys, "time", Time)
    return on


async def test_an_address_is_asked_once_for_many_and_seldom(server: KeyServer, pass_seconds: Clock) -> None:
    """Many calls share one read; unknown ids cause no further one until the pause is over."""
    who = accepting(f"http://127.0.0.1:{server.server_port}/jwks")
    assert server.asked == 0, "a provider that is away at the start keeps no process from starting"
    assert await asyncio.gather(*(prepared(who, token(OLD, "old", sub=f"p{one}")) for one in range(20))) == [
        f"p{one}" for one in range(20)
    ]
    for one in range(20):
        await who.prepare(token(NEW, f"unknown-{one}"))
    assert server.asked == 1
    pass_seconds(verification_keys.PAUSE_SECONDS)
    server.text = written(entry(OLD, "RS256", kid="old"), entry(NEW, "RS256", kid="new"))
    assert await prepared(who, token(NEW, "new")) == "ann"
    assert server.asked == 2


@pytest.mark.parametrize(("status", "text"), [(500, "{}"), (302, "{}"), (200, "rubbish"), (200, " " * 70_000)])
async def test_known_keys_stay_while_an_address_fails(
    server: KeyServer, pass_seconds: Clock, status: int, text: str
) -> None:
    """A wrong answer or a redirect takes no known key away; a token of an unknown key is to be tried again later."""
    who = accepting(f"http://127.0.0.1:{server.server_port}/jwks")
    assert await prepared(who, token(OLD, "old")) == "ann"
    server.status, server.text = status, text
    pass_seconds(verification_keys.AGE_SECONDS)
    fresh = token(NEW, "new")
    await who.prepare(fresh)
    assert server.asked == 2
    with pytest.raises(Refused) as caught:
        who.verify(fresh)
    assert caught.value.reason is Reason.UNAVAILABLE
    assert who.verify(token(OLD, "old", sub="bob")).subject == "bob"


async def test_a_process_that_starts_without_its_provider_signs_nobody_out(
    server: KeyServer, pass_seconds: Clock
) -> None:
    """Until the keys are read once, tokens of the provider are answered with UNAVAILABLE, and accepted after it."""
    who, text = accepting(f"http://127.0.0.1:{server.server_port}/jwks"), token(OLD, "old")
    server.status = 503
    await who.prepare(text)
    with pytest.raises(Refused) as caught:
        who.verify(text)
    assert caught.value.reason is Reason.UNAVAILABLE
    assert who.verify(who.mint(Caller("nora", Role.OPERATOR), 60)).subject == "nora", "the house's own tokens hold"
    server.status = 200
    pass_seconds(verification_keys.PAUSE_SECONDS)
    assert await prepared(who, text) == "ann"


async def test_a_set_is_read_again_when_it_is_old(server: KeyServer, pass_seconds: Clock) -> None:
    """A key that was withdrawn is forgotten without any unknown id; the call that finds out does not wait."""
    source = KeySource(f"http://127.0.0.1:{server.server_port}/jwks", "JWT_JWKS")
    await source.prepare("old")
    server.text = written(entry(NEW, "RS256", kid="new"))
    pass_seconds(verification_keys.AGE_SECONDS)
    await source.prepare("old")
    reading = source._reading
    assert reading is not None
    await reading
    assert (source.get("old"), source.changes) == (None, 1)
