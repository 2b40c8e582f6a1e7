"""The doctor at a running house."""

import os
import stat
import subprocess
import sys

from services.localhouse import local_house


def test_the_doctor_finds_a_running_house_by_its_folder(house: local_house.LocalHouse) -> None:
    """With the folder alone every check passes, and only the owner can read the file with the servers' URLs."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PITBOSS_")}
    command = [sys.executable, "-m", "services.cli.main", "doctor", "--folder", str(house.folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "all checks passed"
    for name, address in house.describe().items():
        assert f"ok    {name}: {address} serves" in lines
    assert stat.S_IMODE((house.folder / "servers.json").stat().st_mode) == 0o600
