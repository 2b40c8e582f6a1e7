"""Tokens: made, checked, refused with the reason in words."""

import base64
import hmac
import json
import math
import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from hypothesis import example, given
from hypothesis import strategies as st

from services.rules.refusals import Reason, Refused
from services.runtime import identity, settings
from services.runtime.identity import Caller, Identity, Role
from tests.support import echo, waits


def pem(private: Any) -> tuple[str, str]:
    """Return a key pair as PEM: private, public."""
    secret = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return secret.decode(), public.decode()


ED, RSA = (
    pem(ed25519.Ed25519PrivateKey.generate()),
    pem(rsa.generate_private_key(public_exponent=65537, key_size=2048)),
)


def refused(who: Identity, token: str) -> str:
    """Verify a token that must be refused; return the message."""
    with pytest.raises(Refused) as caught:
        who.verify(token)
    assert caught.value.reason is Reason.UNAUTHENTICATED
    assert not token or token not in caught.value.message
    return caught.value.message


@pytest.mark.parametrize(
    "keys",
    [
        {"jwt_secret": echo.SECRET},
        {"jwt_algorithm": "EdDSA", "jwt_private_key": ED[0], "jwt_public_key": ED[1]},
        {"jwt_algorithm": "RS256", "jwt_private_key": RSA[0], "jwt_public_key": RSA[1]},
    ],
    ids=["HS256", "EdDSA", "RS256"],
)
@pytest.mark.parametrize("role", list(Role))
def test_a_token_names_its_caller_again(keys: dict[str, str], role: Role) -> None:
    """A caller is the same after minting and verifying, for every algorithm and role, also from the cache."""
    who = Identity(settings.load(**keys))
    caller = Caller("ann@house.example", role, test=True, name="小安")
    token = who.mint(caller, 60)
    assert who.verify(token) == caller
    assert who.verify(token) == caller


def test_a_process_with_the_public_key_alone_checks_but_cannot_make_tokens() -> None:
    """A process without the private key verifies tokens; minting is refused with the setting's name."""
    maker = Identity(settings.load(jwt_algorithm="EdDSA", jwt_private_key=ED[0], jwt_public_key=ED[1]))
    checker = Identity(settings.load(jwt_algorithm="EdDSA", jwt_public_key=ED[1]))
    assert checker.verify(maker.mint(Caller("ann", Role.PLAYER), 60)).subject == "ann"
    assert not checker.can_mint()
    with pytest.raises(settings.SettingsRefused, match="PITBOSS_JWT_PRIVATE_KEY"):
        checker.mint(Caller("ann", Role.PLAYER), 60)


def _token(secret: str = echo.SECRET, algorithm: str = "HS256", **changes: Any) -> str:
    now = int(time.time())
    claims = {"iss": "pitboss", "aud": "pitboss", "sub": "ann", "role": "player", "iat": now, "exp": now + 60} | changes
    return jwt.encode({key: value for key, value in claims.items() if value is not None}, secret, algorithm)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"aud": "elsewhere"}, "audience"),
        ({"iss": "elsewhere"}, "issuer"),
        ({"secret": "another secret, also long enough for it"}, "not signed by this house"),
        ({"secret": "", "algorithm": "none"}, "not signed by this house"),
        ({"exp": None}, "lacks the claim 'exp'"),
        ({"sub": None}, "lacks the claim 'sub'"),
        ({"sub": "a:b"}, "subject"),
        ({"sub": ""}, "subject"),
        ({"role": "god"}, "role must be one of"),
        ({"role": None}, "role must be one of"),
    ],
)
def test_a_token_that_is_not_good_is_refused_in_words(changes: dict[str, Any], words: str) -> None:
    """Each fault has its sentence, and the sentence does not hold the token."""
    assert words in refused(Identity(echo.given()), _token(**changes))


def test_a_token_out_of_its_time_is_refused_in_words() -> None:
    """A token that is over, or not yet good, is refused, each with its sentence."""
    now = int(time.time())
    assert "expired" in refused(Identity(echo.given()), _token(exp=now - 60))
    assert "not valid yet" in refused(Identity(echo.given()), _token(iat=now + 600))


@pytest.mark.parametrize("token", ["rubbish", ""])
def test_what_is_no_token_at_all_is_refused_in_words(token: str) -> None:
    """A text that is not a token is refused as unreadable."""
    assert "cannot be read" in refused(Identity(echo.given()), token)


def test_a_token_signed_with_the_public_key_as_a_secret_is_refused() -> None:
    """A house that checks EdDSA refuses every HS256 token (algorithm confusion)."""
    who = Identity(settings.load(jwt_algorithm="EdDSA", jwt_public_key=ED[1]))
    assert "not signed by this house" in refused(who, _token())


