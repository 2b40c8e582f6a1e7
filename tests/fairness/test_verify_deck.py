"""The offline check of a revealed round: agrees with the house, needs nothing of it, and finds every untruth."""

import ast
import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.fairness import commitment, seed, verify_deck
from services.fairness.chance import RoundChance, SealedChance
from services.fairness.scripted import Script, ScriptedChance
from services.rules import cards

HOUSE = bytes(range(32))
TABLE = "6f1c1a54-3f9a-4c54-8a56-0d8d5b6f1d10"


def exported(players: dict[int, str], packs: list[tuple[str, ...]], script: Script | None = None) -> dict[str, Any]:
    """Play the chance of a round and export what was public of it, everything drawn."""
    round_seed = seed.combine(HOUSE, TABLE, 3, players)
    chance: RoundChance = SealedChance(round_seed) if script is None else ScriptedChance(script, seed=round_seed)
    orders = [chance.shuffle(pack) for pack in packs]
    proofs = [commitment.prove(round_seed, stock, order, len(order) - 1) for stock, order in enumerate(orders)]
    return {
        "table": TABLE,
        "round": 3,
        "house_commitment": seed.commitment(HOUSE).hex(),
        "house_seed": HOUSE.hex(),
        "player_seeds": {str(seat): text for seat, text in players.items()},
        "script": None if script is None else {"stocks": script.stocks},
        "stocks": [
            {"stock": stock, "pack": pack, "root": commitment.root(round_seed, stock, orders[stock]).hex()}
            for stock, pack in enumerate(packs)
        ],
        "cards": [
            {"stock": stock, "position": position, "card": "??" if position == 1 else orders[stock][position]}
            for stock in range(len(packs))
            for position in range(min(5, len(packs[stock])))
        ],
        "picks": [
            {"what": "seat", "place": place, "options": 6, "picked": chance.pick(range(6), "seat")}
            for place in range(2)
        ],
        "dice": [{"place": place, "throw": list(chance.dice(3))} for place in range(2)],
        "proofs": [
            {
                "stock": proof.stock,
                "size": proof.size,
                "position": proof.position,
                "card": proof.card,
                "nonce": proof.nonce.hex(),
                "path": [node.hex() for node in proof.path],
            }
            for proof in proofs
        ],
    }


