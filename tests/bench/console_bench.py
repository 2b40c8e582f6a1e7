"""Server time of the console's pages at a house with very many tables and ended rounds, which are filled in by SQL.

The figures, entries and legs are of the shape of real ones and balance, but no event stands behind them: pages of
single rounds are measured on a round that was played.
"""

import asyncio
import statistics
import time
from typing import Final

import psycopg

from services.cli import reach, staff_command
from services.localhouse import local_house
from services.runtime.identity import Role
from tests.console.visitor import Visitor
from tests.support import people, play

TABLES: Final = 1_000
ROUNDS: Final = 1_000_000
TIMES: Final = 5
AIM_MS: Final = 300
PLAYERS: Final = 2_000
DAYS: Final = 365
_PART: Final = 100_000

_ROUND_ID: Final = "n, ('00000000-0000-4000-8000-' || lpad((n %% 1000)::text, 12, '0'))::uuid AS t, n / 1000 + 1 AS r"
_NUMBERS: Final = f"""WITH made AS (
    SELECT {_ROUND_ID}, %(now)s::bigint - (%(all)s::bigint - n) * (%(span)s::bigint / %(all)s::bigint) AS ended,
        (ARRAY['blackjack', 'baccarat', 'casino_war', 'suit_betting', 'texas_holdem'])[n %% 5 + 1] AS game,
        100 + n %% 7 AS staked, CASE WHEN n %% 100 < 48 THEN 200 + 2 * (n %% 7) ELSE 0 END AS won
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS n
)"""
_ROUNDS: Final = f"""{_NUMBERS} INSERT INTO rounds (table_id, round, round_id, game, family, configuration, currency,
    test, started_ms, ended_ms, voided, staked, won, fee, rake, house, pot)
SELECT t, r, n::text, game, 'banker', 'bench-' || game, 'CHIPS', false, ended - 20000, ended, false, staked, won, 1, 0,
    staked - won, 0 FROM made"""
_SEATS: Final = f"""{_NUMBERS} INSERT INTO round_seats (table_id, round, seat, player, game, currency, ended_ms, voided,
    chips_before, staked, won, fee, chips_after)
SELECT t, r, 0, 'bench-' || (n %% %(players)s), game, 'CHIPS', ended, false, 1000, staked, won, 1,
    999 + won - staked FROM made"""
_ENTRIES: Final = f"""{_NUMBERS} INSERT INTO entries (entry_id, kind, currency, reason, "table", round, digest,
    actor, at, size)
SELECT md5(n::text)::uuid, 'round', 'CHIPS', game || ': bench', t::text, r, '\\x00', 'house',
    to_timestamp(ended / 1000.0), 3 FROM made"""
_LEGS: Final = f"""{_NUMBERS} INSERT INTO legs (entry_id, line, account, account_line, currency, amount,
    balance_after, size)
SELECT md5(n::text)::uuid, line, account, r, 'CHIPS', amount, 0, 3 FROM made CROSS JOIN LATERAL (VALUES
    (1, 'fees:CHIPS:b' || (n %% 1000), 1), (2, 'house:CHIPS:b' || (n %% 1000), staked - won),
    (3, 'seat:' || t || ':0', won - staked - 1)) AS legs (line, account, amount)"""


def fill(url: str, rounds: int) -> float:
    """Fill in ended rounds over the last year; return the seconds that it took."""
    began = time.monotonic()
    now = int(time.time() * 1000)
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("SET session_replication_role = replica")
        conn.execute("SET synchronous_commit = off")
        for game in ("blackjack", "baccarat", "casino_war", "suit_betting", "texas_holdem"):
            conn.execute(
                "INSERT INTO configurations (digest, game, rules_version, rules) VALUES (%s, %s, 1, '{}')",
                (f"bench-{game}", game),
            )
        for first in range(0, rounds, _PART):
            given = {
                "now": now,
                "all": rounds,
                "span": DAYS * 86_400_000,
                "first": first,
                "last": min(first + _PART, rounds) - 1,
                "players": PLAYERS,
            }
            for statement in (_ROUNDS, _SEATS, _ENTRIES, _LEGS):
                conn.execute(statement, given)
        conn.execute(
            "INSERT INTO accounts (account, currency, balance, may_be_negative, lines) SELECT account, 'CHIPS',"
            " sum(amount), true, 0 FROM legs WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.account = legs.account)"
            " GROUP BY account"
        )
        conn.execute("ANALYZE")
    return time.monotonic() - began


async def _open(house: local_house.LocalHouse, tables: int) -> tuple[str, int, str]:
    """Open tables, and play a round at one; return it, the round's number and a player."""
    async with people.Crowd(reach.of_folder(house.folder)) as crowd:
        for _ in range(0, tables, 50):
            await asyncio.gather(*(crowd.operator.house.create_table("texas_holdem") for _ in range(min(50, tables))))
        table_id, players = await play.opened(crowd, "texas_holdem")
        return table_id, await play.rounds(table_id, players), players[0].subject


def pages(table_id: str, number: int, player: str) -> tuple[str, ...]:
    """Return the addresses that are measured."""
    rounds = f"/rounds/{table_id}/{number}"
    day = f"from={int(time.time() * 1000) - 86_400_000}&to={int(time.time() * 1000)}"
    return (
        "/floor",
        "/floor?game=texas_holdem&order=seats_taken+desc",
        f"/tables/{table_id}",
        rounds,
        f"{rounds}/proofs",
        f"/players/{player}",
        "/players/bench-7",
        "/money?days=1",
        "/money?days=30",
        "/money?days=365",
        f"/money/lines?account=house&game=blackjack&{day}",
        f"/money/lines?account=wallet&kind=deposit&{day}",
        f"/money/lines?account=house&from=0&to={int(time.time() * 1000)}",
        f"/money/lines?account=house&game=blackjack&from=0&to={int(time.time() * 1000)}",
        "/operation",
        "/inbox",
        f"/search?q={player}",
    )


def measure(house: local_house.LocalHouse, tables: int = TABLES, rounds: int = ROUNDS) -> list[tuple[str, float]]:
    """Fill the house and return each page with the median of its time, in ms."""
    fill(house.environment["PITBOSS_DATABASE_URL"], rounds)
    table_id, number, player = asyncio.run(_open(house, tables))
    way = reach.of_folder(house.folder)
    link = staff_command.link(way, house.console_url, house.staff_links, "nora", Role.OPERATOR)
    visitor = Visitor(house.console_url).enter(link)
    found: list[tuple[str, float]] = []
    for address in pages(table_id, number, player):
        spent: list[float] = []
        for _ in range(TIMES):
            began = time.monotonic()
            status, _, _ = visitor.ask("GET", address)
            assert status in (200, 303), f"{address} answers {status}"
            spent.append(1000 * (time.monotonic() - began))
        found.append((address.replace(table_id, "TABLE"), statistics.median(spent)))
    return found
