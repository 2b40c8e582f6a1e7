"""Check revealed rounds offline, from their exported file alone: ``python verify_deck.py rounds.jsonl``.

It uses the standard library only, so that it is easy to read. The file is one JSON object, or one on each line; bytes
are hex. ``--seed=SEAT=TEXT`` also checks that a player's own text went into each round.

    table, round       the table's id and the round's number, from 1
    house_commitment   the commitment that the house published before the players' seeds closed
    house_seed         the seed that it revealed after the round
    player_seeds       {seat: digest of the player's text}, as in the log when the round started; older rounds: the text
    stocks             [{stock, pack, root}]: each shuffle's number from 0, the pack before it, the published root
    cards              [{stock, position, card}]: dealt cards; a card that was never shown is "??"
    script             null, or the given orders of a test round: {stocks: [[card, ...], ...]}
    picks, dice        optional: [{what, place, options, picked}], [{place, throw}]: other chance; ``place`` counts from
                       0, for picks by their ``what``; ``options`` is how many there were, ``picked`` an index
    hidden             optional: why the seed was never revealed; such a round cannot be checked and fails
    proofs             optional: [{stock, size, position, card, nonce, path}]: single cards that players were shown
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def framed(*parts: bytes) -> bytes:
    """Join parts, each preceded by its length in four bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def sha256(*parts: bytes | int | str) -> bytes:
    """Hash the concatenation of parts: bytes, numbers in four bytes, text."""
    written = (one.to_bytes(4, "big") if isinstance(one, int) else one for one in parts)
    return hashlib.sha256(b"".join(one.encode() if isinstance(one, str) else one for one in written)).digest()


def round_seed(document: dict[str, Any]) -> bytes:
    """Return the round seed: the house's seed combined with the players'."""
    parts = [b"pitboss round seed v1", bytes.fromhex(document["house_seed"])]
    parts += [document["table"].encode(), str(document["round"]).encode()]
    for seat, text in sorted((int(seat), text) for seat, text in document["player_seeds"].items()):
        parts += [str(seat).encode(), text.encode()]
    return sha256(framed(*parts))


def mixed(document: dict[str, Any], seat: str, text: str) -> bool:
    """Return whether this text of a seat went into the round."""
    parts = (b"pitboss player seed v1", document["table"].encode(), str(document["round"]).encode(), seat.encode())
    digest = "sha256:" + sha256(framed(*parts, text.encode())).hex()
    return document["player_seeds"].get(seat) in (digest, text)


def stream(seed: bytes, label: str, counter: int, size: int = 1 << 16) -> bytes:
    """Return the bytes for one use of chance; 65,536 are more than any use needs."""
    return hashlib.shake_256(framed(f"pitboss {label} v1".encode(), seed, str(counter).encode())).digest(size)


def draws(seed: bytes, label: str, counter: int, bounds: list[int]) -> list[int]:
    """Return a number below each bound, from four bytes each; numbers with a biased remainder are rejected."""
    data = stream(seed, label, counter)
    words = (int.from_bytes(data[at : at + 4], "big") for at in range(0, len(data), 4))
    return [next(word for word in words if word < 2**32 - 2**32 % bound) % bound for bound in bounds]


def shuffled(seed: bytes, stock: int, pack: list[str], script: dict[str, Any] | None) -> list[str]:
    """Return the shuffled pack (Fisher-Yates, from the last place down); scripted cards are on top."""
    order = list(pack)
    if script is not None:
        top = script["stocks"][stock] if stock < len(script["stocks"]) else []
        for card in top:
            order.remove(card)
        return [*top, *order]
    places = range(len(order) - 1, 0, -1)
    for last, other in zip(places, draws(seed, "shuffle", stock, [last + 1 for last in places]), strict=True):
        order[last], order[other] = order[other], order[last]
    return order


def root(seed: bytes, stock: int, order: list[str]) -> bytes:
    """Return the root of the tree over all positions of a stock."""
    nonces = stream(seed, "nonce", stock, 32 * len(order))
    level = [sha256(b"\x00", nonces[32 * at : 32 * at + 32], stock, at, card) for at, card in enumerate(order)]
    while len(level) > 1:
        odd = level[-1:] if len(level) % 2 else []
        level = [sha256(b"\x01", level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)] + odd
    return sha256(b"\x02", stock, len(order), level[0])


def proven(proof: dict[str, Any]) -> bytes:
    """Return the root that a single card's proof leads to."""
    place, width, path = proof["position"], proof["size"], [bytes.fromhex(node) for node in proof["path"]]
    node = sha256(b"\x00", bytes.fromhex(proof["nonce"]), proof["stock"], place, proof["card"])
    while width > 1:
        if place ^ 1 < width:
            node = sha256(b"\x01", path[0], node) if place % 2 else sha256(b"\x01", node, path[0])
            path = path[1:]
        place, width = place // 2, (width + 1) // 2
    return b"" if path else sha256(b"\x02", proof["stock"], proof["size"], node)