def of_json(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document as it is read from a file."""
    read: dict[str, Any] = json.loads(json.dumps(document))
    return read


ROUND = of_json(exported({0: "lucky", 4: "幸運"}, [cards.PACK_52, cards.PACK_54]))


@given(
    st.dictionaries(st.integers(0, 9), st.text(max_size=10), max_size=4),
    st.lists(st.sampled_from([cards.PACK_52, cards.PACK_54, cards.TILES_40, cards.PACK_52[:1]]), max_size=3),
)
def test_a_true_round_holds(players: dict[int, str], packs: list[tuple[str, ...]]) -> None:
    """What the house's own code dealt, committed to and proved holds in the check, which shares no line with it."""
    assert verify_deck.verify(of_json(exported(players, packs))) == []


def test_a_scripted_round_holds_and_is_named(tmp_path: Path) -> None:
    """A scripted test round is checked against its script, and the finding says that it was one."""
    file = tmp_path / "round.json"
    file.write_text(json.dumps(exported({}, [cards.PACK_52], Script(stocks=(("Kd", "2c"),)))))
    found = subprocess.run(
        [sys.executable, "-I", verify_deck.__file__, file], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == "ok    round 3, 5 cards; a test round in a scripted order\n"


def test_it_runs_alone(tmp_path: Path) -> None:
    """The script, copied away from the house, checks a file by itself and answers with its exit status."""
    script = tmp_path / "verify.py"
    script.write_bytes(Path(verify_deck.__file__).read_bytes())
    file = tmp_path / "round.json"
    for document, code, says in (
        (ROUND, 0, "ok    round 3, 10 cards\n"),
        (changed("house_seed", "00" * 32), 1, "FAIL"),
    ):
        file.write_text(json.dumps(document))
        found = subprocess.run(
            [sys.executable, "-I", script, file], capture_output=True, text=True, check=False, cwd="/"
        )
        assert (found.returncode, found.stderr) == (code, "")
        assert found.stdout.startswith(says)


def test_it_needs_only_the_standard_library() -> None:
    """The check imports nothing but hashlib, json and plumbing of Python itself, and is short enough to read."""
    text = Path(verify_deck.__file__).read_text()
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    assert imported == {"hashlib", "json", "sys", "pathlib", "collections", "typing"}
    assert len(text.splitlines()) <= 200


def changed(*path_and_value: Any) -> dict[str, Any]:
    """Return the round with one value replaced; the last argument is the value, the others are its path."""
    *path, last, value = path_and_value
    document = copy.deepcopy(ROUND)
    place: Any = document
    for step in path:
        place = place[step]
    place[last] = value(place[last]) if callable(value) else value
    return document


def another_card(card: str) -> str:
    """Return another card."""
    return "As" if card != "As" else "Ks"


def flip(text: str) -> str:
    """Flip the last bit of bytes in hex."""
    data = bytes.fromhex(text)
    return (data[:-1] + bytes([data[-1] ^ 1])).hex()


def swap(pack: list[str]) -> list[str]:
    """Swap the two top cards of a pack."""
    return [pack[1], pack[0], *pack[2:]]


@pytest.mark.parametrize(
    ("document", "finding"),
    [
        (changed("house_commitment", flip), "house seed is not the one"),
        (changed("house_seed", flip), "house seed is not the one"),
        (changed("table", "other"), "not that of the order"),
        (changed("round", 4), "not that of the order"),
        (changed("player_seeds", "0", "unlucky"), "not that of the order"),
        (changed("player_seeds", {"0": "lucky"}), "not that of the order"),
        (changed("player_seeds", {"0": "lucky", "1": "", "4": "幸運"}), "not that of the order"),
        (changed("stocks", 1, "root", flip), "stock 1: the published root"),
        (changed("stocks", 0, "pack", swap), "stock 0: the published root"),
        (changed("stocks", 0, "pack", lambda pack: [*pack, "Xr"]), "stock 0: the published root"),
        (changed("cards", 0, "card", another_card), "stock 0: position 0 is"),
        (changed("cards", 9, "card", another_card), "stock 1: position 4 is"),
        (changed("cards", 2, "position", 3), "dealt twice"),
        (changed("cards", 2, "position", 52), "does not exist"),
        (changed("cards", 2, "position", -1), "does not exist"),
        (changed("picks", 1, "picked", lambda picked: (picked + 1) % 6), "pick 1 of a seat"),
        (changed("dice", 0, "throw", lambda throw: [throw[0] % 6 + 1, *throw[1:]]), "throw 0"),
        (changed("proofs", 0, "card", another_card), "stock 0: the proof"),
        (changed("proofs", 1, "nonce", flip), "stock 1: the proof"),
        (changed("proofs", 0, "path", lambda path: path[:-1]), "shape"),
        (changed("proofs", 0, "path", lambda path: [*path, path[0]]), "stock 0: the proof"),
        (changed("proofs", 0, "size", 53), "shape"),
        (changed("proofs", 0, "size", 1 << 80), "shape"),
        (changed("house_seed", "not hex"), "shape"),
        (changed("stocks", {}), "shape"),
        (changed("stocks", 0, "pack", []), "shape"),
        (changed("picks", 0, "options", 0), "shape"),
        (changed("picks", 0, "options", 1 << 33), "shape"),
        (changed("cards", 0, "stock", 7), "shape"),
    ],
)
def test_each_untruth_is_found(document: dict[str, Any], finding: str) -> None:
    """A round in which any one published thing is another is found wrong, in words that say where."""
    assert any(finding in fault for fault in verify_deck.verify(document)), verify_deck.verify(document)


@pytest.mark.parametrize("key", ["table", "round", "house_commitment", "house_seed", "player_seeds", "stocks", "cards"])
def test_nothing_may_be_missing(key: str) -> None:
    """A file that leaves something out does not pass."""
    document = {name: value for name, value in ROUND.items() if name != key}
    assert any(key in fault for fault in verify_deck.verify(document))


@pytest.mark.parametrize("junk", [[], None, 7, {}])
def test_junk_is_told_in_words(junk: Any) -> None:
    """A file of another shape altogether is an answer, not a crash."""
    assert verify_deck.verify(junk)


def alone(file: Path | str, given: str = "") -> tuple[int, str]:
    """Run the check as a person does; return its exit status and what it said."""
    found = subprocess.run(
        [sys.executable, "-I", verify_deck.__file__, *([str(file)] if file else [])],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stderr == "", "no traceback"
    return found.returncode, found.stdout


def test_every_line_of_a_file_is_checked(tmp_path: Path) -> None:
    """A file of many rounds is judged line by line, from a file or standard input; the wrong one is named."""
    true, untrue = json.dumps(ROUND), json.dumps(changed("house_seed", flip))
    file = tmp_path / "rounds.jsonl"
    file.write_text(f"{true}\n\n{true}\n", encoding="utf-8")
    for code, said in (alone(file), alone("", file.read_text(encoding="utf-8"))):
        assert (code, said) == (0, "ok    round 3, 10 cards\n" * 2)
    file.write_text(f"{true}\n{untrue}\n[]\n{true}\n", encoding="utf-8")
    code, said = alone(file)
    assert code == 1
    assert said.count("ok    ") == 2
    assert "FAIL  line 2: the revealed house seed is not the one" in said
    assert "FAIL  line 3: the file is not of the documented shape" in said


def test_one_round_may_be_written_over_many_lines(tmp_path: Path) -> None:
    """What is one JSON object is one round, however it is laid out."""
    file = tmp_path / "round.json"
    file.write_text(json.dumps(ROUND, indent=2), encoding="utf-8")
    assert alone(file) == (0, "ok    round 3, 10 cards\n")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "the file is empty"),
        (b"\n \n", "the file is empty"),
        (json.dumps(ROUND).encode()[:-100], "not valid JSON, or it is truncated"),
        (json.dumps(ROUND, indent=2).encode()[:-100], "not valid JSON, or it is truncated"),
        (json.dumps(ROUND).encode() + b"\n" + json.dumps(ROUND).encode()[:100], "line 2: this is not valid JSON"),
        (b"# notes\nnothing of the kind\n", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"\xff\xfe", "cannot be read"),
        (None, "cannot be read"),
    ],
    ids=["empty", "blank", "cut", "cut over lines", "last line cut", "text", "deep", "bytes", "missing"],
)
def test_a_bad_file_is_told_in_words(tmp_path: Path, data: bytes | None, says: str) -> None:
    """An empty, cut, foreign or missing file fails with one line that says what is wrong with it."""
    file = tmp_path / "rounds.jsonl"
    if data is not None:
        file.write_bytes(data)
    code, said = alone(file)
    assert code == 1
    wrong = [line for line in said.splitlines() if line.startswith("FAIL")]
    assert len(wrong) == 1
    assert says in wrong[0]
