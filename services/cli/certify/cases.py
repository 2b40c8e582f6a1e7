"""Case files (rules/README, "Cases"): read, checked and brought into one shape.

A case names its players; everywhere else a seat is a number. ``Case`` is the file's document with a single round
written as a list of one.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml

from services.fairness.scripted import Script
from services.rules import cards

_KNOWN = frozenset({"case", "game", "about", "house_rules", "seats", "button", "deck", "play", "expect", "rounds",
                    "expect_state", "dice", "random", "face_up", "reshuffles", "pot_carried", "pool"})  # fmt: skip


class CaseError(ValueError):
    """A case file is not as rules/README says; the message names file, case and key."""


class Step(msgspec.Struct, frozen=True):
    """One step of ``play``: an action (``do``), a passed deadline (``times``), or a void."""

    seat: int | None
    do: str | None
    arguments: dict[str, Any]
    error: str | None
    timeouts: int
    void: str | None

    def __str__(self) -> str:
        """Write the step as a person would say it."""
        if self.void is not None:
            return f"void: {self.void}"
        if self.timeouts:
            return "the deadline passes"
        shown = ", ".join(f"{key}: {value}" for key, value in self.arguments.items())
        return f"seat {self.seat} {self.do}" + (f" {{{shown}}}" if shown else "")


class CaseRound(msgspec.Struct, frozen=True):
    """One round of a case: its chance, its steps, what must come out (``state``: it stops in mid-round)."""

    script: Script
    play: tuple[Step, ...]
    expect: dict[str, Any]
    state: bool


class Case(msgspec.Struct, frozen=True):
    """One case; ``players`` and ``chips`` in seat order, ``extra`` the case keys of the game's own.

    ``drawn_once``: the draws of ``random`` stand once for all rounds, each round going on where the last one ended.
    """

    name: str
    game: str
    about: str
    house_rules: dict[str, Any]
    players: tuple[str, ...]
    chips: tuple[int, ...]
    button: int
    pot: int
    extra: dict[str, Any]
    rounds: tuple[CaseRound, ...]
    drawn_once: bool = False

    def after_draws(self, entry: CaseRound, drawn: int) -> CaseRound:
        """Give a round with the draws that are left after ``drawn`` seats were drawn in earlier ones."""
        if not self.drawn_once:
            return entry
        left = {**entry.script.picks, "seat": entry.script.picks["seat"][drawn:]}
        return msgspec.structs.replace(entry, script=msgspec.structs.replace(entry.script, picks=left))


def load(paths: list[Path]) -> Iterator[Case]:
    """Read the cases of files and folders (all ``*.yaml`` below), in the order of their names. Raises CaseError."""
    for path in paths:
        if not path.exists():
            raise CaseError(f"{path}: there is no such file or folder")
        files = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
        for file in files:
            for document in yaml.safe_load_all(file.read_text(encoding="utf-8")):
                if document is not None:
                    yield read(document, str(file))


def read(document: dict[str, Any], origin: str) -> Case:
    """Bring one document into shape. Raises CaseError."""
    try:
        rounds = document.get("rounds") or [document]
        return Case(
            name=document["case"],
            game=document["game"],
            about=document.get("about", ""),
            house_rules=document.get("house_rules") or {},
            players=tuple(entry["player"] for entry in document["seats"]),
            chips=tuple(entry["chips"] for entry in document["seats"]),
            button=document.get("button", 0),
            pot=document.get("pot_carried", document.get("pool", 0)),
            extra={key: value for key, value in document.items() if key not in _KNOWN},
            rounds=tuple(_round({**document, **entry}) for entry in rounds),
            drawn_once="random" in document
            and bool(document.get("rounds"))
            and not any("random" in entry for entry in rounds),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = f"{origin}: case {document.get('case', '?')!r} is not written as rules/README says: {error!r}"
        raise CaseError(message) from error


def _round(entry: dict[str, Any]) -> CaseRound:
    stocks = [tuple(cards.parse(part)) for part in str(entry.get("deck") or "").split("|")]
    more = entry.get("reshuffles") or []
    stocks += [tuple(cards.parse(part)) for part in ([more] if isinstance(more, str) else more)]
    picks: dict[str, tuple[Any, ...]] = {"seat": tuple(entry.get("random") or ())}
    face_up = entry.get("face_up") or (stocks[0][0] if stocks[0] else None)
    if face_up:
        picks["card"] = (face_up,)
    thrown = entry.get("dice")
    dice = (tuple(thrown),) if thrown else ()
    state = "expect_state" in entry
    return CaseRound(
        script=Script(stocks=tuple(stocks), picks=picks, dice=dice),
        play=tuple(_step(step) for step in entry.get("play") or []),
        expect=(entry["expect_state"] if state else entry.get("expect")) or {},
        state=state,
    )


def _step(step: dict[str, Any]) -> Step:
    taken = {"seat", "do", "error", "timeout", "times", "void", "reason"}
    return Step(
        seat=step.get("seat"),
        do=step.get("do"),
        arguments={key: value for key, value in step.items() if key not in taken},
        error=step.get("error"),
        timeouts=step.get("times", 1) if step.get("timeout") else 0,
        void=str(step.get("reason", "")) if step.get("void") else None,
    )


def seats_for_names(value: Any, players: tuple[str, ...]) -> Any:  # noqa: ANN401 - any value of a case
    """Put seat numbers in place of player names, in values and keys, the way facts are written (keys as text)."""
    if isinstance(value, str):
        return players.index(value) if value in players else value
    if isinstance(value, dict):
        return {
            str(players.index(key)) if key in players else str(key): seats_for_names(entry, players)
            for key, entry in value.items()
        }
    if isinstance(value, list | tuple):
        return [seats_for_names(entry, players) for entry in value]
    return value
