"""Streams and shuffles: frozen values, no bias, every order."""

import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.fairness import shuffle, stream
from services.rules import cards

SEED = bytes(range(32))


class Scripted:
    """A source that gives written bytes and counts what was taken."""

    def __init__(self, data: Sequence[int]) -> None:
        self.data = bytes(data)
        self.at = 0

    def take(self, count: int) -> bytes:
        """Return the next written bytes."""
        taken = self.data[self.at : self.at + count]
        assert len(taken) == count, "the script has ended"
        self.at += count
        return taken


def shuffled_again(seed: bytes, number: int, pack: Sequence[str]) -> list[str]:
    """Shuffle as the documentation says, written a second time."""
    head = b"".join(len(part).to_bytes(4, "big") + part for part in (b"pitboss shuffle v1", seed, b"%d" % number))
    data = iter(hashlib.shake_256(head).digest(1 << 16))
    order = list(pack)
    for last in reversed(range(1, len(order))):
        while True:
            word = int.from_bytes(bytes(itertools.islice(data, 4)), "big")
            if word // (last + 1) < 2**32 // (last + 1):
                break
        other = word % (last + 1)
        order[other], order[last] = order[last], order[other]
    return order


def test_a_stream_is_shake_256_of_its_frame() -> None:
    """The bytes of a stream are SHAKE-256 over length-prefixed label, seed and counter, however they are taken."""
    frame = b"\x00\x00\x00\x0fpitboss dice v1" + b"\x00\x00\x00\x20" + SEED + b"\x00\x00\x00\x0217"
    whole = hashlib.shake_256(frame).digest(5000)
    source = stream.Stream(SEED, "dice", 17)
    assert b"".join(source.take(count) for count in (1, 0, 4, 267, 1, 2000, 2727)) == whole


def test_the_shuffle_is_frozen() -> None:
    """The order that this seed gives never changes: rounds of years ago must replay."""
    order = shuffle.shuffle(SEED, 0, cards.PACK_52)
    assert cards.show(order) == (
        "Qc Tc 8d 2d 2h 6c 9d 3c 7c 8c 6d As 8h Ts Kd Ac 7d 4c 2s 7s 5h 4d 7h Js Ad 2c Qs 4s Qh 3s 4h 6h 5d 9c Ks 3h "
        "9s Jd Td 5c Qd 8s Kh 9h Th 3d 6s Jh Ah Kc Jc 5s"
    )


@given(st.binary(min_size=32, max_size=32), st.integers(0, 1000), st.sampled_from([cards.PACK_52, cards.TILES_40]))
def test_two_writings_of_the_shuffle_agree(seed: bytes, number: int, pack: tuple[str, ...]) -> None:
    """The shuffle equals its second writing, and holds every card of the pack once."""
    order = shuffle.shuffle(seed, number, pack)
    assert order == shuffled_again(seed, number, pack)
    assert Counter(order) == Counter(pack)


@pytest.mark.parametrize("bound", range(1, 257))
def test_rejection_leaves_no_bias(bound: int) -> None:
    """Over all 256 bytes each result below the bound comes equally often: rejected bytes are exactly the rest."""
    found = Counter(stream.below(Scripted([byte, 0]), bound, width=1) for byte in range(256 - 256 % bound))
    assert set(found) == set(range(bound))
    assert set(found.values()) == {256 // bound}
    for byte in range(256 - 256 % bound, 256):
        source = Scripted([byte, 0])
        assert stream.below(source, bound, width=1) == 0
        assert source.at == 2, f"{byte} must be thrown away below {bound}"


def test_words_of_four_bytes_are_rejected_at_the_last_multiple() -> None:
    """With four bytes the last multiple of 52 below 2^32 is thrown away, the number before it is taken."""
    limit = 2**32 - 2**32 % 52
    source = Scripted([*limit.to_bytes(4, "big"), *(limit - 1).to_bytes(4, "big")])
    assert stream.below(source, 52) == 51
    assert source.at == 8


@pytest.mark.parametrize("bound", [0, -1, 257])
def test_a_bound_out_of_range_is_a_fault(bound: int) -> None:
    """A number cannot be drawn below zero or beyond what the width holds."""
    with pytest.raises(AssertionError, match=f"below {bound}"):
        stream.below(Scripted([0]), bound, width=1)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_each_list_of_draws_makes_its_own_order(size: int) -> None:
    """Over all lists of draws the shuffle gives every order exactly once [R23]."""
    draws = itertools.product(*(range(last + 1) for last in range(size - 1, 0, -1)))
    words = (b"".join(draw.to_bytes(4, "big") for draw in row) for row in draws)
    orders = Counter(tuple(shuffle.permute(Scripted(row), "abcd"[:size])) for row in words)
    assert len(orders) == math.factorial(size)
    assert set(orders.values()) == {1}


@pytest.mark.parametrize("size", [3, 4, 5])
def test_orders_are_equally_likely(size: int) -> None:
    """Chi-square over all orders of a small pack stays below its 99.9 % point, with fixed seeds."""
    rounds = 60 * math.factorial(size)
    found = Counter(tuple(shuffle.shuffle(number.to_bytes(32, "big"), 0, range(size))) for number in range(rounds))
    assert len(found) == math.factorial(size)
    chi_square = sum((count - 60) ** 2 / 60 for count in found.values())
    assert chi_square < {3: 20.5, 4: 49.7, 5: 173.6}[size]


def test_the_seed_is_wide_enough_for_every_order() -> None:
    """A seed has more bits than the orders of a 52-card pack need [R23]."""
    assert 8 * len(SEED) >= math.log2(math.factorial(52)) > 225


@given(st.data())
def test_rejected_numbers_are_skipped_wherever_they_come(data: st.DataObject) -> None:
    """A shuffle with rejected numbers in its source is the shuffle without them: the next number serves the place."""
    pack = cards.PACK_52
    # The greatest number is rejected for every bound but a power of two.
    places = data.draw(st.sets(st.sampled_from([place for place in range(51) if (52 - place) & (51 - place)])))
    plain = [data.draw(st.integers(0, 2**31)) for _ in range(51)]
    mixed = [word for place, one in enumerate(plain) for word in ([2**32 - 1, one] if place in places else [one])]
    one, other = (b"".join(word.to_bytes(4, "big") for word in words) for words in (plain, mixed))
    assert shuffle.permute(Scripted(other), pack) == shuffle.permute(Scripted(one), pack)
