"""The page's session and its sign-in at a provider, in Node: the units that a browser's tests cannot hold still."""

import subprocess
import sys

from tests.web.conftest import BUILD_SECONDS, NPM, ROOT


def test_sessions_links_and_answers_of_providers_hold(built: object) -> None:
    """Renewals are shared, ends leave nothing, wrong answers sign nobody in, and no fault uses a link up."""
    assert built
    line = [sys.executable, str(NPM), "--in", str(ROOT / "services" / "web" / "page"), "run", "test:app"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=BUILD_SECONDS, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "fail 0" in done.stdout
