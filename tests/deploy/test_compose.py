"""The compose file has every process, with its dependencies, probes and no privileges, and without secrets."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.localhouse import secret_file
from services.rules import catalogue
from services.runtime import key_holders, settings
from services.runtime.identity import Identity, Role

ROOT = Path(__file__).parents[2]
FAMILIES = ("poker", "banker", "showdown", "tricks", "climbing", "survival")
PROCESSES = ("settlement", "audit", *(f"dealer-{family}" for family in FAMILIES))
VARIABLE = re.compile(r"\$\{([A-Z0-9_]+)(?::[?-][^}]*)?\}")


def load() -> dict[str, Any]:
    """Read the compose file, anchors merged."""
    read: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return read


SERVICES: dict[str, Any] = load()["services"]


def filled(values: dict[str, str], secrets: dict[str, str]) -> dict[str, str]:
    """Put secrets and defaults for the variables of an environment, as compose does."""

    def value(found: re.Match[str]) -> str:
        default = found[0].removesuffix("}").partition(":-")[2]
        return secrets.get(found[1], default)

    return {name: VARIABLE.sub(value, text) for name, text in values.items()}


def test_there_is_a_dealer_for_each_family_of_the_catalogue() -> None:
    """Every family that has games has its dealer, which serves that family."""
    assert set(catalogue.families()) <= set(FAMILIES)
    for family in FAMILIES:
        assert SERVICES[f"dealer-{family}"]["command"] == ["serve", "dealer", "--family", family]


@pytest.mark.parametrize("name", PROCESSES)
def test_a_process_waits_for_what_it_needs_and_is_probed_every_five_seconds(name: str) -> None:
    """It starts after the migration, Postgres and Redis; dealers also after settlement; the first probe comes soon."""
    service = SERVICES[name]
    needs = {needed: how["condition"] for needed, how in service["depends_on"].items()}
    assert needs["migrate"] == "service_completed_successfully"
    assert needs["postgres"] == needs["redis"] == "service_healthy"
    if name.startswith("dealer"):
        assert needs["settlement"] == "service_healthy"
    assert service["healthcheck"]["interval"] == "5s"
    assert service["healthcheck"]["test"] == ["CMD", "pitboss-probe"]


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_a_container_is_unprivileged_and_its_log_bounded(name: str) -> None:
    """Containers have no capability, no new privileges, a read-only file system and a rotated log; none is root."""
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["logging"] == {"driver": "local"}
    # The images of Prometheus, Grafana and ours name a user themselves.
    assert name in {*PROCESSES, "migrate", "players", "gateway", "web", "console", "prometheus", "grafana"} or service[
        "user"
    ] not in {
        "root",
        "0",
    }


@pytest.mark.parametrize("name", [*PROCESSES, "migrate", "players", "gateway", "web", "console"])
def test_a_process_is_bounded_and_stops_in_time(name: str) -> None:
    """A bound on memory; time enough to drain."""
    service = SERVICES[name]
    assert service["init"] is True
    assert service["mem_limit"]
    given = settings.load()
    assert float(service["stop_grace_period"].rstrip("s")) > given.drain_notice_seconds + given.drain_seconds + 2


def test_ports_are_published_on_this_machine_only_and_each_once() -> None:
    """No port is open to the network."""
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert all(port.startswith("127.0.0.1:") for port in ports)
    assert len({port.split(":")[1] for port in ports}) == len(ports)


def test_no_secret_stands_in_the_file_and_each_has_its_maker() -> None:
    """Every secret comes from a required variable, and `make secrets` makes every such variable."""
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    needed = set(re.findall(r"\$\{([A-Z0-9_]+):\?", text))
    assert needed == set(secret_file.fresh()) - {"PITBOSS_JWT_PRIVATE_KEY"}
    assert "PITBOSS_JWT_PRIVATE_KEY" not in text, "who holds it makes tokens; no container gets it"
    for name, service in SERVICES.items():
        for variable, value in (service.get("environment") or {}).items():
            if re.search(r"PASSWORD|SECRET|TOKEN|_KEYS?$|_URL$", variable):
                assert "${" in str(value), f"{name}: {variable} holds a value"


@pytest.mark.parametrize("name", PROCESSES)
def test_the_settings_of_a_process_are_understood(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With fresh secrets each process's environment is valid settings, and each variable is a setting."""
    for variable in list(os.environ):
        if variable.startswith(settings.PREFIX):
            monkeypatch.delenv(variable)
    environment = filled(SERVICES[name]["environment"], secret_file.fresh())
    for variable, value in environment.items():
        assert variable.removeprefix(settings.PREFIX).lower() in settings.Settings.model_fields, variable
        monkeypatch.setenv(variable, value)
    loaded = settings.load()
    assert loaded.postgres().startswith(f"postgresql://{name.partition('-')[0]}:")
    assert loaded.redis().endswith("@redis:6379/0")
    identity = Identity(loaded)
    assert not identity.can_mint()
    if name.startswith("dealer"):
        assert identity.verify(loaded.service_token.get_secret_value()).role is Role.SERVICE
    else:
        assert not loaded.service_token.get_secret_value()
    process = name.partition("-")[0]
    key_holders.verify(process, loaded)
    every = frozenset[str]().union(*key_holders.HELD.values())
    given = {variable.removeprefix(settings.PREFIX).lower() for variable in environment}
    assert given & every == key_holders.HELD[process]


