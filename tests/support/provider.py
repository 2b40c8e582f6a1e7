"""A real OpenID Connect provider on this machine, for tests: node-oidc-provider from the page's packages.

For people at the page or at a console::

    with provider.running(["http://127.0.0.1:7440/signed-in"], people={"ann": {"role": "player"}}) as found:
        house = LocalHouse(..., settings={**found.house_settings(), **found.page_settings()})
        ...
        await provider.sign_in(page, "ann")   # on the provider's own pages, by clicks

``people`` are the claims of each person's access token; anybody else has those of ``anybody``. Staff are people with
other claims: ``people={"nora": {"roles": ["floor"]}}``, with ``house_settings`` given the claim and the mapping of its
values. Access tokens are JWTs for the audience ``house``, signed by the provider's key; each refresh token is good for
one use. A client with a secret is one more entry of ``clients`` (OpenID Connect's metadata of clients). Tests need the
page's packages (the fixture ``built`` of tests/web, or ``make page``).
"""

import json
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from playwright.async_api import Page

from services.localhouse.embedded import free_port
from tests.support import waits

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ROOT / "services" / "web" / "page"
PROGRAM: Final = Path(__file__).with_suffix(".mjs")
CLIENT: Final = "the-page"
AUDIENCE: Final = "house"
RESOURCE: Final = "urn:pitboss:house"
PLAYER: Final[Mapping[str, Any]] = {"role": "player"}
LIFE_SECONDS: Final = 600
"""Life of an access token, unless a test asks for another."""


def signing_key(kid: str, algorithm: str = "RS256") -> dict[str, Any]:
    """Return a new private key as an entry of a key set."""
    made: Any = (
        ec.generate_private_key(ec.SECP256R1())
        if algorithm == "ES256"
        else rsa.generate_private_key(public_exponent=65537, key_size=2048)
    )
    found: dict[str, Any] = jwt.get_algorithm_by_name(algorithm).to_jwk(made, as_dict=True)
    found.pop("key_ops", None)
    return {**found, "kid": kid, "use": "sig", "alg": algorithm}


class Provider:
    """A provider that runs: its address, and the settings of a house and a page that trust it."""

    def __init__(self, issuer: str, log: Path) -> None:
        self.issuer, self.log = issuer, log
        self.process: subprocess.Popen[str] | None = None

    def house_settings(self, claim: str = "role", roles: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the settings of a house that accepts the provider's tokens."""
        return {
            "PITBOSS_JWT_PROVIDER_ISSUER": self.issuer,
            "PITBOSS_JWT_PROVIDER_JWKS": f"{self.issuer}/jwks",
            "PITBOSS_JWT_PROVIDER_AUDIENCE": AUDIENCE,
            "PITBOSS_JWT_PROVIDER_ROLE_CLAIM": claim,
            "PITBOSS_JWT_PROVIDER_ROLES": json.dumps(dict(roles or {"player": "player"})),
        }

    def page_settings(self) -> dict[str, str]:
        """Return the settings of a page whose visitors sign in at the provider."""
        return {
            "PITBOSS_WEB_OIDC_ISSUER": self.issuer,
            "PITBOSS_WEB_OIDC_CLIENT": CLIENT,
            "PITBOSS_WEB_OIDC_RESOURCE": RESOURCE,
        }

    def discovery(self) -> dict[str, Any]:
        """Return what the provider says of itself."""
        with urllib.request.urlopen(f"{self.issuer}/.well-known/openid-configuration", timeout=60) as answer:
            found: dict[str, Any] = json.load(answer)
        return found


@contextmanager
def running(
    redirects: Sequence[str],
    folder: Path,
    *,
    people: Mapping[str, Mapping[str, Any]] | None = None,
    anybody: Mapping[str, Any] = PLAYER,
    seconds: int = LIFE_SECONDS,
    algorithm: str = "RS256",
    keys: Sequence[Mapping[str, Any]] = (),
    clients: Sequence[Mapping[str, Any]] = (),
    port: int = 0,
    devices: bool = False,
) -> Iterator[Provider]:
    """Run a provider. ``redirects`` are the addresses that it sends visitors of the page back to.

    ``folder`` takes its log. ``keys`` are private keys, the one that signs first (``signing_key``); ``seconds`` is the
    life of access tokens.
    """
    issuer = f"http://127.0.0.1:{port or free_port()}"
    log = folder / "provider.log"
    page = {
        "client_id": CLIENT,
        "redirect_uris": list(redirects),
        "post_logout_redirect_uris": [one.rpartition("/")[0] + "/" for one in redirects],
    }
    given = {
        "packages": str(PACKAGES),
        "issuer": issuer,
        "people": people or {},
        "anybody": anybody,
        "clients": [page, *clients],
        "jwks": {"keys": list(keys) or [signing_key("first", algorithm)]},
        "audience": AUDIENCE,
        "resource": RESOURCE,
        "seconds": seconds,
        "algorithm": algorithm,
        "devices": devices,
    }
    found = Provider(issuer, log)
    with log.open("w") as written:
        process = subprocess.Popen(
            [_node(), str(PROGRAM), json.dumps(given)], stdout=written, stderr=written, text=True
        )
    found.process = process
    try:
        waits.eventually_blocking(lambda: _listens(process, log), "the provider listens", seconds=120)
        yield found
    finally:
        process.terminate()
        process.wait(60)


def _listens(process: subprocess.Popen[str], log: Path) -> bool:
    assert process.poll() is None, log.read_text(encoding="utf-8")[-2000:]
    return "listening" in log.read_text(encoding="utf-8")


def _node() -> str:
    """Return the path of the Node that the page is built with."""
    line = [sys.executable, str(ROOT / "protos" / "typescript" / "npm.py"), "--in", str(PACKAGES), "exec", "--"]
    if (own := shutil.which("node")) is not None:
        return own
    asked = subprocess.run(
        [*line, "node", "-p", "process.execPath"], capture_output=True, text=True, timeout=300, check=True
    )
    return asked.stdout.strip().splitlines()[-1]


async def sign_in(page: Page, name: str) -> None:
    """Sign in on the provider's pages, by clicks, and let the page have what it asks for."""
    await page.locator("input[name=login]").fill(name)
    await page.locator("input[name=password]").fill("any")
    await page.locator("button[type=submit]").click()
    await page.locator("input[name=prompt][value=consent]").wait_for(state="attached")
    await page.locator("button[type=submit]").click()
