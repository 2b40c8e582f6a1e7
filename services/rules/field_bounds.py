"""What a field of a request must be, in words for players, from the bounds in a refusal's metadata."""

from collections.abc import Mapping
from typing import Final

from services.rules.refusals import Reason, Refused
from services.rules.text import Text

_FORMS: Final[tuple[tuple[Mapping[str, str], Text], ...]] = (
    (
        {"least": "least", "greatest": "greatest"},
        Text(
            "must be from {least} to {greatest}",
            "必須介於 {least} 與 {greatest} 之間",
            "必须介于 {least} 与 {greatest} 之间",
        ),
    ),
    ({"least": "least"}, Text("must be at least {least}", "至少須為 {least}", "至少须为 {least}")),
    ({"greatest": "greatest"}, Text("must be at most {greatest}", "最多可為 {greatest}", "最多可为 {greatest}")),
    (
        {"least": "least_characters", "greatest": "greatest_characters"},
        Text(
            "must have {least} to {greatest} printable characters",
            "須為 {least} 至 {greatest} 個可顯示的字元",
            "须为 {least} 至 {greatest} 个可显示的字符",
        ),
    ),
    (
        {"least": "least_capitals", "greatest": "greatest_capitals"},
        Text(
            "must have {least} to {greatest} capital letters",
            "須為 {least} 至 {greatest} 個大寫字母",
            "须为 {least} 至 {greatest} 个大写字母",
        ),
    ),
    (
        {"greatest": "greatest_entries"},
        Text("may have {greatest} entries at most", "最多可有 {greatest} 項", "最多可有 {greatest} 项"),
    ),
    (
        {"choices": "choices"},
        Text("must be one of {choices}", "必須是下列之一：{choices}", "必须是下列之一：{choices}"),
    ),
    (
        {"earliest": "earliest", "latest": "latest"},
        Text(
            "must be a moment from {earliest} to {latest}",
            "必須介於 {earliest} 與 {latest} 之間",
            "必须介于 {earliest} 与 {latest} 之间",
        ),
    ),
    (
        {"without": "without"},
        Text("may not hold the character {without}", "不可含有字元 {without}", "不可含有字符 {without}"),
    ),
)
"""The ends of the metadata's keys that say what a field must be, by their places in the words; the fuller first."""
LONGEST_PATH: Final = 60
"""Characters of the path of a field that players read of."""
_WRONG: Final = Text("is not valid", "的內容無效", "的内容无效")


def of_field(refusal: Refused, path: str) -> Text | None:
    """Return what one field must be; None where its bounds are not known."""
    for ends, form in _FORMS:
        found = {place: refusal.metadata.get(f"{path}_{end}") for place, end in ends.items()}
        if all(value is not None for value in found.values()):
            return form.filled(**{place: readable(end, str(found[place])) for place, end in ends.items()})
    return None


def readable(end: str, value: str) -> str:
    """Return a value as people read it: moments with their zone as a word, words of a list with spaces between.

    >>> readable("latest", "2026-11-30T21:45:05Z")
    '2026-11-30 21:45:05 UTC'
    """
    if end in ("earliest", "latest", "until"):
        return value.replace("T", " ").removesuffix("Z") + " UTC"
    return ", ".join(value.split(",")) if end == "choices" else value


def of_all(refusal: Refused) -> Text | None:
    """Return one sentence with what each bounded field must be; None where there is none.

    Of a request that is not valid every wrong field is named, also one of which it is not known what it must be.
    """
    otherwise = _WRONG if refusal.reason is Reason.INVALID_ARGUMENT else None
    paths = [path for path, _ in refusal.fields if len(path) <= LONGEST_PATH]
    told = [(path, refusal.field_texts.get(path) or of_field(refusal, path) or otherwise) for path in paths]
    found = [(path, text) for path, text in told if text is not None]
    if not found:
        return None
    return Text(
        "; ".join(f"{path} {text.en}" for path, text in found) + ".",
        "；".join(f"{path} {text.zh_hant}" for path, text in found) + "。",
        "；".join(f"{path} {text.zh_hans}" for path, text in found) + "。",
    )