def test_house_players_get_their_tokens_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of the demo has valid settings and tokens that make house players of their subjects."""
    for variable in list(os.environ):
        if variable.startswith(settings.PREFIX):
            monkeypatch.delenv(variable)
    assert SERVICES["players"]["profiles"] == ["demo"]
    for variable, value in filled(SERVICES["players"]["environment"], secret_file.fresh()).items():
        monkeypatch.setenv(variable, value)
    loaded = settings.load()
    key_holders.verify("players", loaded)
    assert set(loaded.dealer_addresses) == set(FAMILIES)
    tokens = loaded.players_tokens.get_secret_value().split()
    assert tokens
    assert all(Identity(loaded).verify(token).house_player for token in tokens)


def test_an_older_file_of_secrets_gets_tokens_of_its_own_key(tmp_path: Path) -> None:
    """Tokens of house players that are added later are signed with the private key that stands in the file."""
    path = tmp_path / ".env"
    assert secret_file.write(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "PLAYERS_TOKENS" not in line), encoding="utf-8")
    assert secret_file.complete(path) == ["PITBOSS_PLAYERS_TOKENS"]
    values = dict(line.split("=", 1) for line in path.read_text(encoding="utf-8").splitlines() if "=" in line)
    plain = {name: value.strip("'") for name, value in values.items()}
    who = Identity(settings.load(jwt_algorithm="EdDSA", jwt_public_key=plain["PITBOSS_JWT_PUBLIC_KEY"]))
    assert who.verify(plain["PITBOSS_PLAYERS_TOKENS"].split()[0]).house_player


def test_fresh_secrets_are_readable_by_their_owner_only_and_never_overwritten(tmp_path: Path) -> None:
    """The file has mode 600, and a second call leaves it as it is."""
    path = tmp_path / ".env"
    assert secret_file.write(path)
    assert path.stat().st_mode & 0o777 == 0o600
    before = path.read_text()
    assert not secret_file.write(path)
    assert path.read_text() == before
    values = dict(line.split("=", 1) for line in before.splitlines() if not line.startswith("#"))
    assert json.loads(values["PITBOSS_DEAL_KEYS"].strip("'"))
    assert len(set(values.values())) == len(values), "no two secrets are the same"


def test_a_file_of_an_earlier_release_gets_what_is_new_and_keeps_the_rest(tmp_path: Path) -> None:
    """Keys of tokens are added together; existing lines stay, and a second call adds nothing."""
    path = tmp_path / ".env"
    secret_file.write(path)
    old = [
        line for line in path.read_text().splitlines(keepends=True) if not line.startswith(tuple(secret_file.TOGETHER))
    ]
    path.write_text("".join([*old, "PITBOSS_JWT_SECRET='kept'\n"]), encoding="utf-8")
    assert set(secret_file.complete(path)) == secret_file.TOGETHER
    assert path.read_text().startswith("".join(old) + "PITBOSS_JWT_SECRET='kept'\n")
    assert secret_file.complete(path) == []


def test_a_key_that_is_held_elsewhere_gets_no_other_beside_it(tmp_path: Path) -> None:
    """A file that holds the public key alone belongs to an issuer elsewhere: no private key is made for it."""
    path = tmp_path / ".env"
    secret_file.write(path)
    lines = [line for line in path.read_text().splitlines(keepends=True) if "JWT_PRIVATE_KEY" not in line]
    path.write_text("".join(lines), encoding="utf-8")
    assert secret_file.complete(path) == []


def test_the_file_of_secrets_is_not_tracked() -> None:
    """Git ignores .env, and the build context does not hold it."""
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()
    assert (ROOT / ".dockerignore").read_text().splitlines()[0] == "*"


def test_everything_that_the_image_copies_is_in_the_build_context() -> None:
    """Each COPY of the Dockerfile names something that exists and that .dockerignore lets through."""
    let = {line[1:].rstrip("/") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    text = (ROOT / "deploy" / "Dockerfile").read_text()
    sources = [
        word.rstrip("/")
        for line in text.splitlines()
        if line.startswith("COPY") and "--from" not in line
        for word in line.split()[1:-1]
        if not word.startswith("--")
    ]
    assert sources
    assert set(sources) <= let
    assert [source for source in sources if not (ROOT / source).exists()] == []
    assert re.search(r"^USER 10001", text, re.MULTILINE)
    assert not text.startswith("# syntax"), "such a line asks a registry for a front end"


def test_the_gateway_leads_to_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """One address serves the whole contract: its settings name the dealer of each family, settlement and audit."""
    for variable in list(os.environ):
        if variable.startswith(settings.PREFIX):
            monkeypatch.delenv(variable)
    service = SERVICES["gateway"]
    assert service["command"] == ["serve", "gateway"]
    assert "profiles" not in service
    for variable, value in filled(service["environment"], {}).items():
        assert variable.removeprefix(settings.PREFIX).lower() in settings.Settings.model_fields, variable
        monkeypatch.setenv(variable, value)
    loaded = settings.load()
    key_holders.verify("gateway", loaded)
    assert loaded.gateway_dealers == {family: f"dealer-{family}:7400" for family in FAMILIES}
    assert (loaded.settlement_address, loaded.audit_address) == ("settlement:7400", "audit:7400")


def test_compose_itself_takes_the_file(tmp_path: Path) -> None:
    """If compose is installed, it accepts the file with fresh secrets."""

    def compose(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["docker", "compose", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)

    if shutil.which("docker") is None or compose("version").returncode != 0:
        pytest.skip("docker compose is not installed")
    secret_file.write(tmp_path / "env")
    profiles = ("--profile", "grafana", "--profile", "demo")
    done = compose("--env-file", str(tmp_path / "env"), *profiles, "config", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
