"""``pitboss token``, ``secrets`` and ``doctor``: what operators need, in words."""

import asyncio
import json
import os
import stat
import time
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from services.cli import reach
from services.localhouse import secret_set
from services.runtime import settings
from services.runtime.identity import Caller, Identity, Role
from tests.cli.conftest import Call
from tests.support import clusters


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a house that has its secrets."""
    secret_set.load_or_make(tmp_path / "secrets.json")
    return tmp_path


def test_secrets_are_kept_for_their_owner_alone_and_made_once(tmp_path: Path) -> None:
    """The file has mode 600, a second start finds the same secrets, two houses have different ones."""
    file = tmp_path / "var" / "secrets.json"
    first = secret_set.load_or_make(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert secret_set.load_or_make(file) == first
    assert not [one for one in file.parent.iterdir() if one != file]
    other = secret_set.load_or_make(tmp_path / "other.json")
    assert not set(first.values()) - {"deal-1", "audit-1", "personal-1", "EdDSA"} & set(other.values())
    settings.load(
        **{
            name.removeprefix("PITBOSS_").lower(): json.loads(value) if name.endswith("_KEYS") else value
            for name, value in first.items()
        }
    ).deal_ring()


def test_a_house_of_an_earlier_release_gets_the_secrets_that_it_lacks(tmp_path: Path) -> None:
    """What a house has stays as it is; what came since is made and kept."""
    file = tmp_path / "secrets.json"
    older = {name: value for name, value in secret_set.make().items() if "PERSONAL" not in name}
    secret_set.keep(file, older)
    whole = secret_set.load_or_make(file)
    assert whole.items() >= older.items()
    assert whole.keys() - older.keys() == {"PITBOSS_PERSONAL_KEYS", "PITBOSS_PERSONAL_KEY"}
    assert secret_set.load_or_make(file) == whole


def test_a_token_names_whom_and_what(pitboss: Call, folder: Path) -> None:
    """Subject, role, name and test mark are in it, and the house's public key checks it."""
    done = pitboss("token", "ann", "--role", "auditor", "--name", "Ann", "--test", "--folder", folder)
    assert done.exit_code == 0
    public = json.loads((folder / "secrets.json").read_text())["PITBOSS_JWT_PUBLIC_KEY"]
    caller = Identity(settings.load(jwt_algorithm="EdDSA", jwt_public_key=public)).verify(done.stdout.strip())
    assert (caller.subject, caller.role, caller.name, caller.test) == ("ann", Role.AUDITOR, "Ann", True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(("a:b",), "subject"), (("ann", "--role", "king"), "king"), (("ann", "--hours", "0"), "0.01")],
)
def test_a_token_that_cannot_be_is_refused_in_words(
    pitboss: Call, folder: Path, arguments: tuple[str, ...], says: str
) -> None:
    """A subject, role or life that the house does not know."""
    done = pitboss("token", *arguments, "--folder", folder)
    assert done.exit_code == 2
    assert says in done.output


def test_printed_secrets_are_new_each_time(pitboss: Call) -> None:
    """Lines for an environment, complete, and other ones at every call."""
    one, other = pitboss("secrets").stdout, pitboss("secrets").stdout
    assert one != other
    names = {line.partition("=")[0] for line in one.splitlines()}
    assert names == {
        "PITBOSS_JWT_ALGORITHM",
        "PITBOSS_JWT_PUBLIC_KEY",
        "PITBOSS_JWT_PRIVATE_KEY",
        "PITBOSS_DEAL_KEYS",
        "PITBOSS_DEAL_KEY",
        "PITBOSS_AUDIT_KEYS",
        "PITBOSS_AUDIT_KEY",
        "PITBOSS_PERSONAL_KEYS",
        "PITBOSS_PERSONAL_KEY",
        "PITBOSS_CHECKPOINT_KEY",
        "PITBOSS_CONSOLE_KEY",
        "PITBOSS_LEDGER_KEY",
        "PITBOSS_LEDGER_PUBLIC_KEYS",
    }


def test_the_doctor_finds_a_well_house_well(pitboss: Call, folder: Path, postgres_url: str, redis_url: str) -> None:
    """With servers, schema and keys in place every check is well, and no secret is printed."""
    done = pitboss("doctor", "--folder", folder, PITBOSS_DATABASE_URL=postgres_url, PITBOSS_REDIS_URL=redis_url)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1] == "all checks passed"
    kept = json.loads((folder / "secrets.json").read_text())
    public = ("PITBOSS_DEAL_KEY", "PITBOSS_AUDIT_KEY", "PITBOSS_JWT_ALGORITHM")
    assert not [value for name, value in kept.items() if name not in public and value in done.output]


