"""The checks of fairness in the browser: they agree with the house's own code, and find every untruth."""

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from services.fairness import commitment, seed, shuffle
from services.fairness.chance import RoundChance, SealedChance
from services.fairness.scripted import Script, ScriptedChance
from services.rules import cards

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "services" / "web" / "page"
HOUSE = bytes(range(32))
TABLE = "6f1c1a54-3f9a-4c54-8a56-0d8d5b6f1d10"
ROUND = 3
TEXTS = {2: "lucky", 10: "幸運"}
PACKS = (cards.PACK_52, cards.PACK_54, cards.TILES_40, cards.PACK_52[:1], cards.PACK_52 * 8)
MOST_PROVEN = 54
pytestmark = pytest.mark.timeout(600)


def proof(given: commitment.Proof) -> dict[str, Any]:
    """Return a proof as JSON."""
    return {
        "stock": given.stock,
        "size": given.size,
        "position": given.position,
        "card": given.card,
        "nonce": given.nonce.hex(),
        "path": [node.hex() for node in given.path],
    }


def document(chance: RoundChance, round_seed: bytes, script: Script | None = None) -> dict[str, Any]:
    """Play the chance of a round and export everything drawn, as ``ExportRounds`` does."""
    orders = [chance.shuffle(pack) for pack in PACKS]
    return {
        "table": TABLE,
        "round": ROUND,
        "house_commitment": seed.commitment(HOUSE).hex(),
        "house_seed": HOUSE.hex(),
        "player_seeds": {str(seat): seed.digest(TABLE, ROUND, seat, text) for seat, text in TEXTS.items()},
        "script": None if script is None else {"stocks": script.stocks},
        "stocks": [
            {"stock": stock, "pack": pack, "root": commitment.root(round_seed, stock, orders[stock]).hex()}
            for stock, pack in enumerate(PACKS)
        ],
        "cards": [
            {"stock": 0, "position": position, "card": "??" if position == 2 else orders[0][position]}
            for position in range(9)
        ],
        "picks": [
            {"what": "seat", "place": at, "options": 6, "picked": chance.pick(range(6), "seat")} for at in range(2)
        ],
        "dice": [{"place": place, "throw": list(chance.dice(3))} for place in range(2)],
        "proofs": [proof(commitment.prove(round_seed, 0, orders[0], 5))],
    }


def vectors() -> dict[str, Any]:
    """Return what the house computes of one round."""
    digests = {seat: seed.digest(TABLE, ROUND, seat, text) for seat, text in TEXTS.items()}
    round_seed = seed.combine(HOUSE, TABLE, ROUND, digests)
    orders = [shuffle.shuffle(round_seed, stock, pack) for stock, pack in enumerate(PACKS)]
    script = Script(stocks=(("Kd", "2c"),))
    return {
        "houseSeed": HOUSE.hex(),
        "commitment": seed.commitment(HOUSE).hex(),
        "table": TABLE,
        "round": ROUND,
        "texts": {str(seat): text for seat, text in TEXTS.items()},
        "digests": {str(seat): text for seat, text in digests.items()},
        "roundSeed": round_seed.hex(),
        "stocks": [
            {
                "stock": stock,
                "pack": PACKS[stock],
                "order": order,
                "root": commitment.root(round_seed, stock, order).hex(),
                "proofs": [
                    proof(one)
                    for one in commitment.prove_all(round_seed, stock, order, range(min(MOST_PROVEN, len(order))))
                ],
            }
            for stock, order in enumerate(orders)
        ],
        "document": document(SealedChance(round_seed), round_seed),
        "scripted": document(ScriptedChance(script, seed=round_seed), round_seed, script),
    }


def npm(*arguments: str, **environment: str) -> None:
    """Run npm in the page's folder; it must succeed."""
    line = [sys.executable, str(ROOT / "protos" / "typescript" / "npm.py"), "--in", str(PAGE), *arguments]
    done = subprocess.run(line, env=os.environ | environment, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.fixture(scope="session")
def installed() -> None:
    """Install the page's packages where they are missing."""
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    with (folder / "page.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (PAGE / "node_modules" / "@noble").exists():
            npm("ci", "--prefer-offline", "--loglevel=error")


@pytest.mark.usefixtures("installed")
def test_the_checks_of_the_page_agree_with_the_house(tmp_path: Path) -> None:
    """Seeds, orders, roots and proofs of the house hold in the page; each kind of untruth turns red by its reason."""
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps(vectors()), encoding="utf-8")
    npm("run", "test:fairness", PITBOSS_VECTORS=str(path))
