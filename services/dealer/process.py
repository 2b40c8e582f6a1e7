"""The composition root of a dealer process."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

from pitboss.v1 import catalogue_pb2, catalogue_pb2_grpc, dealer_pb2, dealer_pb2_grpc

from services.contract import schema
from services.dealer import access, catalogue_service, service, vault, waiting_list
from services.dealer.admission import AdmissionPolicy
from services.dealer.cashier import Cashier
from services.dealer.commands import Commands
from services.dealer.context import DealerContext
from services.dealer.deadlines import Deadlines
from services.dealer.feeds import Feeds
from services.dealer.lobby_feeds import LobbyFeeds
from services.dealer.presence import Presence
from services.dealer.seat_wait_feed import SeatWaits
from services.dealer.tables import Tables
from services.eventlog.log import Appender
from services.livestate.store import LiveState
from services.privacy import keys as player_keys
from services.privacy.names import Names
from services.registry.incidents import Incidents
from services.registry.switches import Switchboard
from services.rules import catalogue
from services.runtime import channels, metrics, pools, service_token
from services.runtime.server import Process, Service
from services.runtime.settings import SettingsRefused

ROLE = "pitboss_dealer"


def build(families: Sequence[str]) -> Callable[[Process], AbstractAsyncContextManager[Sequence[Service]]]:
    """Return a function that builds a dealer of these families (none: all). Raises SettingsRefused."""
    known = catalogue.families()
    unknown = [family for family in families if family not in known]
    if unknown:
        raise SettingsRefused(f"there is no family {', '.join(unknown)}; the catalogue has {', '.join(known)}")
    served = frozenset(families or known)
    return lambda process: _dealer(process, served)


@asynccontextmanager
async def _dealer(process: Process, served: frozenset[str]) -> AsyncIterator[Sequence[Service]]:
    settings = process.settings
    keys, personal = vault.of_settings(settings), player_keys.of_settings(settings)
    incidents, board, now_ms = Incidents(process.name), Switchboard(), process.clock.now_ms
    process.observer = incidents.happened
    token = service_token.ServiceToken(settings, process.identity, "dealer")
    async with (
        pools.postgres(process, ROLE) as pool,
        Appender(pool, on_commit=metrics.APPEND_BATCH.observe) as appender,
        channels.to_service(settings.settlement_address, settings, token) as channel,
    ):
        await schema.check(pool)
        live = LiveState(settings.redis(), call_seconds=settings.redis_timeout_seconds)
        metrics.REDIS_AWAY.set_function(lambda: float(live.away))
        tables = Tables(pool, live, keys, served)
        cashier = Cashier(channel)
        commands = Commands(tables, appender, pool, process.name, now_ms)
        admission = AdmissionPolicy(board, pool, cashier, now_ms)
        names = Names(personal, pool.connection)
        feeds = Feeds(tables, live, pool, admission, commands.busy, names, settings.watchers_per_table, now_ms)
        house = DealerContext(
            settings=settings,
            pool=pool,
            appender=appender,
            live=live,
            vault=keys,
            tables=tables,
            commands=commands,
            feeds=feeds,
            presence=Presence(feeds, live, admission, now_ms),
            lobbies=LobbyFeeds(pool, live, admission, names, commands.busy),
            waits=SeatWaits(pool, now_ms),
            cashier=cashier,
            admission=admission,
            process=process.name,
            keys=personal,
            names=names,
            now_ms=now_ms,
        )
        deadlines = _deadlines(house, served, process)
        await board.fresh(pool.connection)
        _start_tasks(process, house, deadlines, board, incidents)
        try:
            yield _services(house)
        finally:
            await incidents.close(pool.connection)
            await _close(house)


async def _close(house: DealerContext) -> None:
    """Finish what is on its way, and end all streams."""
    await house.cashier.close()
    await house.lobbies.close()
    await house.waits.close()
    await house.feeds.close()
    await house.tables.settle_down()
    await house.live.close()


def _deadlines(house: DealerContext, served: frozenset[str], process: Process) -> Deadlines:
    """Return what fires the deadlines of these families and starts their rounds."""
    start = partial(waiting_list.due, house)
    return Deadlines(house.tables, house.commands, house.live, house.pool, served, house.appended, start, process.clock)


def _start_tasks(
    process: Process, house: DealerContext, deadlines: Deadlines, board: Switchboard, incidents: Incidents
) -> None:
    """Start the background tasks of a dealer."""
    process.background("deadlines", deadlines.serve)
    process.background("deadline sweep", deadlines.sweep.serve)
    process.background("erasures", house.names.serve)
    process.background("switches", lambda: board.serve(house.pool.connection))
    process.background("audience", house.feeds.audience.serve)
    process.background("presence", house.presence.serve)
    process.background("incidents", lambda: incidents.serve(house.pool.connection))


def _services(house: DealerContext) -> list[Service]:
    dealer, games = service.DealerService(house), catalogue_service.CatalogueService(house.pool, house.admission)
    return [
        Service(
            dealer_pb2.DESCRIPTOR.services_by_name["DealerService"],
            lambda server: dealer_pb2_grpc.add_DealerServiceServicer_to_server(dealer, server),
            access.ACCESS,
            haste=access.HASTE,
        ),
        Service(
            catalogue_pb2.DESCRIPTOR.services_by_name["CatalogueService"],
            lambda server: catalogue_pb2_grpc.add_CatalogueServiceServicer_to_server(games, server),
            catalogue_service.ACCESS,
        ),
    ]
