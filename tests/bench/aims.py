"""Aims of figures: whether each is met, judged only where the machine does nothing else."""

import re
import time
from pathlib import Path
from typing import Final

import psutil

QUIET_LOAD: Final = 1.5
"""Load above which no figure is judged."""
LOOKS: Final = 25
LOOK_SECONDS: Final = 0.04

Line = tuple[str, str, str, str, str]
"""What was measured, ours, what stands beside it, the ratio, and the aim: ``0.5``, ``at most 1.1``, or empty."""

_NUMBER: Final = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")


def load() -> float:
    """Return how many tasks of other programs run or wait for a core now, which takes a second.

    It is what a load average is the average of; the average itself holds what a bench has just done.
    """
    seen = []
    for _ in range(LOOKS):
        time.sleep(LOOK_SECONDS)
        try:
            running = Path("/proc/loadavg").read_text(encoding="ascii").split()[3].partition("/")[0]
        except OSError:  # no Linux
            return psutil.getloadavg()[0]
        seen.append(int(running) - 1)  # this process reads it
    return sum(seen) / len(seen)


def number(text: str) -> float | None:
    """Return the first number of a figure such as ``1,234/s``, None where it has none."""
    found = _NUMBER.search(text)
    return None if found is None else float(found[0].replace(",", ""))


def met(line: Line) -> bool | None:
    """Return whether a line meets its aim; None where it has none.

    The aim is compared with the ratio, or with our own figure where nothing stands beside it. An aim without a word is
    the least figure that meets it.
    """
    aim, figure = number(line[4]), number(line[3] or line[1])
    if aim is None or figure is None:
        return None
    return figure <= aim if line[4].startswith("at most") else figure >= aim


def verdict(line: Line, loads: tuple[float, ...]) -> str:
    """Return the word for a line: met, missed, not judged because of the load beside the run, or empty."""
    result = met(line)
    if result is None:
        return ""
    if max(loads) > QUIET_LOAD:
        return f"not judged: load {max(loads):.1f}"
    return "met" if result else "missed"
