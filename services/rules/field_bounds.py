"""What a field of a request must be, in words for players, from the bounds in a refusal's metadata."""

from typing import Final

from services.rules.refusals import Refused
from services.rules.text import Text

_NUMBER: Final = Text(
    "must be from {least} to {greatest}", "必須介於 {least} 與 {greatest} 之間", "必须介于 {least} 与 {greatest} 之间"
)
_CHARACTERS: Final = Text(
    "must have {least} to {greatest} printable characters",
    "須為 {least} 至 {greatest} 個可顯示的字元",
    "须为 {least} 至 {greatest} 个可显示的字符",
)


def of_field(refusal: Refused, path: str) -> Text | None:
    """Return what one field must be; None where its bounds are not known."""
    for form, unit in ((_NUMBER, ""), (_CHARACTERS, "_characters")):
        least = refusal.metadata.get(f"{path}_least{unit}")
        greatest = refusal.metadata.get(f"{path}_greatest{unit}")
        if least is not None and greatest is not None:
            return form.filled(least=least, greatest=greatest)
    return None


def of_all(refusal: Refused) -> Text | None:
    """Return one sentence with what each bounded field must be; None where there is none."""
    found = [(path, text) for path, _ in refusal.fields if (text := of_field(refusal, path)) is not None]
    if not found:
        return None
    return Text(
        "; ".join(f"{path} {text.en}" for path, text in found) + ".",
        "；".join(f"{path} {text.zh_hant}" for path, text in found) + "。",
        "；".join(f"{path} {text.zh_hans}" for path, text in found) + "。",
    )
