"""Checkpoints published to a folder and to a bucket, out of the reach of the database's owner.

The bucket is served by moto, a stand-in for S3 that speaks its protocol over HTTP.
"""

import urllib.request
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import obstore
import pytest
from moto.server import ThreadedMotoServer
from obstore.exceptions import BaseError
from typer.testing import CliRunner

from services.audit import kept_checkpoints, publication, statements
from services.audit.publication import Publisher
from services.audit.statements import SigningKey
from services.cli import commands, main
from services.eventlog import checkpoints
from services.runtime import metrics, settings
from tests.audit import signing
from tests.audit.signing import House

WITNESS = SigningKey(bytes(range(96, 128)))
commands.register(main.app)


@pytest.fixture
async def house(fast_postgres_url: str) -> AsyncIterator[House]:
    """Yield a house of records."""
    async with signing.house(fast_postgres_url) as found:
        yield found


@pytest.fixture
def bucket() -> Iterator[dict[str, Any]]:
    """Yield the settings of a bucket that is served over HTTP."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    name = f"kept-{uuid.uuid4().hex}"  # what a bucket of this stand-in holds outlives its server
    urllib.request.urlopen(urllib.request.Request(f"{endpoint}/{name}", method="PUT"), timeout=10).close()
    yield {
        "checkpoint_bucket": f"s3://{name}/house-1",
        "checkpoint_bucket_endpoint": endpoint,
        "checkpoint_bucket_access_key": "key",
        "checkpoint_bucket_secret_key": "secret",
    }
    server.stop()


def verified(file: Path, *more: str) -> tuple[int, str]:
    """Check a published file with ``pitboss verify``."""
    done = CliRunner().invoke(main.app, ["verify", "--checkpoint", str(file), *more])
    return done.exit_code, done.output


async def test_what_is_published_is_checked_by_anybody(house: House, bucket: dict[str, Any], tmp_path: Path) -> None:
    """Each checkpoint is a file in both places that ``pitboss verify`` accepts, with the witness's key if co-signed."""
    folder = tmp_path / "kept"
    found = publication.places(settings.load(checkpoint_folder=folder, **bucket))
    publisher = Publisher(house.pool, found)
    made = []
    for _ in range(3):
        await signing.live(house.owner)
        made.append(await house.signer.create())
        assert await publisher.once() == made[-1].number
    signature = WITNESS.sign(statements.cosigned(made[1].body))
    await checkpoints.store_cosignature(house.owner, 2, WITNESS.key_id, signature)
    await publisher.once()
    names = [*(publication.name(one.number) for one in made), publication.name(2, WITNESS.key_id)]
    assert {path.name for path in folder.iterdir()} == set(names)
    listed = [one["path"] for page in obstore.list(found[1]) for one in page]
    assert sorted(listed) == sorted(names)
    for name in names:
        inside = bytes(obstore.get(found[1], name).bytes())
        assert inside == (folder / name).read_bytes()
        assert kept_checkpoints.read(inside.decode()).text in {one.body for one in made}
    code, said = verified(folder / names[0], "--key", signing.KEY.key_id)
    assert (code, "ok    checkpoint 1" in said) == (0, True), said
    code, said = verified(folder / names[3], "--key", signing.KEY.key_id, "--witness", WITNESS.key_id)
    assert (code, "ok    checkpoint 2" in said) == (0, True), said
    code, said = verified(folder / names[1], "--witness", WITNESS.key_id)
    assert (code, "has not co-signed it" in said) == (1, True), said
    published = metrics.REGISTRY.get_sample_value("pitboss_checkpoint_published_timestamp_seconds")
    assert made[2].at_ms / 1000 <= (published or 0)


async def test_what_was_published_is_never_written_over(house: House, bucket: dict[str, Any], tmp_path: Path) -> None:
    """A house with another history overwrites nothing; the first text stays in both places."""
    found = publication.places(settings.load(checkpoint_folder=tmp_path, **bucket))
    first = await house.signer.create()
    await Publisher(house.pool, found).once()
    await house.tamper("UPDATE checkpoints SET body = replace(body, '\"at_ms\":', '\"at_ms\":1')")
    await Publisher(house.pool, found).once()
    for place in found:
        inside = bytes(obstore.get(place, publication.name(1)).bytes()).decode()
        assert kept_checkpoints.read(inside).text == first.body


async def test_a_place_that_is_away_is_made_up_for(house: House, bucket: dict[str, Any]) -> None:
    """While the bucket is away nothing counts as published; afterwards everything is published in order."""
    away = settings.load(**bucket | {"checkpoint_bucket": "s3://no-such-bucket"})
    publisher = Publisher(house.pool, publication.places(away))
    for _ in range(2):
        await house.signer.create()
    with pytest.raises((BaseError, OSError)):
        await publisher.once()
    back = publication.places(settings.load(**bucket))
    publisher._places = back
    assert await publisher.once() == 2
    assert len([one for page in obstore.list(back[0]) for one in page]) == 2


def test_a_bucket_is_named_by_its_address() -> None:
    """The settings split bucket and prefix, and refuse an invalid bucket."""
    found = settings.load(checkpoint_bucket="s3://kept/a/b").bucket()
    assert found is not None
    assert (found.name, found.prefix) == ("kept", "a/b")
    for wrong in ("kept", "http://kept", "s3://K"):
        with pytest.raises(settings.SettingsRefused, match="CHECKPOINT_BUCKET"):
            settings.load(checkpoint_bucket=wrong)
