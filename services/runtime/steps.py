"""Named steps at which a process can be made to die, for the tests of what the house must survive.

``PITBOSS_DIE_AT=dealer.appended`` kills the process the first time it reaches that step (``…:3``: the third time), as
``kill -9`` would. Without the variable a step costs one comparison.
"""

import os
import signal

_WANTED, _, _TIMES = os.environ.get("PITBOSS_DIE_AT", "").partition(":")
_left = int(_TIMES or 1)


def reached(step: str) -> None:
    """Die here if this is the step that was asked for."""
    if step == _WANTED:
        _die()


def _die() -> None:
    global _left  # noqa: PLW0603 - a process has one count
    _left -= 1
    if _left <= 0:
        os.kill(os.getpid(), signal.SIGKILL)
