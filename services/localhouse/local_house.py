"""A house on this machine: Postgres, Redis and every process, started, found again and ended by their ids.

``pitboss up`` and ``pitboss certify --embedded`` use it, and so do the tests of faults.
"""

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Self

from services.eventlog import migrate
from services.localhouse import ports, secret_set
from services.localhouse.embedded import EmbeddedPostgres, EmbeddedRedis, free_port
from services.localhouse.process import HouseError, Member
from services.runtime import crew_tokens
from services.runtime import settings as runtime_settings
from services.runtime.identity import Caller, Identity, Role

MOST_MENDED: Final = 5
DEALER_TOKEN_SECONDS: Final = 30 * 86_400.0
"""Life of the token with which dealers call settlement; a running house renews it in time."""
MEND_SPAN_SECONDS: Final = 600.0
"""Maximum restarts of a server or process within the span; beyond it the house stops."""

Progress = Callable[[str], None]
LOCAL_PAGES: Final = ["http://127.0.0.1:*", "http://localhost:*"]
"""Origins of pages that may call a house on this machine: those of this machine itself."""


class LocalHouse:
    """The whole house; ``folder`` holds its data, secrets and logs, and a second start finds them.

    ``database_url`` and ``redis_url`` name servers to use instead of embedded ones; the environment's
    ``PITBOSS_DATABASE_URL`` and ``PITBOSS_REDIS_URL`` do the same. ``settings`` go to every process, except
    for keys that it must not hold (``services.runtime.key_holders``). With ``gateway`` one address serves everything,
    to browsers as well, and with ``page`` the page is served that calls there; ``console`` serves the one of staff.
    """

    def __init__(
        self,
        folder: Path,
        *,
        dealers: int = 1,
        scripted_decks: bool = False,
        fixed_ports: bool = False,
        settings: Mapping[str, str] | None = None,
        database_url: str = "",
        redis_url: str = "",
        progress: Progress | None = None,
        gateway: bool = False,
        page: bool = False,
        console: bool = False,
    ) -> None:
        self._urls = (database_url, redis_url)
        self.folder = folder.absolute()
        self._ports = ports.known(dealers, gateway=gateway, page=page and gateway, console=console)
        self._fixed = fixed_ports
        self._tell: Progress = progress or (lambda _: None)
        self._settings = dict(settings or {})
        self._scripted = scripted_decks
        self.postgres: EmbeddedPostgres | None = None
        self.redis: EmbeddedRedis | None = None
        self.environment: dict[str, str] = {}
        self.members: dict[str, Member] = {}
        self._mended: dict[str, list[float]] = {}
        self._issue_at = 0.0
        self._dealer_token = self.folder / "dealer.token"
        self._players_tokens = self.folder / "players.tokens"
        self.guests = self.folder / "guests.json"
        self.page_url = ""
        """Where browsers find the page; empty without one."""
        self.staff_links = self.folder / "staff.json"
        self.console_url = ""
        """Where browsers find the console of staff; empty without one."""

    def start(self) -> None:
        """Start everything that the environment does not name. Raises HouseError, EmbeddedError, SettingsRefused."""
        if self._fixed:
            ports.require_free(ports.wanted(self.folder, self._ports))
        self.folder.mkdir(parents=True, exist_ok=True)
        kept = secret_set.load_or_make(self.folder / "secrets.json")
        self.environment = {
            **kept,
            "PITBOSS_SCRIPTED_DECKS": str(self._scripted).lower(),
            "PITBOSS_DATABASE_URL": self._database_url(),
            "PITBOSS_REDIS_URL": self._redis_url(),
            "PITBOSS_DRAIN_NOTICE_SECONDS": "0",
            **self._settings,
        }
        self._tell("upgrading the database to the newest schema")
        try:
            migrate.upgrade(self.environment["PITBOSS_DATABASE_URL"])
        except migrate.MigrationError as error:
            raise HouseError(str(error)) from None
        self._start_members()

    def _database_url(self) -> str:
        given = self._urls[0] or os.environ.get("PITBOSS_DATABASE_URL", "")
        if given:
            self._tell("using the Postgres that the settings name")
            return given
        self._tell("starting Postgres")
        self.postgres = EmbeddedPostgres(self.folder / "postgres", progress=self._tell)
        return self.postgres.start()

    def _redis_url(self) -> str:
        given = self._urls[1] or os.environ.get("PITBOSS_REDIS_URL", "")
        if given:
            self._tell("using the Redis that the settings name")
            return given
        self._tell("starting Redis")
        self.redis = EmbeddedRedis(self.folder / "redis", progress=self._tell)
        return self.redis.start()

    def _issue(self) -> None:
        """Provide dealers with a token for settlement where they cannot make one; renew it at half of its life."""
        now = time.time()
        if now < self._issue_at:
            return
        identity = self._identity()
        if identity.algorithm == "HS256":
            self._tell("this house was made with HS256: each of its processes can make tokens (docs/operations.md)")
        else:
            token = identity.mint(Caller(subject="dealer", role=Role.SERVICE), DEALER_TOKEN_SECONDS)
            secret_set.keep_text(self._dealer_token, token)
        secret_set.keep_text(self._players_tokens, crew_tokens.minted(identity, DEALER_TOKEN_SECONDS))
        self._issue_at = now + DEALER_TOKEN_SECONDS / 2

    def _start_members(self) -> None:
        self._issue()
        for name, port in self._ports.items():
            self._member(name, ["serve", name.partition("-")[0]], port)
        members = list(self.members.values())
        for member in members:
            if self.postgres is not None and (orphan := member.end_orphan()):
                self._tell(f"{member.name} of an earlier start still ran as process {orphan}; it was ended")
        if self._fixed:
            ports.require_free(port for member in members for port in member.ports)
        for member in members:
            self._tell(f"starting {member.name}")
            member.launch()
        for member in members:
            member.wait_ready()
            self._tell(f"{member.name} serves on {member.address}")

    def start_players(self) -> None:
        """Start the process that plays the house players at this house's test tables. Raises HouseError."""
        member = self._member("players", ["serve", "players"], ports.PLAYERS)
        member.end_orphan()
        member.start()
        self._tell("house players play at test tables")

    def mend(self) -> bool:
        """Restart the ended parts of this house: its Postgres and Redis, then its processes, at their addresses.

        Return False if one has ended too often. Raises EmbeddedError if a server does not start. The next call tries a
        process again that does not start.
        """
        if self._issue_at:  # a house that was started
            self._issue()
        for server in (self.postgres, self.redis):
            if server is not None and not server.running:
                if not self._may_mend(server.name):
                    return False
                server.start()
        ended = [member for _, member in sorted(self.members.items()) if not member.running()]
        if not all(self._may_mend(member.name) for member in ended):
            return False
        for member in ended:
            member.launch()
        for member in ended:
            try:
                member.wait_ready()
            except HouseError as error:
                self._tell(str(error))
            else:
                self._tell(f"{member.name} serves on {member.address}")
        return True

    def _may_mend(self, name: str) -> bool:
        """Count and report a restart. Return False if there were too many."""
        now = time.monotonic()
        starts = [at for at in self._mended.get(name, []) if now - at < MEND_SPAN_SECONDS]
        if len(starts) >= MOST_MENDED:
            self._tell(f"{name} ended again, after {MOST_MENDED} starts in {MEND_SPAN_SECONDS / 60:.0f} min")
            return False
        self._mended[name] = [*starts, now]
        self._tell(f"{name} has ended by itself or was killed; starting it again")
        return True

    def _member(self, name: str, arguments: list[str], port: int) -> Member:
        listen = port if self._fixed else free_port()
        environment = {**self.environment, "PITBOSS_LISTEN": f"127.0.0.1:{listen}"}
        if name.startswith("dealer") and self._dealer_token.exists():
            environment["PITBOSS_SERVICE_TOKEN_FILE"] = str(self._dealer_token)
        environment["PITBOSS_METRICS_LISTEN"] = f"127.0.0.1:{listen + ports.METRICS_BEYOND if self._fixed else 0}"
        if name == "players":
            environment["PITBOSS_PLAYERS_TOKENS_FILE"] = str(self._players_tokens)
            environment["PITBOSS_DEALER_ADDRESSES"] = json.dumps({"": self.dealers[0].address})
        if name == "gateway":
            environment["PITBOSS_GATEWAY_DEALERS"] = json.dumps({"": ",".join(one.listen for one in self.dealers)})
            environment.setdefault("PITBOSS_GATEWAY_ORIGINS", json.dumps(LOCAL_PAGES))
            self.environment.setdefault("PITBOSS_WEB_GATEWAY", f"http://{environment['PITBOSS_LISTEN']}")
        if name == "web":
            environment["PITBOSS_WEB_LISTEN"] = f"127.0.0.1:{ports.PAGE if self._fixed else free_port()}"
            environment["PITBOSS_WEB_GUESTS_FILE"] = str(self.guests)
            self.page_url = f"http://{environment['PITBOSS_WEB_LISTEN']}"
        if name == "console":
            environment["PITBOSS_CONSOLE_LISTEN"] = f"127.0.0.1:{ports.CONSOLE_PAGE if self._fixed else free_port()}"
            environment["PITBOSS_CONSOLE_LINKS_FILE"] = str(self.staff_links)
            environment["PITBOSS_DEALER_ADDRESSES"] = json.dumps({"": self.dealers[0].listen})
            self.console_url = f"http://{environment['PITBOSS_CONSOLE_LISTEN']}"
        if name in ("settlement", "audit"):
            self.environment[f"PITBOSS_{name.upper()}_ADDRESS"] = environment["PITBOSS_LISTEN"]
        member = Member(name, arguments, self.folder, environment)
        self.members[name] = member
        return member

    def stop(self) -> None:
        """Let every process drain, then stop the servers that this house started."""
        for name in sorted(self.members):
            self._tell(f"stopping {name}")
            self.members[name].stop()
        if self.redis is not None:
            self.redis.stop()
        if self.postgres is not None:
            self.postgres.stop()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def dealers(self) -> list[Member]:
        """The dealer processes."""
        return [member for name, member in sorted(self.members.items()) if name.startswith("dealer")]

    def token(self, subject: str, role: Role = Role.PLAYER, *, test: bool = False, name: str = "") -> str:
        """Make a token of this house."""
        return self._identity().mint(Caller(subject=subject, role=role, test=test, name=name), 24 * 3600.0)

    def _identity(self) -> Identity:
        return Identity(runtime_settings.load(**secret_set.of_tokens(self.folder / "secrets.json")))

    def describe(self) -> dict[str, str]:
        """Return the address of each process by name (``house.json`` in the folder)."""
        return {name: member.address for name, member in self.members.items()}

    def write_down(self) -> None:
        """Write all addresses into the folder: those of processes for everybody, the servers' URLs for the owner."""
        path = self.folder / "house.json"
        path.write_text(json.dumps(self.describe(), indent=2), encoding="utf-8")
        urls = {name: self.environment[name] for name in ("PITBOSS_DATABASE_URL", "PITBOSS_REDIS_URL")}
        secret_set.keep(self.folder / "servers.json", urls)
        (self.folder / "page.url").write_text(self.page_url, encoding="utf-8")
        (self.folder / "console.url").write_text(self.console_url, encoding="utf-8")
