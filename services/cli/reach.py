"""How the command line reaches a house: addresses, tokens and channels."""

import getpass
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import grpc
import jwt
import msgspec
import typer
from grpc_health.v1 import health_pb2, health_pb2_grpc
from pitboss import client
from pitboss.v1 import audit_pb2_grpc
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from services.cli.command_group import HouseRefuses
from services.localhouse import secret_set
from services.runtime import settings, tls
from services.runtime.identity import Caller, Identity, Role
from services.runtime.settings import PREFIX, Settings, SettingsRefused

TOKEN_SECONDS = 12 * 3600.0
OWN_TOKEN: Final = f"{PREFIX}TOKEN"
"""The variable of the environment that holds a person's own token."""
UNNAMED: Final = Path("var")
"""The folder of a house where none is named."""
NOWHERE: Final = Path(os.devnull)
"""A folder in which nothing is found."""


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses of a running house; ``families`` are its dealers by family if each family has its own."""

    dealers: tuple[str, ...]
    settlement: str
    audit: str
    families: dict[str, str] = {}


class Reach(Places, frozen=True, kw_only=True):
    """A running house: its addresses, and the issuer of its tokens."""

    identity: Identity

    def token(
        self, subject: str, role: Role = Role.PLAYER, *, test: bool = False, name: str = "", avatar: str = ""
    ) -> str:
        """Make a token of this house."""
        caller = Caller(subject=subject, role=role, test=test, name=name, avatar=avatar)
        return self.identity.mint(caller, TOKEN_SECONDS)


def of_folder(folder: Path, target: str = "") -> Reach:
    """Find a house by the folder of ``pitboss up``, or by its address and the settings of the environment.

    Where the environment has a key it wins over a folder that nobody has named: a house of an earlier day may have left
    one. Raises SettingsRefused if neither holds a key to make tokens.
    """
    environment = settings.load()
    has_key = any(key.get_secret_value() for key in (environment.jwt_secret, environment.jwt_private_key))
    if has_key and folder == UNNAMED:
        folder = NOWHERE
    kept = folder / "secrets.json"
    own = secret_set.of_tokens(kept)
    if not own and not has_key:
        raise SettingsRefused(
            f"no key to make tokens with: {kept} does not exist (did `pitboss up` run?),"
            " and neither PITBOSS_JWT_PRIVATE_KEY nor PITBOSS_JWT_SECRET is set"
        )
    identity = Identity(settings.load(**own) if own else environment)
    return Reach(identity=identity, **msgspec.structs.asdict(_places(folder, environment, target)))


def _places(folder: Path, environment: Settings, target: str = "") -> Places:
    written = folder / "house.json"
    found: dict[str, str] = json.loads(written.read_text(encoding="utf-8")) if written.exists() else {}
    dealers = [address for name, address in sorted(found.items()) if name.startswith("dealer")]
    families = {} if target or dealers else environment.dealer_addresses
    return Places(
        dealers=(target,) if target else tuple(dealers) or tuple(families.values()) or (environment.listen,),
        settlement=found.get("settlement", environment.settlement_address),
        audit=found.get("audit", environment.audit_address),
        families=families,
    )


class Staff(msgspec.Struct, frozen=True):
    """A person of the house at a command line: where the house is, the person's token, and who it is."""

    places: Places
    token: str
    who: str


def staff(folder: Path, name: str, role: Role) -> Staff:
    """Return the person that a command acts as: the one of the token in ``PITBOSS_TOKEN``, else one that is named.

    To name a person takes the key that makes tokens. Raises SettingsRefused where there is neither, or both.
    """
    own = os.environ.get(OWN_TOKEN, "").strip()
    if not own:
        found, who = of_folder(folder), name or getpass.getuser()
        return Staff(found, found.token(who, role), f"{who} ({role})")
    if name:
        raise SettingsRefused(f"--as {name} and {OWN_TOKEN}: a token of your own names you already; leave one out")
    try:
        claims = jwt.decode(own, options={"verify_signature": False})
    except jwt.PyJWTError as error:
        raise SettingsRefused(f"{OWN_TOKEN} is not a token: {error}") from None
    return Staff(_places(folder, settings.load()), own, f"{claims.get('sub')} ({claims.get('role', 'own token')})")


