"""The databases that tests get are their own and empty."""

import psycopg
import pytest
import redis


@pytest.mark.parametrize("turn", [1, 2])
def test_a_database_is_fresh_and_durable(postgres_url: str, turn: int) -> None:
    """Each test gets a database in which no other test made anything, and whose commits reach the disk."""
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE mine (turn int)")
        connection.execute("INSERT INTO mine VALUES (%s)", [turn])
        connection.commit()
        assert connection.execute("SELECT count(*) FROM mine").fetchone() == (1,)
        assert connection.execute("SHOW fsync").fetchone() == ("on",)
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)


def test_a_fast_database_answers_before_the_disk(fast_postgres_url: str) -> None:
    """The fast fixture gives up exactly the wait for the disk."""
    with psycopg.connect(fast_postgres_url) as connection:
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("off",)


@pytest.mark.parametrize("turn", [1, 2])
def test_redis_is_empty(redis_url: str, turn: int) -> None:
    """Each test gets an empty logical database."""
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set("turn", turn)
