"""Settings: their sources, refusals and messages, without showing a secret."""

import base64
import re
from pathlib import Path

import pytest

from services.runtime import documentation, keys, metrics, settings, sources


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in settings.Settings.model_fields:
        monkeypatch.delenv(f"PITBOSS_{name.upper()}", raising=False)
        monkeypatch.delenv(f"PITBOSS_{name.upper()}_FILE", raising=False)


def test_settings_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain values, booleans and JSON come from variables; what is not set has its default."""
    monkeypatch.setenv("PITBOSS_LISTEN", "0.0.0.0:7001")
    monkeypatch.setenv("PITBOSS_SCRIPTED_DECKS", "true")
    monkeypatch.setenv("PITBOSS_DEALER_ADDRESSES", '{"poker": "dealer-poker:7400"}')
    loaded = settings.load()
    assert (loaded.listen, loaded.scripted_decks, loaded.drain_seconds) == ("0.0.0.0:7001", True, 8.0)
    assert loaded.dealer_addresses == {"poker": "dealer-poker:7400"}


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compose hands over empty variables; they leave the default."""
    monkeypatch.setenv("PITBOSS_POOL_MAX", "")
    assert settings.load().pool_max == 8


def test_secrets_are_read_from_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """PITBOSS_X_FILE names a file; a trailing line break does not count; a key ring is JSON."""
    (tmp_path / "url").write_text("postgresql://house:pw@db/pitboss\n")
    key = base64.b64encode(bytes(range(32))).decode()
    (tmp_path / "ring").write_text(f'{{"k1": "{key}"}}')
    monkeypatch.setenv("PITBOSS_DATABASE_URL_FILE", str(tmp_path / "url"))
    monkeypatch.setenv("PITBOSS_DEAL_KEYS_FILE", str(tmp_path / "ring"))
    loaded = settings.load()
    assert loaded.postgres() == "postgresql://house:pw@db/pitboss"
    assert loaded.deal_ring() == keys.Ring("k1", {"k1": bytes(range(32))})


def test_a_secret_s_file_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names variable and path."""
    monkeypatch.setenv("PITBOSS_JWT_SECRET_FILE", "/nowhere/jwt")
    with pytest.raises(settings.SettingsRefused, match=r"PITBOSS_JWT_SECRET_FILE names /nowhere/jwt: No such file"):
        settings.load()


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("POOL_MAX", "many", "PITBOSS_POOL_MAX: Input should be a valid integer"),
        ("LISTEN", "nowhere", "listen is 'nowhere'; it must be host:port"),
        ("LISTEN", "host:70000", "it must be host:port"),
        ("POOL_MIN", "90", "pool_min is 90, more than pool_max, 8"),
        ("DEFAULT_CURRENCY", "chips!", "PITBOSS_DEFAULT_CURRENCY"),
        ("LOG_LEVEL", "loud", "PITBOSS_LOG_LEVEL"),
        ("TLS_KEY_FILE", "/x", "tls_certificate_file and tls_key_file go together"),
        ("DEAL_KEYS", "{", "deal_keys"),
        ("REDIS_URL", "redis://:hush@a:1,b:2", "PITBOSS_REDIS_URL: it names several nodes; a cluster's begins with"),
        ("REDIS_URL", "redis+cluster://:hush@a,b:0", "PITBOSS_REDIS_URL: node 2 is not host:port, such as redis://"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, words: str
) -> None:
    """Each refusal names the setting and the right form."""
    monkeypatch.setenv(f"PITBOSS_{variable}", value)
    with pytest.raises(settings.SettingsRefused) as caught:
        settings.load()
    assert words in str(caught.value)
    assert "hush" not in str(caught.value)


def test_what_is_needed_and_missing_is_named() -> None:
    """Asking for a database, Redis or a ring that is not set names the variable."""
    loaded = settings.load()
    for ask, name in (
        (loaded.postgres, "DATABASE_URL"),
        (loaded.redis, "REDIS_URL"),
        (loaded.deal_ring, "DEAL_KEYS"),
        (loaded.audit_ring, "AUDIT_KEYS"),
        (loaded.checkpoint_seed, "CHECKPOINT_KEY"),
    ):
        with pytest.raises(settings.SettingsRefused, match=f"PITBOSS_{name}"):
            ask()


@pytest.mark.parametrize(
    ("ring", "active", "words"),
    [
        ({"a": "AAAA"}, "a", "key 'a': 3 bytes; a key has 32"),
        ({"a": "not base64!"}, "a", "key 'a': not base64"),
        ({"a": keys.generate(), "b": keys.generate()}, "c", "the active key is 'c'; the ring holds a, b"),
    ],
)
def test_a_ring_that_makes_no_sense_is_refused_without_its_keys(ring: dict[str, str], active: str, words: str) -> None:
    """The sentence names the key's id, never the key."""
    loaded = settings.load(deal_keys=ring, deal_key=active)
    with pytest.raises(settings.SettingsRefused) as caught:
        loaded.deal_ring()
    assert words in str(caught.value)
    assert not any(key in str(caught.value) for key in ring.values())


def test_no_secret_is_shown() -> None:
    """Settings and rings that are printed show no secret."""
    secrets = {"database_url": "postgresql://u:hush@h/d", "jwt_secret": "hush" * 10, "checkpoint_key": keys.generate()}
    ring = {"k": keys.generate()}
    loaded = settings.load(**secrets, deal_keys=ring)
    shown = repr(loaded) + str(loaded) + repr(loaded.deal_ring()) + str(loaded.model_dump())
    assert not any(secret in shown for secret in [*secrets.values(), *ring.values(), "hush"])
    assert str(loaded.deal_ring().keys["k"]) not in shown


def test_every_setting_says_what_it_means() -> None:
    """Each setting has a line of its own."""
    lines = sources.listing(settings.Settings, settings.PREFIX)
    assert len(lines) == len(settings.Settings.model_fields)
    assert [line.variable for line in lines if len(line.meaning) < 15] == []


def test_the_operations_page_lists_settings_metrics_and_reasons_as_they_are() -> None:
    """The tables of the page are current, and a page that has lost a table's place is refused."""
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    assert documentation.filled(page) == page, "run `make docs`"
    for line in sources.listing(settings.Settings, settings.PREFIX):
        assert f"| `{line.variable}`" in page
    with pytest.raises(ValueError, match="no place for the metrics"):
        documentation.filled(page.replace("<!-- metrics -->", ""))


def test_every_metric_is_fed_by_some_process() -> None:
    """No metric stands in the registry that nothing ever sets."""
    root = Path(__file__).parents[2] / "services"
    texts = [path.read_text(encoding="utf-8") for path in root.rglob("*.py") if path.name != "metrics.py"]
    code = "\n".join(texts)
    names = re.findall(
        r"^([A-Z_]+) = _(?:counter|gauge|known_gauge|histogram)\(",
        (root / "runtime" / "metrics.py").read_text(),
        re.MULTILINE,
    )
    assert len(names) == len(metrics.LABELS)
    assert [name for name in names if f"metrics.{name}" not in code] == []
