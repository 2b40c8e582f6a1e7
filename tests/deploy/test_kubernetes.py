"""The manifests: the same house as in the compose file, unprivileged, with secrets from outside."""

import re
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml

from services.livestate import addresses
from services.localhouse import embedded
from services.runtime import settings
from tests.support import servers

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "kubernetes"
OBJECTS: list[dict[str, Any]] = [
    found
    for path in sorted(FOLDER.glob("*.yaml"))
    for found in yaml.safe_load_all(path.read_text(encoding="utf-8"))
    if found
]
WORKLOADS = {found["metadata"]["name"]: found for found in OBJECTS if found["kind"] in ("Deployment", "Job")}
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]


def container(name: str) -> dict[str, Any]:
    """Return the container of a workload."""
    (only,) = WORKLOADS[name]["spec"]["template"]["spec"]["containers"]
    found: dict[str, Any] = only
    return found


def test_the_same_processes_run_as_in_the_compose_file() -> None:
    """Every process of one is in the other, with the same arguments; house players are for demos in containers only."""
    processes = {
        name: service["command"]
        for name, service in COMPOSE.items()
        if service.get("image") == "pitboss:latest" and service.get("profiles") != ["demo"]
    }
    assert {name: container(name)["args"] for name in WORKLOADS} == processes


@pytest.mark.parametrize("name", sorted(WORKLOADS))
def test_a_pod_is_unprivileged_and_its_secrets_come_from_outside(name: str) -> None:
    """No root, no capability, a read-only file system; each secret is a reference; each variable is a setting."""
    pod, only = WORKLOADS[name]["spec"]["template"]["spec"], container(name)
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    rights = only["securityContext"]
    assert rights["readOnlyRootFilesystem"] is True
    assert rights["allowPrivilegeEscalation"] is False
    assert rights["capabilities"] == {"drop": ["ALL"]}
    for variable in only["env"]:
        assert variable["name"].removeprefix(settings.PREFIX).lower() in settings.Settings.model_fields
        assert "secretKeyRef" in variable["valueFrom"]
    assert not any(found["kind"] == "Secret" for found in OBJECTS)


@pytest.mark.parametrize("name", sorted(set(WORKLOADS) - {"migrate"}))
def test_each_process_gets_the_secrets_of_its_kind(name: str) -> None:
    """The same secrets as in the compose file, no more."""
    given = {variable["name"] for variable in container(name)["env"]}
    in_compose = {variable for variable, value in COMPOSE[name]["environment"].items() if ":?" in str(value)}
    assert given == in_compose


