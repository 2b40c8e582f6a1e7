"""Faults of house rules: the key, what would be right, as text for people and as values for machines."""

from collections.abc import Collection
from typing import Final

import msgspec

from services.rules.text import Text

Amount = int | float
LONGEST_WORD: Final = 40
"""Characters of an unknown word that are repeated."""


class Fault(msgspec.Struct, frozen=True):
    """A house rule outside its limits.

    ``message`` is for logs and developers, ``text`` for players. ``least``, ``greatest`` and ``choices`` are what the
    key takes, where that is a range or a list of words.
    """

    field: str
    message: str
    text: Text | None = None
    least: Amount | None = None
    greatest: Amount | None = None
    choices: tuple[str, ...] = ()


def out_of_range(
    key: str, value: Amount, least: Amount, greatest: Amount, *, step: Amount = 1, zero: Text | None = None
) -> Fault:
    """Return the fault of a number; ``zero``: what 0 means where it is accepted besides the range."""
    if least == greatest:
        right = Text(f"it must be {least}", f"必須是 {least}", f"必须是 {least}")
    else:
        right = Text(
            f"it must be from {least} to {greatest}",
            f"必須介於 {least} 與 {greatest} 之間",
            f"必须介于 {least} 与 {greatest} 之间",
        )
    if step != 1:
        right = _joined(right, Text(f", a multiple of {step}", f"，且為 {step} 的倍數", f"，且为 {step} 的倍数"))
    if zero is not None and least > 0:
        right = _joined(right, Text(f", or 0 ({zero.en})", f"，或 0（{zero.zh_hant}）", f"，或 0（{zero.zh_hans}）"))
    return Fault(
        key,
        f"{value} is out of range; {right.en}",
        right,
        least=least,
        greatest=greatest,
    )


def unknown_choice(key: str, value: str, choices: Collection[str]) -> Fault:
    """Return the fault of a word that is not among those that the key takes."""
    listed = ", ".join(choices)
    shown = f"{value[:LONGEST_WORD]}…" if len(value) > LONGEST_WORD else value
    return Fault(
        key,
        f"{shown!r} is not known; it must be one of {listed}",
        Text(f"it must be one of {listed}", f"必須是下列之一：{listed}", f"必须是下列之一：{listed}"),
        choices=tuple(choices),
    )


def fixed_flag(key: str, *, wanted: bool) -> Fault:
    """Return the fault of a flag that this game does not let be changed."""
    word = "true" if wanted else "false"
    return Fault(
        key,
        f"{str(not wanted).lower()} is not possible in this game; leave it {word}",
        Text(f"this game leaves it {word}", f"此遊戲固定為 {word}", f"此游戏固定为 {word}"),
        choices=(word,),
    )


def empty(key: str) -> Fault:
    """Return the fault of a list without a value."""
    return Fault(
        key,
        "the list is empty; name at least one",
        Text("name at least one value", "至少列出一個值", "至少列出一个值"),
    )


def repeated(key: str) -> Fault:
    """Return the fault of a list that holds a value twice."""
    return Fault(
        key,
        "a value stands there twice; name each once",
        Text("name each value once", "每個值只能出現一次", "每个值只能出现一次"),
    )


def missing(key: str) -> Fault:
    """Return the fault of a key that needs a value and has none."""
    return Fault(key, "a value is missing; give one, or leave the key out", Text("give a value", "請輸入", "请输入"))


def _joined(one: Text, other: Text) -> Text:
    return Text(one.en + other.en, one.zh_hant + other.zh_hant, one.zh_hans + other.zh_hans)
