"""For any entries in any order the ledger equals a model of a few lines."""

import asyncio
import uuid
from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.ledger import books, checks
from tests.support.ledger_entries import entry
from tests.support.log_events import connect

NAMES = (
    "wallet:CHIP:a",
    "wallet:CHIP:b",
    "seat:t:0",
    "seat:t:1",
    "pot:t",
    "house:CHIP:0",
    "fees:CHIP:0",
    "cashier:CHIP:0",
)
OWING = ("house", "cashier")

changes = st.dictionaries(st.sampled_from(NAMES[:-1]), st.integers(-50, 50).filter(bool), min_size=1, max_size=5)
steps = st.lists(st.tuples(changes, st.sampled_from([None, None, "k1", "k2", "k3"])), min_size=1, max_size=15)


def balanced(wished: dict[str, int], suffix: str) -> dict[str, int]:
    """Complete changes by the cashier's leg, and give the accounts names of this run."""
    total = sum(wished.values())
    whole = {**wished, "cashier:CHIP:0": -total} if total else wished
    if len(whole) == 1:
        whole = {**whole, "cashier:CHIP:0": -total}
    return {f"{name}-{suffix}": amount for name, amount in whole.items()}


async def run(url: str, plan: list[tuple[dict[str, int], str | None]]) -> None:
    """Post a plan and compare every answer and the end with a model."""
    suffix = uuid.uuid4().hex
    model: Counter[str] = Counter()
    used: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
    async with await connect(url) as conn:
        for wished, key in plan:
            moved = balanced(wished, suffix)
            if len(moved) == 1:
                continue
            done = await books.post(conn, entry(moved, request_key=f"{key}-{suffix}" if key else None))
            if key in used:
                before, balances = used[key]
                expected = "already_posted" if before == moved else "request_conflict"
                assert (done.outcome, done.balances) == (expected, balances if before == moved else {})
                continue
            short = sorted(
                name for name, amount in moved.items() if model[name] + amount < 0 and name.split(":")[0] not in OWING
            )
            if short:
                assert (done.outcome, done.account_at_fault) == ("insufficient_funds", short[0])
                assert done.balances == {name: model[name] for name in moved}
                continue
            model.update(moved)
            assert (done.outcome, done.balances) == ("posted", {name: model[name] for name in moved})
            if key:
                used[key] = (moved, done.balances)
        for name in NAMES:
            account = f"{name}-{suffix}"
            assert await books.balance(conn, account) == model[account]
            lines = await books.statement(conn, account)
            assert sum(line.amount for line in lines) == model[account]
            assert all(line.balance_after >= 0 for line in lines) or name.split(":")[0] in OWING
        assert await checks.imbalance(conn) == 0


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(plan=steps)
def test_the_ledger_is_its_model(fast_postgres_url: str, plan: list[tuple[dict[str, int], str | None]]) -> None:
    """Random entries: chips are conserved, outcomes and balances are the model's, statements sum to balances."""
    asyncio.run(run(fast_postgres_url, plan))