@pytest.mark.parametrize(
    ("subject", "role", "seconds", "mark", "says"),
    [
        ("dealer", Role.SERVICE, 90 * 86400, "ok", "expires in 90 days"),
        ("dealer", Role.SERVICE, 3 * 86400, "warn", "expires in 3.0 days"),
        ("dealer", Role.SERVICE, -60, "FAIL", "the token has expired"),
        ("ann", Role.PLAYER, 3600, "FAIL", "its role is player; it must be service"),
    ],
)
def test_the_doctor_tells_when_the_service_token_ends(
    pitboss: Call, folder: Path, subject: str, role: Role, seconds: float, mark: str, says: str
) -> None:
    """A token that is good, ends soon, has ended, or is a player's; with how to make a new one where it matters."""
    identity = Identity(settings.load(**secret_set.of_tokens(folder / "secrets.json")))
    token = identity.mint(Caller(subject, role), 86400 + seconds, time.time() - 86400)
    done = pitboss("doctor", "--folder", folder, PITBOSS_SERVICE_TOKEN=token)
    [line] = [one for one in done.stdout.splitlines() if one[6:].startswith("service token")]
    assert line.startswith(mark)
    assert says in line
    assert token not in done.output


def test_a_house_of_an_earlier_release_goes_on_with_its_shared_secret(pitboss: Call, tmp_path: Path) -> None:
    """Its secrets stay as they are, and tokens are made with them as before (HS256)."""
    file = tmp_path / "secrets.json"
    file.write_text(json.dumps({"PITBOSS_JWT_SECRET": "s" * 40}), encoding="utf-8")
    kept = secret_set.load_or_make(file)
    assert {name for name in kept if name in secret_set.TOKENS} == {"PITBOSS_JWT_SECRET"}
    assert secret_set.load_or_make(file) == kept
    done = pitboss("token", "ann", "--folder", tmp_path)
    assert done.exit_code == 0, done.output
    assert Identity(settings.load(jwt_secret="s" * 40)).verify(done.stdout.strip()).subject == "ann"


def test_a_house_whose_shared_secret_is_taken_out_gets_a_key_pair(tmp_path: Path) -> None:
    """What else it keeps stays: decks that were sealed before still open."""
    file = tmp_path / "secrets.json"
    before = secret_set.load_or_make(file)
    file.write_text(json.dumps({name: value for name, value in before.items() if name not in secret_set.TOKENS}))
    after = secret_set.load_or_make(file)
    assert set(after) == set(before)
    assert {name for name in after if after[name] != before[name]} == {
        "PITBOSS_JWT_PUBLIC_KEY",
        "PITBOSS_JWT_PRIVATE_KEY",
    }


def test_the_doctor_says_what_is_wrong(pitboss: Call, folder: Path, postgres_server: str, redis_url: str) -> None:
    """A database without the schema, a Redis that is not there: each named, with what to do; exit 1."""
    bare = f"{postgres_server.rpartition('/')[0]}/postgres"
    done = pitboss("doctor", "--folder", folder, PITBOSS_DATABASE_URL=bare, PITBOSS_REDIS_URL="redis://127.0.0.1:9/0")
    assert done.exit_code == 1
    wrong = {line.split(":")[0].split(maxsplit=1)[1]: line for line in done.stdout.splitlines() if "FAIL" in line}
    assert "pitboss migrate" in wrong["schema"]
    assert "PITBOSS_REDIS_URL" in wrong["redis"]
    assert "database" not in wrong
    done = pitboss(
        "doctor",
        "--folder",
        folder,
        PITBOSS_DATABASE_URL="postgresql://u:hush@127.0.0.1:9/x",
        PITBOSS_REDIS_URL=redis_url,
    )
    assert done.exit_code == 1
    assert "is PITBOSS_DATABASE_URL right?" in done.output
    assert "hush" not in done.output


def test_the_doctor_names_the_process_that_does_not_answer(
    pitboss: Call, folder: Path, postgres_url: str, redis_url: str
) -> None:
    """Only those that the settings name are asked; one that is away is a warning, for it may not be started yet."""
    servers = {"PITBOSS_DATABASE_URL": postgres_url, "PITBOSS_REDIS_URL": redis_url}
    for name in ("PITBOSS_SETTLEMENT_ADDRESS", "PITBOSS_AUDIT_ADDRESS", "PITBOSS_DEALER_ADDRESSES"):
        assert name not in os.environ
    silent = pitboss("doctor", "--folder", folder, **servers)
    assert not [one for one in silent.stdout.splitlines() if one[6:].startswith(("settlement:", "audit:", "dealer"))]
    away = {
        "PITBOSS_SETTLEMENT_ADDRESS": "127.0.0.1:9",
        "PITBOSS_DEALER_ADDRESSES": json.dumps({"poker": "127.0.0.1:9"}),
    }
    done = pitboss("doctor", "--folder", folder, **servers, **away)
    assert done.exit_code == 0, done.output
    warned = [line.split(":")[0].split(maxsplit=1)[1] for line in done.stdout.splitlines() if line.startswith("warn")]
    assert warned == ["dealer of poker", "settlement"]
    assert "127.0.0.1:9 does not answer" in done.output
    assert done.stdout.splitlines()[-1] == "all checks passed, with 2 warnings"