def test_common_settings_are_settings_and_leave_time_to_drain() -> None:
    """The map's variables are known, and pods get more time than their drain takes."""
    (common,) = (found["data"] for found in OBJECTS if found["kind"] == "ConfigMap")
    for variable in common:
        assert variable.removeprefix(settings.PREFIX).lower() in settings.Settings.model_fields
    drain = float(common["PITBOSS_DRAIN_NOTICE_SECONDS"]) + float(common["PITBOSS_DRAIN_SECONDS"]) + 2
    for name in set(WORKLOADS) - {"migrate"}:
        assert WORKLOADS[name]["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] > drain


def test_every_deployment_has_its_service_and_budget_and_they_select_it() -> None:
    """Selectors and labels agree."""
    for name in set(WORKLOADS) - {"migrate"}:
        labels = WORKLOADS[name]["spec"]["template"]["metadata"]["labels"]
        for kind in ("Service", "PodDisruptionBudget"):
            (found,) = (one for one in OBJECTS if one["kind"] == kind and one["metadata"]["name"] == name)
            chosen = found["spec"]["selector"] if kind == "Service" else found["spec"]["selector"]["matchLabels"]
            assert chosen.items() <= labels.items()


def admitted(process: str) -> list[tuple[dict[str, Any], int]]:
    """List who may reach a kind of process, at which port, by the policies that select it."""
    found = []
    for policy in (one["spec"] for one in OBJECTS if one["kind"] == "NetworkPolicy"):
        chosen = policy["podSelector"]
        named = chosen.get("matchLabels", {}).get("pitboss/process")
        listed = [value for one in chosen.get("matchExpressions", ()) for value in one["values"]]
        if process in {named, *listed}:
            found += [
                (source, port["port"])
                for rule in policy["ingress"]
                for source in rule["from"]
                for port in rule["ports"]
            ]
    return found


@pytest.mark.parametrize("process", ["dealer", "settlement", "audit"])
def test_nobody_reaches_a_process_but_who_is_named(process: str) -> None:
    """Each policy names whom it admits by a label; calls and scrapes have a port each, and dealers reach settlement."""
    label = {"matchLabels": {"pitboss/calls": "true"}}
    dealers = [({"podSelector": {"matchLabels": {"pitboss/process": "dealer"}}}, 7400)]
    assert sorted(admitted(process), key=str) == sorted(
        [
            ({"podSelector": label}, 7400),
            ({"namespaceSelector": label, "podSelector": label}, 7400),
            ({"namespaceSelector": {"matchLabels": {"pitboss/scrapes": "true"}}}, 9400),
            *(dealers if process == "settlement" else []),
        ],
        key=str,
    )


def test_a_policy_closes_every_pod_of_the_house() -> None:
    """One policy selects all pods and admits nobody, so that a new kind of process is closed until it is named."""
    (closed,) = (
        one["spec"] for one in OBJECTS if one["kind"] == "NetworkPolicy" and one["metadata"]["name"] == "nobody-else"
    )
    assert "ingress" not in closed
    for workload in WORKLOADS.values():
        labels = workload["spec"]["template"]["metadata"]["labels"]
        assert closed["podSelector"]["matchLabels"].items() <= labels.items()


def clustered() -> dict[str, dict[str, Any]]:
    """Return the objects of the Redis cluster by their kinds."""
    text = (FOLDER / "redis-cluster" / "valkey.yaml").read_text(encoding="utf-8")
    return {found["kind"]: found for found in yaml.safe_load_all(text)}


def test_the_redis_cluster_s_configuration_serves_the_live_state() -> None:
    """A real server takes every line of the configuration, and one lost node does not stop the others."""
    lines = clustered()["ConfigMap"]["data"]["valkey.conf"].splitlines()
    told = dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))
    assert (told.pop("port"), told.pop("dir")) == ("6379", "/data")
    assert told["cluster-require-full-coverage"] == "no"
    with servers.Nest() as nest:
        own = {"cluster-port": str(embedded.free_port()), "cluster-announce-ip": "127.0.0.1", "masterauth": "x"}
        server = embedded.EmbeddedRedis(nest.folder / "redis", settings=told | own)
        with server as url, redis.Redis.from_url(url) as client:
            for name, value in (told | own).items():
                assert name in client.config_get(name), f"{name} {value}"
            assert client.info("cluster")["cluster_enabled"] == 1


def test_the_urls_of_redis_lead_to_pods_that_there_are() -> None:
    """The command that sets the URL names a cluster, by pods of the set and their service; all share one secret."""
    found = clustered()
    text = (FOLDER / "redis-cluster" / "README.md").read_text(encoding="utf-8")
    urls = re.findall(r"rediss?\+cluster://[^\\\s]+", text)
    assert len(urls) == 2
    _, named = (addresses.parse(url.replace("$PITBOSS_REDIS_PASSWORD", "secret")) for url in urls)
    assert isinstance(named, addresses.Cluster)
    pods, service = found["StatefulSet"], found["Service"]["metadata"]["name"]
    names = {f"{pods['metadata']['name']}-{number}.{service}" for number in range(pods["spec"]["replicas"])}
    assert {place.host for place in named.places} <= names
    assert pods["spec"]["serviceName"] == service
    for kind in ("StatefulSet", "Job"):
        pod = found[kind]["spec"]["template"]
        assert found["Service"]["spec"]["selector"].items() <= pod["metadata"]["labels"].items()
        (only,) = pod["spec"]["containers"]
        keys = [one["valueFrom"]["secretKeyRef"] for one in only["env"] if "secretKeyRef" in one["valueFrom"]]
        assert keys == [{"name": "redis-cluster", "key": "password"}]
        assert only["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    (script,) = found["Job"]["spec"]["template"]["spec"]["containers"][0]["args"]
    assert f"for number in {' '.join(map(str, range(pods['spec']['replicas'])))};" in script
