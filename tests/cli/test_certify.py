"""``pitboss certify``: what a laboratory sees, also when a case is wrong."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call

RIGHT = """
case: right
game: san_gong
seats: [{player: ann, chips: 500}, {player: bob, chips: 500}]
deck: "Kd Kc  6h 5s  3s 4s"
play: [{timeout: true}]
expect: {net: {ann: 19, bob: -20}, fee: 1, house: 0}
"""


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """Return a folder with a right case and one whose net result is impossible."""
    (tmp_path / "a.yaml").write_text(RIGHT, encoding="utf-8")
    wrong = RIGHT.replace("case: right", "case: wrong").replace("ann: 19", "ann: 20")
    (tmp_path / "b.yaml").write_text(wrong, encoding="utf-8")
    return tmp_path


def test_a_wrong_case_fails_and_says_where(pitboss: Call, cases: Path) -> None:
    """Exit 1; the case is named, with key, expected and found value; the last line counts."""
    done = pitboss("certify", cases, "--rules-only")
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["pass", "san_gong", "right"]
    assert lines[1].split() == ["FAIL", "san_gong", "wrong"]
    assert "net" in lines[2]
    assert "20" in lines[2]
    assert "19" in lines[2]
    assert lines[-1] == "1 passed, 1 failed"


def test_a_right_case_passes(pitboss: Call, cases: Path) -> None:
    """Exit 0 and the last line says that all passed."""
    done = pitboss("certify", cases / "a.yaml", "--rules-only")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == "1 passed, 0 failed"


def test_machines_get_one_object_a_case(pitboss: Call, cases: Path) -> None:
    """With ``--json`` every line but the last is an object with game, case, passed and the difference."""
    done = pitboss("certify", cases, "--rules-only", "--json")
    *lines, last = done.stdout.splitlines()
    told = [json.loads(line) for line in lines]
    assert [(one["game"], one["case"], one["passed"]) for one in told] == [
        ("san_gong", "right", True),
        ("san_gong", "wrong", False),
    ]
    assert told[0]["difference"] == ""
    assert "net" in told[1]["difference"]
    assert last == "1 passed, 1 failed"
    assert done.exit_code == 1


def _hand(**other: object) -> bytes:
    """Return the line of a recorded heads-up Omaha hand in which the button folds."""
    hand: dict[str, object] = {
        "source": "made",
        "variant": "omaha",
        "betting": "no_limit",
        "seats": 2,
        "button": 1,
        "min_bet": 10,
        "antes": [0, 0],
        "blinds": [10, 5],
        "starting_stacks": [100, 100],
        "board": [],
        "hole": [["As", "Ks", "Qs", "Js"], ["2c", "2d", "3c", "3d"]],
        "actions": [{"seat": 1, "street": 0, "action": "fold"}],
        "finishing_stacks": [105, 95],
        "uncalled": [{"seat": 0, "amount": 5}],
        "pots": [{"amount": 10, "eligible": [0], "winners": [0], "shares": [10]}],
    }
    return json.dumps(hand | other).encode() + b"\n"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("ann: 19", "ann: 19, cid: 3"), "cid"),
        (("fee: 1", "fee: 2"), "fee"),
        (("house: 0", "house: 0, winner: bob"), "winner"),
        (("play: [{timeout: true}]", "play: [{seat: 0, do: fold}]"), "step 1"),
        (("play: [{timeout: true}]", "play: []"), "not ended"),
        (("game: san_gong", "game: san_gong\nhouse_rules: {base: -5}"), "base"),
        (("Kd Kc", "Kd Kd"), "Kd"),
        (("game: san_gong", "game: nonesuch"), "there is no game 'nonesuch'; expected one of"),
    ],
    ids=["unknown player", "fee", "unknown fact", "illegal action", "unfinished", "house rule", "deck", "game"],
)
def test_whatever_is_wrong_in_a_case_is_named(
    pitboss: Call, tmp_path: Path, change: tuple[str, str], says: str
) -> None:
    """Each kind of wrong expectation fails with the place at fault, never with a traceback."""
    file = tmp_path / "case.yaml"
    file.write_text(RIGHT.replace(*change), encoding="utf-8")
    done = pitboss("certify", file, "--rules-only")
    assert done.exit_code == 1
    assert says in done.output
    assert "Traceback" not in done.output
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"


@pytest.mark.parametrize(
    ("name", "data", "line", "says"),
    [
        ("odd.yaml", b"case: x\n", 1, "case 'x' is not written as rules/README says: it lacks 'game'"),
        ("odd.yaml", b"case: x\ngame: san_gong\nseats: [3]\n", 1, "case 'x'"),
        ("odd.yaml", b"\n\n- a\n- list\n", 3, "this is not a case"),
        ("odd.yaml", b"just words\n", 1, "this is not a case"),
        ("odd.yaml", b"case: x\ngame: [\n", 3, "this is not valid YAML"),
        ("README.md", b"# Pitboss\n\nA back office: it plays: games\n", 3, "this is not valid YAML"),
        ("odd.yaml", b"a: 1\nb: \x07\n", 2, "this is not valid YAML"),
        ("odd.yaml", b"a: 1\nb: \xff\n", 2, "not text in UTF-8"),
        ("odd.yaml", b"case: 2026-13-45\n", 1, "this is not valid YAML"),
        ("odd.yaml", b"case: !!python/object:os.system {}\n", 1, "this is not valid YAML"),
        ("odd.yaml", b"[" * 5000, 1, "this is not valid YAML"),
        ("odd.yaml", RIGHT.encode() + b"---\ncase: second\nseats: 7\n", 9, "case 'second'"),
        ("odd.jsonl", b"\nno hand\n", 2, "this is not a recorded hand"),
        ("odd.jsonl", b'{"source": "\xff"}\n', 1, "this is not a recorded hand"),
        ("short.jsonl", _hand(hole=[["As", "Ks", "Qs", "Js"], ["2c", "2d"]]), 1, "seat 1 has 2 hole cards"),
        ("short.jsonl", _hand(antes=[0]), 1, "antes lists 1 seats"),
    ],
)
def test_a_file_that_is_no_case_is_one_line_and_the_others_are_played(
    pitboss: Call, cases: Path, name: str, data: bytes, line: int, says: str
) -> None:
    """One line names the file, the line and the fault; the exit code is 2; the next files are played."""
    file = cases / name
    file.write_bytes(data)
    done = pitboss("certify", file, cases / "a.yaml", "--rules-only")
    assert done.exit_code == 2
    [told] = done.stderr.splitlines()
    assert told.startswith(f"pitboss certify: {file}:{line}: ")
    assert says in told
    *_, right, last = done.stdout.splitlines()
    assert right.split() == ["pass", "san_gong", "right"]
    assert last.endswith(" passed, 0 failed; 1 file could not be read completely")


def test_a_hand_with_antes_that_its_stacks_leave_out_fails(pitboss: Call, tmp_path: Path) -> None:
    """Antes are played: final stacks that do not hold them are named beside those that the house pays."""
    file = tmp_path / "antes.jsonl"
    file.write_bytes(_hand(antes=[50, 50]))
    done = pitboss("certify", file, "--rules-only")
    assert done.exit_code == 1
    assert "finishing stacks are [155, 45], recorded [105, 95]" in done.stdout


@pytest.mark.parametrize("how", [(), ("--embedded",), ("--target", "127.0.0.1:9")])
def test_a_bad_file_is_told_before_a_house_is_asked_for(pitboss: Call, tmp_path: Path, how: tuple[str, ...]) -> None:
    """Where there is nothing to play, no house is needed, reached or started."""
    file = tmp_path / "README.md"
    file.write_text("# Pitboss\n\nA back office: it plays: games\n", encoding="utf-8")
    done = pitboss("certify", file, *how, "--folder", tmp_path)
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
    assert f"{file}:3: this is not valid YAML" in done.stderr


def test_nothing_to_play_is_a_failure(pitboss: Call, tmp_path: Path) -> None:
    """An empty folder certifies nothing; a path that is not there is named."""
    done = pitboss("certify", tmp_path, "--rules-only")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (1, "0 passed, 0 failed")
    for name in ("none.yaml", "none.jsonl", "none"):
        done = pitboss("certify", tmp_path / name, "--rules-only")
        assert done.exit_code == 2
        assert f"{tmp_path / name}: there is no such file or folder" in done.stderr


def test_one_way_of_playing_at_a_time(pitboss: Call, cases: Path) -> None:
    """Two ways asked for at once are refused as a usage error."""
    done = pitboss("certify", cases, "--rules-only", "--embedded")
    assert done.exit_code == 2
    assert "choose one" in done.output


def test_a_sample_plays_every_nth_case(pitboss: Call, cases: Path) -> None:
    """With ``--sample 2`` the first of the two is played."""
    assert pitboss("certify", cases, "--rules-only", "--sample", 2).stdout.splitlines()[-1] == "1 passed, 0 failed"


def test_an_argument_that_is_not_named_is_empty(pitboss: Call, tmp_path: Path) -> None:
    """On the rules alone a step without its arguments is refused by the game, as it is over the wire."""
    case = """
case: nothing-named
game: spoil_five
seats: [{player: ann, chips: 20}, {player: bob, chips: 20}]
deck: "2c 3c 2d 3d 2h 3h 4c 5c 4d 5d Ks"
play:
  - {seat: 1, do: play, error: ILLEGAL_CARDS}
expect_state: {tricks: {}}
"""
    (tmp_path / "a.yaml").write_text(case, encoding="utf-8")
    done = pitboss("certify", tmp_path, "--rules-only")
    assert done.stdout.splitlines()[-1] == "1 passed, 0 failed"
