"""Failpoints: named steps at which a process can be made to die, for tests of crashes.

``PITBOSS_DIE_AT=dealer.appended`` kills the process the first time it reaches that step (``…:3``: the third time), as
``kill -9`` would. With ``PITBOSS_DIE_AT=@/folder`` a running process is chosen: the file ``/folder/<pid>`` names its
step; it is deleted before the process dies, so that a test which takes the doom back knows whether it was too late.
Without the variable a step costs one comparison. Only a test house (one that takes scripted decks) may be set to
die: elsewhere a process with the variable does not start (``check``).
"""

import os
import signal
from pathlib import Path

from services.runtime.settings import PREFIX, Settings, SettingsRefused

VARIABLE = "PITBOSS_DIE_AT"
_WANTED = os.environ.get(VARIABLE, "")
_left: dict[str, int] = {}


def check(settings: Settings) -> None:
    """Raise SettingsRefused if a failpoint is set in a house with real players."""
    if os.environ.get(VARIABLE) and not settings.scripted_decks:
        raise SettingsRefused(
            f"{VARIABLE} is set: it makes a process kill itself, for tests only; unset it"
            f" (only a test house, with {PREFIX}SCRIPTED_DECKS=true, takes it)"
        )


def reached(step: str) -> None:
    """Die here if this is the chosen step."""
    if _WANTED:
        _count(step)


def _count(step: str) -> None:
    wanted, _, times = _asked().partition(":")
    if step == wanted:
        left = _left.get(wanted, int(times or 1)) - 1
        _left[wanted] = left
        if left <= 0 and _is_final():
            os.kill(os.getpid(), signal.SIGKILL)


def _asked() -> str:
    if not _WANTED.startswith("@"):
        return _WANTED
    try:
        return _own_file().read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


def _is_final() -> bool:
    """Delete this process's file; return False if it was deleted already, and the doom with it."""
    if not _WANTED.startswith("@"):
        return True
    try:
        _own_file().unlink()
    except FileNotFoundError:
        return False
    return True


def _own_file() -> Path:
    return Path(_WANTED[1:]) / str(os.getpid())