async def test_the_doctor_finds_a_process_that_runs_but_does_not_serve(
    pitboss: Call, folder: Path, postgres_url: str, redis_url: str
) -> None:
    """It is named by the folder's own list, and the doctor exits with 1."""
    server = grpc.aio.server()
    servicer = health.aio.HealthServicer()  # type: ignore[attr-defined]  # not in the stubs
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    await servicer.set("", health_pb2.HealthCheckResponse.NOT_SERVING)
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    (folder / "house.json").write_text(json.dumps({"audit": address}))
    given = {"PITBOSS_DATABASE_URL": postgres_url, "PITBOSS_REDIS_URL": redis_url}
    done = await asyncio.to_thread(pitboss, "doctor", "--folder", folder, **given)
    await server.stop(None)
    assert done.exit_code == 1
    assert f"FAIL  audit: {address} runs but does not serve" in done.output


def test_the_doctor_visits_every_node_of_a_cluster(
    pitboss: Call, folder: Path, postgres_url: str, redis_server: str, own_cluster: clusters.Cluster
) -> None:
    """A cluster is described; a cluster given as a server, or a server given as a cluster, is reported."""

    def told(url: str) -> str:
        done = pitboss("doctor", "--folder", folder, PITBOSS_DATABASE_URL=postgres_url, PITBOSS_REDIS_URL=url)
        password = url.rpartition("@")[0].rpartition(":")[2]
        assert not password or password not in done.output
        return next(str(line) for line in done.stdout.splitlines() if "redis:" in line or "settings:" in line)

    assert "a cluster of 3 nodes, 3 of them primaries; those with data answer; tables are on 3" in told(own_cluster.url)
    assert "ok    redis:" in told(own_cluster.url_of(own_cluster.nodes[1]).replace("@", "@127.0.0.1:9,"))
    assert "name it as redis+cluster://" in told(own_cluster.nodes[0].url)
    assert "is not a node of a cluster; name it as redis://" in told(
        redis_server.replace("redis://", "redis+cluster://")
    )
    assert "is PITBOSS_REDIS_URL right?" in told("redis+cluster://127.0.0.1:9")
    assert "PITBOSS_REDIS_URL: node 2 is not host:port" in told("redis+cluster://a:1,b:port")
    own_cluster.nodes[2].stop(immediate=True)
    assert f"a node is at 127.0.0.1:{own_cluster.nodes[2].port}, which does not answer" in told(own_cluster.url)


def test_the_doctor_names_settings_that_make_no_sense(pitboss: Call, tmp_path: Path) -> None:
    """Without secrets, and with a nonsensical one, it says which setting and does not trace back."""
    done = pitboss("doctor", "--folder", tmp_path)
    assert done.exit_code == 1
    for name in ("PITBOSS_DATABASE_URL", "PITBOSS_REDIS_URL", "PITBOSS_DEAL_KEYS", "PITBOSS_CHECKPOINT_KEY"):
        assert name in done.output
    done = pitboss("doctor", "--folder", tmp_path, PITBOSS_POOL_MAX="many")
    assert done.exit_code == 1
    assert "PITBOSS_POOL_MAX" in done.output
    assert "Traceback" not in done.output


def test_the_environment_wins_over_a_folder_that_nobody_named(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house that was left in ./var is not taken for the one that the environment names; a named folder is."""
    (folder / "house.json").write_text(json.dumps({"dealer": "127.0.0.1:1", "settlement": "127.0.0.1:2"}))
    folder.rename(tmp_path.parent / "left")
    elsewhere = tmp_path.parent / "work"
    elsewhere.mkdir()
    (tmp_path.parent / "left").rename(elsewhere / "var")
    monkeypatch.chdir(elsewhere)
    assert reach.of_folder(Path("var")).settlement == "127.0.0.1:2"
    monkeypatch.setenv("PITBOSS_JWT_SECRET", "s" * 32)
    monkeypatch.setenv("PITBOSS_SETTLEMENT_ADDRESS", "127.0.0.1:3")
    assert reach.of_folder(Path("var")).settlement == "127.0.0.1:3"
    assert reach.of_folder(elsewhere / "var").settlement == "127.0.0.1:2"