def verify(document: dict[str, Any]) -> list[str]:
    """Check a whole round; return its faults in words, none where it is as committed."""
    try:
        hidden = document.get("hidden")
        return [f"the deck cannot be checked: {hidden}"] if hidden else list(faults(document))
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError) as error:
        return [f"the file is not of the documented shape: {type(error).__name__}: {error}"]


def faults(document: dict[str, Any]) -> Iterator[str]:
    """Yield the faults of seed, orders, cards and proofs."""
    commitment = sha256(framed(b"pitboss house seed v1", bytes.fromhex(document["house_seed"])))
    if commitment.hex() != document["house_commitment"]:
        yield "the revealed house seed is not the one that was committed to"
    seed, script = round_seed(document), document["script"]
    roots = {one["stock"]: one["root"] for one in document["stocks"]}
    orders = {one["stock"]: shuffled(seed, one["stock"], one["pack"], script) for one in document["stocks"]}
    for stock, order in orders.items():
        if root(seed, stock, order).hex() != roots[stock]:
            yield f"stock {stock}: the published root is not that of the order that the seed gives"
    dealt = set()
    for one in document["cards"]:
        stock, position, face = one["stock"], one["position"], one["card"]
        if (stock, position) in dealt or not 0 <= position < len(orders[stock]):
            yield f"stock {stock}: position {position} was dealt twice, or does not exist"
        elif face not in ("??", orders[stock][position]):
            yield f"stock {stock}: position {position} is {orders[stock][position]}, the table showed {face}"
        dealt.add((stock, position))
    for one in document.get("proofs", []):
        if proven(one).hex() != roots[one["stock"]]:
            yield f"stock {one['stock']}: the proof of {one['card']} at position {one['position']} is not valid"
    if script is None:
        yield from wrong_draws(document, seed)


def wrong_draws(document: dict[str, Any], seed: bytes) -> Iterator[str]:
    """Yield the faults of picks and dice."""
    for one in document.get("picks", []):
        if draws(seed, f"pick {one['what']}", one["place"], [one["options"]]) != [one["picked"]]:
            yield f"pick {one['place']} of a {one['what']} is not the one that the seed gives"
    for one in document.get("dice", []):
        if [1 + value for value in draws(seed, "dice", one["place"], [6] * len(one["throw"]))] != one["throw"]:
            yield f"throw {one['place']} is not the one that the seed gives"


def read(text: str) -> Iterator[tuple[str, Any, str]]:
    """Return the rounds of a file: the place of each ("" for the only one), the round, and why it cannot be read."""
    lines = [(f"line {number}: ", line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    found = [(where, *decoded(line)) for where, line in lines]
    whole, fault = decoded(text)
    if not lines:
        yield "", None, "the file is empty; it should hold an exported round, or one on each line"
    elif fault and len(lines) > 1 and any(isinstance(document, dict) for _, document, _ in found):
        yield from found
    else:
        yield "", whole, fault


def decoded(text: str) -> tuple[Any, str]:
    """Return the parsed JSON, or why it cannot be parsed."""
    try:
        return json.loads(text), ""
    except (ValueError, RecursionError) as error:
        return None, f"this is not valid JSON, or it is truncated: {error}"


def judged(text: str, own: list[list[str]]) -> Iterator[tuple[bool, str]]:
    """Check every round of a file and the seats' own texts; yield whether it holds, and a message."""
    for where, document, fault in read(text):
        wrong = [fault] if fault else verify(document)
        if not wrong:
            wrong = [
                f"{text!r} of seat {seat} was not mixed in" for seat, text in own if not mixed(document, seat, text)
            ]
        yield from ((False, where + one) for one in wrong)
        if not wrong:
            test = "" if document["script"] is None else "; a test round in a scripted order"
            yield True, f"round {document['round']}, {len(document['cards'])} cards{test}"


def main(arguments: list[str]) -> int:
    """Check the named files, or standard input, and print the findings; return 0 only where everything holds."""
    code = 0
    own = [one.split("=", 2)[1:] for one in arguments if one.startswith("--seed=") and one.count("=") > 1]
    for name in [one for one in arguments if not one.startswith("--seed=")] or ["-"]:
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            findings = list(judged(data.decode("utf-8"), own))
        except (OSError, UnicodeDecodeError) as error:
            findings = [(False, f"{name} cannot be read: {error}")]
        for holds, what in findings:
            code = code if holds else 1
            sys.stdout.write(f"{'ok  ' if holds else 'FAIL'}  {what}\n")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
