"""Which system account runs an embedded server, and where that account may read and write.

Postgres refuses to run as root. Where the house itself runs as root, its servers run as an account that exists on
every system; nothing is added to the system and no permission of a folder is widened. Where that account
cannot enter a folder (a checkout below ``/root``), the servers' data and programs are below ``/var/lib/pitboss``
and the folder links to it.
"""

import hashlib
import os
import pwd
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

NAMES: Final = ("postgres", "nobody")
"""Accounts that may run a server for root, the first that exists is taken."""

ELSEWHERE: Final = Path("/var/lib/pitboss")
"""Folder for data and programs that the servers' account cannot reach in their own place."""

PROBE_SECONDS: Final = 10.0


class AccountError(Exception):
    """No account can run the server, or it cannot use the folder; the message holds the remedy."""


class Account:
    """The account under which a server runs; ``entry`` is None for the account of this process."""

    def __init__(self, entry: pwd.struct_passwd | None) -> None:
        self.entry = entry

    def spawning(self) -> dict[str, Any]:
        """Return the arguments with which ``subprocess`` starts a program under this account."""
        if self.entry is None:
            return {}
        return {"user": self.entry.pw_uid, "group": self.entry.pw_gid, "extra_groups": []}

    def own(self, path: Path) -> None:
        """Change the owner of a file or folder to this account."""
        if self.entry is not None:
            os.chown(path, self.entry.pw_uid, self.entry.pw_gid)

    def can(self, *command: str | Path) -> bool:
        """Return whether a short program succeeds under this account."""
        try:
            done = subprocess.run(
                [str(word) for word in command],
                check=False,
                capture_output=True,
                timeout=PROBE_SECONDS,
                cwd="/",
                **self.spawning(),
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0


def choose(folder: Path) -> Account:
    """Return the account for a server with data in a folder. Under root: its owner, or the first of ``NAMES``."""
    if os.geteuid() != 0:
        return Account(None)
    owner = folder.stat().st_uid if folder.exists() else 0
    if owner != 0:
        try:
            return Account(pwd.getpwuid(owner))
        except KeyError as error:
            message = (
                f"{folder} belongs to the unknown account {owner}; change its owner to an account that exists (chown)"
            )
            raise AccountError(message) from error
    for name in NAMES:
        try:
            return Account(pwd.getpwnam(name))
        except KeyError:
            continue
    message = f"a server may not run as root and none of the accounts {', '.join(NAMES)} exists; run as another user"
    raise AccountError(message)


def usable_folder(folder: Path, account: Account, tell: Callable[[str], None]) -> Path:
    """Make the folder, or a link in its place, so that the account can use it. Return the folder of the data."""
    if account.entry is None:
        _make(folder)
        return folder.resolve()
    if not folder.exists() and not folder.is_symlink():
        _make(folder)
        account.own(folder)
    real = folder.resolve()
    real.mkdir(mode=0o700, parents=True, exist_ok=True)
    account.own(real)
    if account.can("/bin/sh", "-c", 'cd "$0" && test -w .', real):
        return real
    return _moved(folder, account, tell)


def _moved(folder: Path, account: Account, tell: Callable[[str], None]) -> Path:
    assert account.entry is not None, "this process itself needs no other place"
    if any(folder.iterdir()):
        who = account.entry.pw_name
        message = f"{folder} holds data that the account {who} cannot reach; move it, or let {who} enter its parents"
        raise AccountError(message)
    mark = hashlib.sha256(os.fsencode(folder.absolute())).hexdigest()[:12]
    place = ELSEWHERE / f"{folder.name}-{mark}"
    place.mkdir(parents=True, exist_ok=True)
    place.chmod(0o700)
    account.own(place)
    if not account.can("/bin/sh", "-c", 'cd "$0" && test -w .', place):
        message = f"the account {account.entry.pw_name} can use neither {folder} nor {place}; run as another user"
        raise AccountError(message)
    folder.rmdir()
    folder.symlink_to(place)
    tell(f"The account {account.entry.pw_name} cannot enter {folder.parent}: data are kept in {place}")
    return place


def usable_programs(package: Path, probe: Path, account: Account) -> Path:
    """Return a folder of programs that the account can run: the package's own, or a copy that root keeps elsewhere.

    ``probe`` is a program inside the package that answers ``--version``.
    """
    if any(account.can(package / probe, "--version") for _ in range(2)):  # a busy machine may fail to start it once
        return package
    if account.entry is None:
        message = f"{package / probe} does not run on this machine; name servers of your own in the settings instead"
        raise AccountError(message)
    mark = hashlib.sha256(os.fsencode(package) + str(package.stat().st_mtime_ns).encode()).hexdigest()[:12]
    place = ELSEWHERE / f"programs-{mark}" / package.name
    if not (place / probe).exists():
        _copy(package.parent, package.name, place.parent)
    if not account.can(place / probe, "--version"):
        message = f"the account {account.entry.pw_name} can run neither {package / probe} nor {place / probe}"
        raise AccountError(message)
    return place


def _copy(parent: Path, name: str, place: Path) -> None:
    """Copy a package and the libraries beside it, readable by all; an interrupted copy is never used."""
    half = place.with_name(f"{place.name}.{os.getpid()}")
    half.mkdir(parents=True, exist_ok=True)
    for part in (name, f"{name}.libs"):
        if (parent / part).is_dir():
            shutil.copytree(parent / part, half / part, symlinks=True)
    for path in (half, *half.rglob("*")):
        path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) or ".so" in path.name else 0o644)
    ELSEWHERE.chmod(0o755)
    try:
        half.rename(place)
    except OSError:
        shutil.rmtree(half)  # another process was faster; its copy is the same


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot make the folder {folder}: {error.strerror}; choose one that this user may write"
        raise AccountError(message) from error
