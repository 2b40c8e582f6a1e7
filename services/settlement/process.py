"""The composition root of a settlement process."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from pitboss.v1 import (
    back_office_pb2,
    back_office_pb2_grpc,
    privacy_pb2,
    privacy_pb2_grpc,
    report_pb2,
    report_pb2_grpc,
    settlement_pb2,
    settlement_pb2_grpc,
    wallet_pb2,
    wallet_pb2_grpc,
)

from services.contract import schema
from services.ledger.signatures import EntryKey
from services.livestate.store import LiveState
from services.privacy import keys
from services.privacy.names import Names
from services.registry.incidents import Incidents
from services.runtime import metrics, pools
from services.runtime.clock import NowMs
from services.runtime.server import Process, Service
from services.settlement import archive, ledger_watch, privacy, reports, service, significant_events, wallets
from services.settlement.backoffice import service as back_office
from services.settlement.backoffice import significant_event_list
from services.settlement.limits.admission import Admission
from services.settlement.rounds import Rounds
from services.settlement.seat_offers import SeatOffers
from services.settlement.sweep import Sweep

ROLE = "pitboss_settlement"


@asynccontextmanager
async def build(process: Process, clock: NowMs | None = None) -> AsyncIterator[Sequence[Service]]:
    """Build a settlement process; ``clock`` is the clock of limits, by default the process's."""
    settings = process.settings
    incidents = Incidents(process.name)
    process.observer = incidents.happened
    personal, key = keys.of_settings(settings), EntryKey(settings.ledger_seed())
    async with pools.postgres(process, ROLE) as pool:
        await schema.check(pool)
        names = Names(personal, pool.connection)
        live = LiveState(settings.redis(), call_seconds=settings.redis_timeout_seconds)
        metrics.REDIS_AWAY.set_function(lambda: float(live.away))
        rounds = Rounds(pool, live, key, significant_events.thresholds(settings))
        admission = Admission(clock or process.clock.now_ms)
        offers = SeatOffers(pool, live, admission)
        money = service.SettlementService(pool, rounds, settings, admission, personal, key, offers)
        wallet = wallets.WalletService(pool, settings, admission, key)
        sums = reports.ReportService(pool, settings)
        office = back_office.BackOfficeService(pool, settings, admission, live, personal, names, key)
        process.background("unsettled rounds", Sweep(pool, rounds.settle).serve)
        process.background("seat offers", offers.serve)
        process.background("ledger balance", lambda: ledger_watch.look(pool))
        process.background("ledger passes", ledger_watch.Passes(pool, process.clock.now_ms).serve)
        erasing = privacy.PrivacyService(pool)
        process.background("erasures", names.serve)
        process.background("wrapping of keys", lambda: personal.rewrap_all(pool.connection))
        process.background("archive", lambda: archive.watch(pool))
        process.background("incidents", lambda: incidents.serve(pool.connection))
        process.background("changes of rules", lambda: significant_event_list.record_changes(pool, settings))
        try:
            yield _services(money, wallet, sums, office, erasing)
        finally:
            await wallet.feeds.close()
            await incidents.close(pool.connection)
            await live.close()


def _services(
    money: service.SettlementService,
    wallet: wallets.WalletService,
    sums: reports.ReportService,
    office: back_office.BackOfficeService,
    erasing: privacy.PrivacyService,
) -> Sequence[Service]:
    """Return the services of the process, each with the roles that may call its methods."""
    return [
        Service(
            settlement_pb2.DESCRIPTOR.services_by_name["SettlementService"],
            lambda server: settlement_pb2_grpc.add_SettlementServiceServicer_to_server(money, server),
            service.ACCESS,
        ),
        Service(
            wallet_pb2.DESCRIPTOR.services_by_name["WalletService"],
            lambda server: wallet_pb2_grpc.add_WalletServiceServicer_to_server(wallet, server),
            wallets.ACCESS,
        ),
        Service(
            report_pb2.DESCRIPTOR.services_by_name["ReportService"],
            lambda server: report_pb2_grpc.add_ReportServiceServicer_to_server(sums, server),
            reports.ACCESS,
        ),
        Service(
            back_office_pb2.DESCRIPTOR.services_by_name["BackOfficeService"],
            lambda server: back_office_pb2_grpc.add_BackOfficeServiceServicer_to_server(office, server),
            back_office.ACCESS,
        ),
        Service(
            privacy_pb2.DESCRIPTOR.services_by_name["PrivacyService"],
            lambda server: privacy_pb2_grpc.add_PrivacyServiceServicer_to_server(erasing, server),
            privacy.ACCESS,
        ),
    ]
