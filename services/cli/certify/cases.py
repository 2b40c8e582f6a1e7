"""Case files [rules "Cases"]: read, checked and brought into one shape.

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

_KNOWN = frozenset(
    {
        "case",
        "game",
        "about",
        "house_rules",
        "rules_version",
        "seats",
        "button",
        "deck",
        "play",
        "expect",
        "rounds",
        "expect_state",
        "dice",
        "random",
        "face_up",
        "reshuffles",
        "pot_carried",
        "pool",
    }
)


class CaseError(ValueError):
    """A case file is invalid; the message is one line that names file, line, case and key."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class Step(msgspec.Struct, frozen=True):
    """One step of ``play``: an action (``do``), a passed deadline (``times``), or a void."""

    seat: int | None
    do: str | None
    arguments: dict[str, Any]
    error: str | None
    timeouts: int
    void: str | None

    def __str__(self) -> str:
        """Return the step in words."""
        if self.void is not None:
            return f"void: {self.void}"
        if self.timeouts:
            return "the deadline passes"
        shown = ", ".join(f"{key}: {value}" for key, value in self.arguments.items())
        return f"seat {self.seat} {self.do}" + (f" {{{shown}}}" if shown else "")


class CaseRound(msgspec.Struct, frozen=True):
    """One round of a case: its chance, its steps and the expected result (``state``: it stops in mid-round)."""

    script: Script
    play: tuple[Step, ...]
    expect: dict[str, Any]
    state: bool


class Case(msgspec.Struct, frozen=True):
    """One case; ``players`` and ``chips`` are in seat order, ``extra`` holds the game's own keys.

    ``drawn_once``: the draws of ``random`` are one list for all rounds; each round continues where the last one ended.
    ``rules_version``: the version of the game that the case is of, None for the newest.
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
    rules_version: int | None = None

    def after_draws(self, entry: CaseRound, drawn: int) -> CaseRound:
        """Return a round with the draws that remain after ``drawn`` seats were drawn in earlier rounds."""
        if not self.drawn_once:
            return entry
        left = {**entry.script.picks, "seat": entry.script.picks["seat"][drawn:]}
        return msgspec.structs.replace(entry, script=msgspec.structs.replace(entry.script, picks=left))


def load(paths: list[Path]) -> Iterator[Case]:
    """Yield the cases of files and folders (all ``*.yaml`` below), in the order of their names. Raises CaseError."""
    for path in paths:
        for file in files(path, "*.yaml"):
            for line, document in _documents(file):
                if document is not None:
                    yield read(document, f"{file}:{line}")


def files(path: Path, pattern: str) -> list[Path]:
    """Yield a file, or the files of a pattern below a folder, in the order of their names. Raises CaseError."""
    if not path.exists():
        raise CaseError(f"{path}: there is no such file or folder")
    return sorted(path.rglob(pattern)) if path.is_dir() else [path]


def _documents(file: Path) -> Iterator[tuple[int, Any]]:
    """Yield a file's documents, each with the line on which it begins. Raises CaseError with file and line."""
    line = 1
    try:
        text = file.read_text(encoding="utf-8")
        loader = yaml.SafeLoader(text)
        while loader.check_node():
            node = loader.get_node()
            assert node is not None, "a document start is followed by a document"
            line = node.start_mark.line + 1
            yield line, loader.construct_document(node)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise CaseError(f"{file}:{line}: this is not valid YAML: {error.reason}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else line
        raise CaseError(f"{file}:{line}: this is not valid YAML: {error.problem or error.context}") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise CaseError(f"{file}:{line}: this is not text in UTF-8: {error.reason}") from error
    except OSError as error:
        raise CaseError(f"{file}: this cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # an invalid date, or nesting without end
        raise CaseError(f"{file}:{line}: this is not valid YAML: {error}") from error


def read(given: Any, origin: str) -> Case:
    """Return the case of one document; ``origin`` is its file and line. Raises CaseError."""
    if not isinstance(given, dict):
        raise CaseError(f"{origin}: this is not a case: a case has the keys case, game, seats, play and expect")
    document: dict[str, Any] = given
    try:
        rounds = document.get("rounds") or [document]
        return Case(
            name=str(document["case"]),
            game=str(document["game"]),
            about=document.get("about", ""),
            house_rules=document.get("house_rules") or {},
            rules_version=document.get("rules_version"),
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
    except KeyError as error:
        raise CaseError(f"{origin}: {_not_written(document)}: it lacks {error}") from error
    except (TypeError, ValueError, AttributeError, LookupError) as error:
        raise CaseError(f"{origin}: {_not_written(document)}: {error}") from error


def _not_written(document: dict[str, Any]) -> str:
    return f"case {str(document.get('case', '?'))[:100]!r} is not written as rules/README says"


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


def seats_for_names(value: Any, players: tuple[str, ...]) -> Any:
    """Replace player names by seat numbers, in values and keys, as in facts (keys as text)."""
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
