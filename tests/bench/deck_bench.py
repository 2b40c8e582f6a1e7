"""What a deck and its commitment cost, beside the same written with a call for each hash and each draw."""

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Final

from services.fairness import commitment, merkle, shuffle
from services.fairness.stream import Stream, draw, words
from services.rules import cards

TURNS: Final = 15
DECKS: Final = 300
SEEDS: Final = tuple(number.to_bytes(32, "big") for number in range(DECKS))


def ours(seed: bytes) -> bytes:
    """Return the commitment to a shuffled deck."""
    return commitment.root(seed, 0, shuffle.shuffle(seed, 0, cards.PACK_52))


def plainly(seed: bytes) -> bytes:
    """Return the same, step by step."""
    order = list(cards.PACK_52)
    numbers = words(Stream(seed, "shuffle", 0), len(order) - 1)
    for last in range(len(order) - 1, 0, -1):
        other = draw(numbers, last + 1)
        order[last], order[other] = order[other], order[last]
    nonces = Stream(seed, "nonce", 0)
    level = [_leaf(nonces.take(32), position, card) for position, card in enumerate(order)]
    while len(level) > 1:
        nodes = iter(level)
        above = [merkle.node_hash(left, right) for left, right in zip(nodes, nodes, strict=False)]
        level = above + level[-1:] if len(level) & 1 else above
    return commitment._root(0, len(order), level[0])


def _leaf(nonce: bytes, position: int, card: str) -> bytes:
    return merkle.leaf_hash(nonce + bytes(4) + position.to_bytes(4, "big") + card.encode())


def measure() -> tuple[float, float]:
    """Return the processor time of a deck in µs, ours and plainly: medians over turns that alternate."""
    assert all(ours(seed) == plainly(seed) for seed in SEEDS)
    turns = [[_turn(way) for way in (ours, plainly)] for _ in range(TURNS)]
    return statistics.median(one for one, _ in turns), statistics.median(other for _, other in turns)


def _turn(way: Callable[[bytes], bytes], seeds: Sequence[bytes] = SEEDS) -> float:
    began = time.thread_time()
    for seed in seeds:
        way(seed)
    return (time.thread_time() - began) / len(seeds) * 1e6


def lines() -> list[tuple[str, str, str, str, str]]:
    """Measure, and return the lines of the table."""
    one, other = measure()
    what = "a shuffled deck and its commitment, beside a call for each hash"
    return [(what, f"{one:.1f} µs", f"{other:.1f} µs", f"{one / other:.2f}", "")]