def test_a_remembered_token_expires_too() -> None:
    """A token that was good is refused once its time is over, although it was verified before."""
    who = Identity(echo.given())
    token = who.mint(Caller("ann", Role.PLAYER), 60, now=time.time() - 60 - identity.LEEWAY_SECONDS + 2)
    assert who.verify(token).subject == "ann"
    refusal = waits.eventually_blocking(lambda: _refusal_of(who, token), "the end of the token", seconds=10)
    assert "expired" in refusal


def _refusal_of(who: Identity, token: str) -> str:
    try:
        who.verify(token)
    except Refused as problem:
        return str(problem)
    return ""


def test_what_a_process_remembers_is_bounded() -> None:
    """More tokens than it remembers push out the oldest ones, which are checked anew."""
    who = Identity(echo.given(), remembered=3)
    tokens = [who.mint(Caller(f"p{number}", Role.PLAYER), 60) for number in range(5)]
    assert [who.verify(token).subject for token in tokens] == ["p0", "p1", "p2", "p3", "p4"]
    assert who.remembers() == 3
    assert who.verify(tokens[0]).subject == "p0"


@pytest.mark.parametrize("subject", ["", "a:b", "x" * 65, "two words", ".hidden", "a/b", "a\nb"])
def test_a_subject_that_could_break_an_account_s_name_gets_no_token(subject: str) -> None:
    """Subjects with colons, spaces or too many characters are refused."""
    with pytest.raises(ValueError, match="subject"):
        Identity(echo.given()).mint(Caller(subject, Role.PLAYER), 60)


@pytest.mark.parametrize("value", [None, "", "Bearer", "Bearer ", "Basic abc", "abc"])
def test_an_authorization_that_is_no_bearer_token_is_refused(value: str | None) -> None:
    """The sentence says which form is right."""
    with pytest.raises(Refused, match=r"Bearer …"):
        identity.bearer(*([] if value is None else [value]))


def read(who: Identity, token: str) -> Caller | None:
    """Verify a token; None where it is refused as UNAUTHENTICATED."""
    try:
        return who.verify(token)
    except Refused as refusal:
        if refusal.reason is not Reason.UNAUTHENTICATED:
            raise
        return None


WRONG: dict[str, tuple[type, ...]] = {
    "sub": (str,),
    "role": (str,),
    "name": (str,),
    "test": (bool,),
    "iss": (str,),
    "aud": (str, list),
    "exp": (),
    "iat": (),
    "nbf": (),
}
"""The claims that are read, each with the kinds that it may have; moments are drawn apart."""

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(claim=st.sampled_from(sorted(WRONG)), value=JSON)
@example(claim="role", value=["operator", "player"])
@example(claim="role", value={"operator": 1})
@example(claim="name", value=7)
@example(claim="name", value=None)
@example(claim="sub", value=["ann"])
@example(claim="test", value="true")
@example(claim="test", value=1)
@example(claim="exp", value=[9_999_999_999])
@example(claim="exp", value=10**400)
@example(claim="exp", value=math.inf)
@example(claim="iat", value=math.nan)
@example(claim="nbf", value={})
def test_a_claim_of_a_wrong_kind_is_refused_and_never_an_error(claim: str, value: Any) -> None:
    """A token that is signed well, with any value in any claim: it names a caller of right kinds or is refused."""
    who = Identity(echo.given())
    token = _raw({claim: value})
    caller = read(who, token)
    if caller is None:
        return
    assert not WRONG[claim] or isinstance(value, WRONG[claim])
    assert claim == "nbf" or type(value) is not bool or claim == "test"
    assert isinstance(caller.name, str)
    assert caller.name.isprintable()
    assert type(caller.test) is bool
    assert type(caller.role) is Role
    assert identity.SUBJECT.fullmatch(caller.subject)
    assert who.verify(token) == caller


def _raw(changes: dict[str, Any], header: str = '{"alg": "HS256", "typ": "JWT"}', payload: str = "") -> str:
    """Sign claims as they are: the library that makes tokens refuses some of them."""
    now = int(time.time())
    claims = {"iss": "pitboss", "aud": "pitboss", "sub": "ann", "role": "player", "iat": now, "exp": now + 60} | changes
    parts = [base64.urlsafe_b64encode(one.encode()).rstrip(b"=") for one in (header, payload or json.dumps(claims))]
    made = hmac.digest(echo.SECRET.encode(), b".".join(parts), "sha256")
    return b".".join([*parts, base64.urlsafe_b64encode(made).rstrip(b"=")]).decode()