SECONDS: Final = 3.0


class NoAnswer(Exception):
    """A process does not answer."""


def named(folder: Path, settings: Settings) -> dict[str, str]:
    """Return the addresses that a local house wrote down, else those in the settings, by process name."""
    written = folder / "house.json"
    if written.exists():
        return dict(sorted(json.loads(written.read_text(encoding="utf-8")).items()))
    families = {f"dealer of {family}": where for family, where in sorted(settings.dealer_addresses.items())}
    others = {name: f"{name}_address" for name in ("settlement", "audit")}
    return families | {
        name: getattr(settings, field) for name, field in others.items() if field in settings.model_fields_set
    }


def ask(address: str, settings: Settings) -> str:
    """Return a line that says that a process serves. Raises NoAnswer, and ValueError if it runs but does not serve."""
    credentials = tls.channel_credentials(settings)
    with grpc.secure_channel(address, credentials) if credentials else grpc.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            status = stub.Check(health_pb2.HealthCheckRequest(), timeout=SECONDS).status
        except grpc.RpcError as error:
            raise NoAnswer(f"{address} does not answer ({error.code().name}); is it started?") from None
    if status != health_pb2.HealthCheckResponse.SERVING:
        raise ValueError(f"{address} runs but does not serve; its /healthz names what is missing")
    return f"{address} serves"


House = Annotated[Path, typer.Option("--folder", help="Folder of the house (pitboss up).")]
CALL_SECONDS = 600.0
STREAM_SECONDS = 3600.0


def progress() -> Progress:
    """Return a progress line on standard error, disabled if that is not a terminal."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    return Progress(*columns, transient=True, disable=not sys.stderr.isatty(), console=Console(stderr=True))


@asynccontextmanager
async def auditor(folder: Path) -> AsyncIterator[tuple[Any, tuple[tuple[str, str], ...]]]:
    """Yield the stub of the audit service and the metadata of an auditor."""
    person = staff(folder, "auditor" if not os.environ.get(OWN_TOKEN) else "", Role.AUDITOR)
    channel = client.open_channel(person.places.audit)
    try:
        yield (
            audit_pb2_grpc.AuditServiceStub(channel),
            (("authorization", f"Bearer {person.token}"),),
        )
    finally:
        await channel.close(None)


async def call(method: Any, request: Any, metadata: Any) -> Any:
    """Call a method and return its answer. Raises HouseRefuses."""
    try:
        return await method(request, metadata=metadata, timeout=CALL_SECONDS)
    except grpc.RpcError as error:
        raise said(error) from None


def said(error: grpc.RpcError) -> HouseRefuses:
    """Return the exception for a failed call."""
    return HouseRefuses(str(client.refusal(error)))


def opened(out: Path) -> AbstractContextManager[Any]:
    """Open a text file for writing, ``-`` for standard output. A file appears whole or, after an error, not at all."""
    return _opened(out, "w", "utf-8")


def opened_bytes(out: Path) -> AbstractContextManager[Any]:
    """Open a binary file for writing, ``-`` for standard output. A file appears whole, or not at all."""
    return _opened(out, "wb", None)


@contextmanager
def _opened(out: Path, mode: str, encoding: str | None) -> Iterator[Any]:
    if str(out) == "-":
        with open(sys.stdout.fileno(), mode, closefd=False, encoding=encoding) as file:
            yield file
    elif out.exists() and not out.is_file():  # a device or a pipe
        with out.open(mode, encoding=encoding) as file:
            yield file
    else:
        part = out.with_name(f".{out.name}.{os.getpid()}.part")
        try:
            with part.open(mode, encoding=encoding) as file:
                yield file
            part.replace(out)
        finally:
            part.unlink(missing_ok=True)
