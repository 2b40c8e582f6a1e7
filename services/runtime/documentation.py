"""Tables of settings and metrics for the operations page: ``python -m services.runtime.documentation PAGE``.

The page holds each table between ``<!-- settings -->`` and ``<!-- end -->``; with ``--check`` nothing is written and
the exit code shows whether the page is current.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from prometheus_client import Metric

from services.rules import refusal_figures
from services.rules.refusals import Reason
from services.runtime import metrics, reasons, sources, wordings
from services.runtime.settings import PREFIX, Settings


def settings_table() -> str:
    """List every setting: variable, default, meaning."""
    return sources.as_markdown(sources.listing(Settings, PREFIX))


def metrics_table() -> str:
    """List every metric of the house: name as scraped, labels, meaning."""
    rows = ["| metric | kind | labels | meaning |", "|---|---|---|---|"]
    for family in _ours(metrics.REGISTRY.collect()):
        name = family.name + {"counter": "_total", "info": "_info"}.get(family.type, "")
        labels = ", ".join(metrics.LABELS.get(name, ()))
        rows.append(f"| `{name}` | {family.type} | {labels} | {family.documentation} |")
    return "\n".join(rows) + "\n"


def reasons_table() -> str:
    """List every reason for which a call is refused: code, text, and the keys of its metadata."""
    rows = ["| reason | code | text | metadata |", "|---|---|---|---|"]
    rows += [
        f"| `{reason}` | {reasons.CODES[reason].name} | {wordings.TEXTS[reason].en} | {_figures(reason)} |"
        for reason in Reason
    ]
    return "\n".join(rows) + "\n"


def _figures(reason: Reason) -> str:
    """List the keys that a reason's metadata has; "or" stands between sets of which a refusal has one."""
    sets = [", ".join(f"`{key}`" for key in one.keys) for one in refusal_figures.FIGURES.get(reason, ())]
    return " or ".join(sets)


def _ours(families: Iterable[Metric]) -> list[Metric]:
    return [family for family in families if family.name.startswith("pitboss_")]


def filled(page: str) -> str:
    """Return the page with new tables; raise ``ValueError`` if it has no place for one of them."""
    for name, table in (("settings", settings_table), ("metrics", metrics_table), ("reasons", reasons_table)):
        found = re.search(rf"(?<=<!-- {name} -->\n).*?(?=<!-- end -->)", page, re.DOTALL)
        if found is None:
            raise ValueError(f"the page has no place for the {name}: <!-- {name} --> … <!-- end -->")
        page = page[: found.start()] + table() + page[found.end() :]
    return page


def main(arguments: list[str]) -> int:
    """Fill the page, or check it."""
    check = "--check" in arguments
    path = Path(next(argument for argument in arguments if not argument.startswith("-")))
    old = path.read_text(encoding="utf-8")
    new = filled(old)
    if check and old != new:
        sys.stderr.write(f"{path} is out of date; run `make docs`\n")
        return 1
    if not check:
        path.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
