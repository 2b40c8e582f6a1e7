"""Log lines: form, and what may not stand in them."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from services.runtime import logs, redaction
from services.runtime.settings import load
from tests.support import echo


@pytest.fixture
def _json_logs() -> Iterator[None]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    logs.set_up("debug", "json", "test")
    yield
    root.handlers[:] = before[0]
    root.setLevel(before[1])


def written(capfd: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Read the lines that were logged."""
    return [json.loads(line) for line in capfd.readouterr().err.splitlines()]


TOKEN = echo.bearer()[1].split()[1]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("token", TOKEN),
        ("authorization", f"Bearer {TOKEN}"),
        ("header", f"Bearer {TOKEN}"),
        ("text", TOKEN),
        ("database_url", "postgresql://u:hush-pw@h/d"),
        ("dsn", "host=h password=hush-pw"),
        ("text", "dsn: host=h password='hush-pw' x=1"),
        ("redis", "redis://:hush-pw@h:6379/0"),
        ("redis", "redis+cluster://:hush-pw@h:1,i:2"),
        ("jwt_secret", "hush-pw"),
        ("deal_keys", {"a": "hush-pw"}),
        ("seed", "hush-pw"),
        ("sealed", b"hush-pw"),
        ("nested", {"list": [{"password": "hush-pw"}]}),
        ("blob_bytes", b"hush-pw"),
        ("pem", "-----BEGIN PRIVATE KEY-----\nhush-pw\n-----END PRIVATE KEY-----"),
    ],
)
def test_secrets_do_not_stand_in_a_line(name: str, value: Any) -> None:
    """By their name or by their form, secrets are taken out of any value, however deep."""
    shown = json.dumps(redaction.clean_field(name, value))
    assert "hush-pw" not in shown
    assert TOKEN not in shown


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cards", ["As", "Kd"]),
        ("hand", "As Kd"),
        ("deck", "As"),
        ("tiles", "0t"),
        ("anything", "As Kd"),
        ("anything", "Xr"),
        ("anything", ["Ah"]),
        ("anything", {"x": ("Ah", "Tc")}),
        ("payload", {"a": 1}),
        ("why", "seat 2 holds Ah, Tc and more"),
        ("why", "card 'Ah' not held"),
        ("view", "x"),
        ("data", "{}"),
        ("hole_cards", "x"),
        ("happenings", ["x"]),
    ],
)
def test_cards_do_not_stand_in_a_line(name: str, value: Any) -> None:
    """By the field's name or by their look, cards are withheld."""
    shown = json.dumps(redaction.clean_field(name, value))
    assert redaction.WITHHELD in shown
    assert "Ah" not in shown
    assert "Kd" not in shown


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("event", "As the table closed, 2 seats left"),
        ("seat", 3),
        ("cards", 52),
        ("game", "texas_holdem"),
        ("version", 17),
        ("request_key", "ann:r-1"),
        ("reason", "OUT_OF_TURN"),
        ("seconds", 0.25),
        ("nothing", None),
        ("where", "redis://h:6379/0"),
        ("yes", True),
        ("list", [1, 2]),
        ("name", "小安"),
    ],
)
def test_what_is_harmless_stays(name: str, value: Any) -> None:
    """Ordinary values are logged as they are."""
    assert redaction.clean_field(name, value) == value


def test_what_is_deep_or_long_is_cut() -> None:
    """Nesting and length of a value are bounded."""
    deep: Any = "end"
    for _ in range(20):
        deep = [deep]
    assert "too deep" in json.dumps(redaction.clean(deep))
    assert len(redaction.clean("x" * 100_000)) == redaction.LONGEST


@pytest.mark.usefixtures("_json_logs")
def test_lines_are_json_with_time_level_and_process(capfd: pytest.CaptureFixture[str]) -> None:
    """A line of ours and one of a library have the same form."""
    logs.get("dealer").info("round started", game="texas_holdem", deck=["As"], seat=2)
    logging.getLogger("library").warning("connecting to %s", "postgresql://u:hush-pw@h/d")
    ours, theirs = written(capfd)
    assert (ours["event"], ours["level"], ours["logger"], ours["process"]) == (
        "round started",
        "info",
        "dealer",
        "test",
    )
    assert (ours["game"], ours["deck"], ours["seat"]) == ("texas_holdem", redaction.WITHHELD, 2)
    assert ours["timestamp"].endswith("Z")
    assert theirs["event"] == "connecting to postgresql://u:[redacted]@h/d"


@pytest.mark.usefixtures("_json_logs")
def test_tracebacks_are_cleaned_and_hold_no_local_values(capfd: pytest.CaptureFixture[str]) -> None:
    """The text of an exception is cleaned, and the values of local variables are not shown."""

    def fail(hidden: str) -> None:
        raise ValueError(f"hole cards were As Kd for {len(hidden)}")

    password = "hush-pw"
    try:
        fail(password)
    except ValueError:
        logs.get("dealer").exception("failed")
    (line,) = written(capfd)
    assert "ValueError" in line["exception"]
    assert "As Kd for" not in line["exception"]
    assert "hush-pw" not in line["exception"]


@pytest.mark.usefixtures("_json_logs")
def test_settings_can_be_logged_without_a_secret(capfd: pytest.CaptureFixture[str]) -> None:
    """Logging all settings at once shows no secret."""
    logs.get("x").info("starting", settings=load(jwt_secret="hush" * 10, database_url="postgresql://u:hush@h/d"))
    assert "hush" not in json.dumps(written(capfd))


@pytest.mark.usefixtures("_json_logs")
def test_the_level_is_a_setting(capfd: pytest.CaptureFixture[str]) -> None:
    """At level warning an info line is not written."""
    logs.set_up("warning", "json", "test")
    logs.get("x").info("not this")
    logs.get("x").warning("but this")
    assert [line["event"] for line in written(capfd)] == ["but this"]


@pytest.mark.usefixtures("_json_logs")
def test_the_console_form_is_for_people(capfd: pytest.CaptureFixture[str]) -> None:
    """With log_format console a line is text, and as clean as JSON."""
    logs.set_up("info", "console", "test")
    logs.get("x").info("round started", token="hush-pw", seat=1)
    text = capfd.readouterr().err
    assert "round started" in text
    assert "seat" in text
    assert "hush-pw" not in text