@pytest.mark.parametrize("end", [2**53 - 1, 2**53, 1e300])
def test_a_time_that_a_float_does_not_hold_exactly_is_refused(end: float) -> None:
    """The greatest whole number that a float holds is an end like any other; what is greater is refused."""
    caller = read(Identity(echo.given()), _raw({"exp": end}))
    assert (caller is not None) == (end < 2**53)


@pytest.mark.parametrize(
    "header",
    [
        "[]",
        "7",
        "null",
        "[" * 5000,
        '{"alg": ["HS256"]}',
        '{"alg": {}}',
        '{"alg": 7}',
        '{"alg": "HS256", "kid": 7}',
        '{"alg": "HS256", "crit": 7}',
        '{"alg": "HS256", "b64": false}',
        '{"alg": "HS256", "crit": [["b64"]]}',
        '{"alg": "HS256", "typ": []}',
    ],
)
@pytest.mark.parametrize("payload", ["", "[]", "7", "null", '"ann"', "[" * 5000])
def test_a_token_of_wrong_kinds_inside_is_refused_and_never_an_error(header: str, payload: str) -> None:
    """Header and claims that are no objects, are nested without end, or hold other kinds than they should."""
    assert read(Identity(echo.given()), _raw({}, header, payload)) is None or not payload


@pytest.mark.parametrize("name", ["ann\u202etxt", "\u2066bob", "a\nb", "a\tb", "\x00", "\u200b", "\ud800", "\u2028"])
def test_a_name_that_shows_as_something_else_is_refused(name: str) -> None:
    """Control and bidirectional characters stand at no table: no token with them is made, and none is taken."""
    assert "printable" in refused(Identity(echo.given()), _raw({"name": name}))
    with pytest.raises(ValueError, match="printable"):
        Identity(echo.given()).mint(Caller("ann", Role.PLAYER, name=name), 60)


@pytest.mark.parametrize("name", ["", "Ann O'Neill", "小安", "José", "x" * 300])
def test_a_name_that_can_be_printed_is_shown(name: str) -> None:
    """Names of any script, the longest cut off."""
    assert Identity(echo.given()).verify(_raw({"name": name})).name == name[: identity.LONGEST_NAME]


@pytest.mark.parametrize(
    ("picture", "avatar"),
    [
        ("https://pictures.example/ann.png", "https://pictures.example/ann.png"),
        ("https://pictures.example/" + "a" * 500, ""),
        ("https://pictures.example/\u202egnp", ""),
        (7, ""),
        (None, ""),
        ({"href": "x"}, ""),
    ],
)
def test_a_picture_that_cannot_be_one_is_left_out(picture: Any, avatar: str) -> None:
    """The claim decides nothing: a token is never refused for it."""
    assert Identity(echo.given()).verify(_token(picture=picture)).avatar == avatar


def test_a_short_secret_is_refused() -> None:
    """An HS256 secret of fewer than 32 characters stops the process, naming variable and length, not the secret."""
    with pytest.raises(settings.SettingsRefused) as caught:
        Identity(settings.load(jwt_secret="hunter2"))
    assert "PITBOSS_JWT_SECRET" in str(caught.value)
    assert "it has 7" in str(caught.value)
    assert "hunter2" not in str(caught.value)


HOUSE_PLAYER = {"sub": "house-player.ada", "role": "player", "test": True, "house_player": True}


@pytest.mark.parametrize(
    "changed",
    [
        {"house_player": False},
        {"sub": "ada"},
        {"sub": "House-Player.ada", "house_player": False},
        {"test": False},
        {"role": "operator"},
        {"house_player": "yes"},
        {"house_player": 1},
    ],
    ids=str,
)
def test_a_house_player_has_claim_and_subject_or_neither(changed: dict[str, Any]) -> None:
    """Only claim, subject, role and test together make a house player; a token with a part of it is refused."""
    who = Identity(echo.given())
    now = int(time.time())
    frame = {"iss": "pitboss", "aud": "pitboss", "iat": now, "exp": now + 60}
    assert who.verify(who.sign(frame | HOUSE_PLAYER)).house_player
    assert "house" in refused(who, who.sign(frame | HOUSE_PLAYER | changed))


def test_a_token_of_a_house_player_is_made_whole() -> None:
    """Nobody makes a token of a house player by halves."""
    who = Identity(echo.given())
    for caller in (
        Caller("house-player.ada", Role.PLAYER, test=True),
        Caller("ada", Role.PLAYER, test=True, house_player=True),
        Caller("house-player.ada", Role.PLAYER, house_player=True),
    ):
        with pytest.raises(ValueError, match="house player"):
            who.mint(caller, 60)
