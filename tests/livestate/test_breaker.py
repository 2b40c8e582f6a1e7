"""The circuit breaker, with a clock that moves only by hand."""

from services.livestate.breaker import FAILURES, FIRST_PAUSE, LONGEST_PAUSE, Breaker


class Clock:
    """A clock that tests move."""

    now = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def test_it_opens_after_failures_in_a_row() -> None:
    """Only failures without a success between them open the circuit."""
    breaker = Breaker(Clock())
    for _ in range(5):
        for _ in range(FAILURES - 1):
            breaker.failed()
        breaker.succeeded()
    assert not breaker.is_open
    for _ in range(FAILURES):
        assert breaker.allows()
        breaker.failed()
    assert breaker.is_open
    assert not breaker.allows()


def test_one_trial_per_pause() -> None:
    """An open circuit lets exactly one call through after each pause, and closes when it succeeds."""
    clock = Clock()
    breaker = Breaker(clock)
    for _ in range(FAILURES):
        breaker.failed()
    clock.now += FIRST_PAUSE
    assert [breaker.allows() for _ in range(3)] == [True, False, False]
    breaker.succeeded()
    assert [breaker.allows() for _ in range(3)] == [True, True, True]


def test_pauses_grow_to_a_bound() -> None:
    """Each failed trial doubles the pause up to its bound, so that a server that returns is found within it."""
    clock = Clock()
    breaker = Breaker(clock)
    for _ in range(FAILURES):
        breaker.failed()
    pauses = []
    for _ in range(8):
        started = clock.now
        while not breaker.allows():
            clock.now += 0.05
        pauses.append(clock.now - started)
        breaker.failed()
    assert pauses == sorted(pauses)
    assert pauses[0] < 2 * FIRST_PAUSE
    assert LONGEST_PAUSE - 0.01 < pauses[-1] <= LONGEST_PAUSE + 0.06


def test_a_trial_that_never_ends_blocks_nobody_for_long() -> None:
    """If a trial never ends, the next pause allows another one."""
    clock = Clock()
    breaker = Breaker(clock)
    for _ in range(FAILURES):
        breaker.failed()
    clock.now += FIRST_PAUSE
    assert breaker.allows()
    clock.now += FIRST_PAUSE
    assert breaker.allows()
