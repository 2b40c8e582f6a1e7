"""Appraisals by trial: rounds played in a separate process, bounded in number and time."""

import asyncio
import hashlib
import multiprocessing
import random
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final

import msgspec

from services.house.appraisal import Appraisal, BetReturn, banker_of
from services.house.trials import Trial
from services.rules import catalogue
from services.rules.game import Game, HouseRules
from services.rules.refusals import Reason, Refused

ROUNDS: Final = 40_000
SECONDS: Final = 5.0
"""Bounds of one appraisal; a return not shown within them counts as not shown."""
LEAST_ROUNDS: Final = 2_000
PORTION: Final = 500

_one_at_a_time = asyncio.Semaphore(1)


async def appraise(game: Game, rules: HouseRules) -> Appraisal:
    """Appraise rules by playing rounds, one appraisal at a time. Raises Refused (``UNAVAILABLE``)."""
    async with _one_at_a_time:
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(1, mp_context=context)
        try:
            running = pool.submit(figures, game.id, msgspec.to_builtins(rules), version=game.version)
            found = await asyncio.wrap_future(running)
        except BrokenProcessPool:
            raise Refused(Reason.UNAVAILABLE, "the appraisal was interrupted; send the same request again") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return Appraisal(banker=banker_of(rules), returns=found)


def figures(
    game_id: str,
    values: dict[str, Any],
    rounds: int = ROUNDS,
    seconds: float = SECONDS,
    *,
    version: int | None = None,
) -> tuple[BetReturn, ...]:
    """Play rounds until one of the bounds is reached, or a bet is shown to return more than 1.

    The generator is seeded by the rules, so that the approver can play the same rounds again.
    """
    game = catalogue.game(game_id, version)
    rules = msgspec.convert(values, game.rules_type)
    seed = hashlib.sha256(game_id.encode() + b"\0" + msgspec.json.encode(rules)).hexdigest()
    trial = Trial(game, rules, random.Random(seed))  # noqa: S311 - a simulation, which must be repeatable
    until = time.monotonic() + seconds
    while trial.rounds < rounds and (trial.rounds < LEAST_ROUNDS or time.monotonic() < until):
        trial.play(PORTION)
        if trial.rounds >= LEAST_ROUNDS and any(one.is_above_even for one in trial.figures()):
            break
    return trial.figures()
