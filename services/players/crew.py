"""The house players of a process: their tokens, and each one's way to the house."""

import os
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import grpc
import jwt
from pitboss import client

from services.rules import house_players
from services.runtime import metrics, tls
from services.runtime.settings import PREFIX, Settings, SettingsRefused


class Member(NamedTuple):
    """A house player and its way to the house."""

    subject: str
    house: client.House


class Tokens:
    """The tokens of the house players, by subject. Raises SettingsRefused where there is none, or a wrong one."""

    def __init__(self, settings: Settings) -> None:
        self._file = os.environ.get(f"{PREFIX}PLAYERS_TOKENS_FILE", "")
        self._known = self._of(settings.players_tokens.get_secret_value().split())
        if not self._known:
            raise SettingsRefused(
                f"{PREFIX}PLAYERS_TOKENS (or {PREFIX}PLAYERS_TOKENS_FILE) is needed and not set: where the private key"
                f" is, make each token with `pitboss token {house_players.PREFIX}NAME --house-player`"
            )

    def subjects(self) -> list[str]:
        """Return the subjects of the house players."""
        return sorted(self._known)

    def of(self, subject: str) -> str:
        """Return a house player's token, read anew from the file if there is one."""
        if self._file and (found := self._read()):
            self._known |= found
        return self._known[subject]

    def _read(self) -> dict[str, str]:
        try:
            return self._of(Path(self._file).read_text(encoding="utf-8").split())
        except (OSError, UnicodeDecodeError, SettingsRefused):
            return {}  # the tokens in use stay; the house refuses them once they have ended

    def _of(self, tokens: Iterable[str]) -> dict[str, str]:
        claims = {token: _claims(token) for token in tokens}
        wrong = [str(one.get("sub")) for one in claims.values() if not house_players.is_one(str(one.get("sub", "")))]
        if wrong:
            raise SettingsRefused(f"{PREFIX}PLAYERS_TOKENS: {wrong[0]!r} is not the subject of a house player")
        if claims:
            metrics.SERVICE_TOKEN_EXPIRY.set(min(float(str(one.get("exp", 0))) for one in claims.values()))
        return {str(one["sub"]): token for token, one in claims.items()}


def _claims(token: str) -> dict[str, object]:
    """Return what a token says. The house verifies it; this process only has to know whose it is."""
    try:
        return dict(jwt.decode(token, options={"verify_signature": False}))
    except jwt.PyJWTError:
        return {}


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[list[Member]]:
    """Open the channels to the dealers and to settlement, and yield the house players. Raises SettingsRefused."""
    tokens = Tokens(settings)
    places = settings.dealer_addresses or {"": settings.listen}
    credentials = tls.channel_credentials(settings)
    async with AsyncExitStack() as stack:
        channels: dict[str, grpc.aio.Channel] = {}
        for place in sorted({*places.values(), settings.settlement_address}):
            channels[place] = client.open_channel(place, credentials)
            stack.push_async_callback(channels[place].close, None)
        families = {family: channels[place] for family, place in places.items() if family}
        first, purse = channels[next(iter(places.values()))], channels[settings.settlement_address]

        def member(subject: str) -> Member:
            return Member(subject, client.House(first, lambda: tokens.of(subject), purse, families))

        yield [member(subject) for subject in tokens.subjects()]
