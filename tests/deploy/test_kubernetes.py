"""The manifests: the same house as in the compose file, unprivileged, with secrets from outside."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from services.runtime import settings

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
    """Give the container of a workload."""
    (only,) = WORKLOADS[name]["spec"]["template"]["spec"]["containers"]
    found: dict[str, Any] = only
    return found


def test_the_same_processes_run_as_in_the_compose_file() -> None:
    """Every process of one is in the other, with the same arguments."""
    processes = {
        name: service["command"] for name, service in COMPOSE.items() if service.get("image") == "pitboss:latest"
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
