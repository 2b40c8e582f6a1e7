"""Built files in memory, of the web page and of the console: each with its type, its life in caches, and its forms."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from services.runtime.settings import PREFIX, SettingsRefused

PAGE_FOLDER: Final = Path(__file__).parents[1] / "web" / "page" / "dist"
"""Where the build puts the web page, with the fonts that the console shares."""
INDEX: Final = "index.html"
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
}
NAMED_BY_CONTENT: Final = "public, max-age=31536000, immutable"
ASKED_EACH_TIME: Final = "no-cache"
_HASHED: Final = re.compile(r"-[A-Z0-9]{8}$")
"""How the build names a file by its content."""
_ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}


class File(NamedTuple):
    """A file: its type, how long browsers keep it, and its bytes by encoding ("" for the plain ones)."""

    kind: str
    keep: str
    forms: dict[str, bytes]

    def form(self, accepted: str) -> tuple[str, bytes]:
        """Return the best encoding among those that a browser accepts, and the bytes."""
        wanted = {one.partition(";")[0].strip() for one in accepted.split(",")}
        for encoding in (*_ENCODINGS, ""):
            if encoding in self.forms and (not encoding or encoding in wanted):
                return encoding, self.forms[encoding]
        raise AssertionError("every file has its plain form")


def read(folder: Path) -> dict[str, File]:
    """Read the built page. Return its files by path, such as ``/index.html``. Raises SettingsRefused."""
    if not (folder / INDEX).exists():
        raise SettingsRefused(
            f"there is no built page in {folder}; build it with `make page`, or name its folder in {PREFIX}WEB_FOLDER"
        )
    return {f"/{path.name}": file for path, file in _files(folder, "*")}


def read_hashed(folder: Path, pattern: str) -> dict[str, tuple[str, File]]:
    """Read the files whose names match a pattern. Return, by the name before the build, their built name and file."""
    return {f"{_HASHED.sub('', path.stem)}{path.suffix}": (path.name, file) for path, file in _files(folder, pattern)}


def _files(folder: Path, pattern: str) -> Iterator[tuple[Path, File]]:
    for path in sorted(folder.glob(pattern)):
        if (kind := TYPES.get(path.suffix)) is None:
            continue
        forms = {"": path.read_bytes()}
        for encoding, suffix in _ENCODINGS.items():
            if (compressed := path.with_name(path.name + suffix)).exists():
                forms[encoding] = compressed.read_bytes()
        keep = NAMED_BY_CONTENT if _HASHED.search(path.stem) else ASKED_EACH_TIME
        yield path, File(kind, keep, forms)
