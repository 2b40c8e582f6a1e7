"""What a process knows of deadlines by itself: found when due, one for each table, bounded."""

from random import Random

from services.dealer.known_deadlines import SPARE, Known, KnownDeadlines


def at(due_ms: int) -> Known:
    """Return a deadline."""
    return Known(1, due_ms, "poker")


def test_the_newest_deadline_of_a_table_is_due_at_its_moment() -> None:
    """An earlier one that was replaced is not due, whether it had come or not; what is due stays until forgotten."""
    known = KnownDeadlines()
    known.keep("a", at(10))
    known.keep("b", at(20))
    known.keep("a", at(30))
    assert dict(known.due(10)) == {}
    assert dict(known.due(20)) == {"b": at(20)}
    known.keep("b", at(40))
    assert dict(known.due(30)) == dict(known.due(35)) == {"a": at(30)}
    known.forget("a")
    assert dict(known.due(40)) == {"b": at(40)}
    assert "a" not in known


def test_a_save_that_failed_late_is_no_news() -> None:
    """What is known of a newer version of a table is neither replaced nor forgotten by an older one."""
    known = KnownDeadlines()
    newer, older = Known(7, 100, "poker"), Known(6, 50, "poker")
    known.keep("a", newer)
    known.keep("a", older)
    assert known.get("a") == newer
    known.outdate("a", 6)
    assert dict(known.due(100)) == {"a": newer}
    known.outdate("a", 7)
    assert "a" not in known


def test_random_deadlines_are_due_as_a_plain_search_finds_them() -> None:
    """Over any keeping, replacing and forgetting the due ones are those that a look at all of them finds."""
    chance, known, plain = Random(14), KnownDeadlines(), dict[str, Known]()
    for now_ms in range(5000):
        table = f"t{chance.randrange(50)}"
        if chance.random() < 0.7:
            plain[table] = at(now_ms + chance.randrange(-5, 100))
            known.keep(table, plain[table])
        else:
            plain.pop(table, None)
            known.forget(table)
        assert dict(known.due(now_ms)) == {one: value for one, value in plain.items() if value.due_ms <= now_ms}
        assert len(known) == len(plain)


def test_replaced_deadlines_take_no_room_for_long() -> None:
    """A table whose deadline moves on and on leaves a bounded number of places behind."""
    known = KnownDeadlines()
    for number in range(20 * SPARE):
        known.keep("t", at(1_000_000 + number))
    assert len(known._order) <= SPARE + 2
    assert dict(known.due(2_000_000)) == {"t": at(1_000_000 + 20 * SPARE - 1)}
