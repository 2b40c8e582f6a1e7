"""The console's script and style sheet as the page's build made them, and the Chinese fonts of the web page."""

from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from services.runtime import built_files
from services.runtime.settings import PREFIX, SettingsRefused

FOLDER: Final = Path(__file__).parent / "dist"
NAMES: Final = frozenset({"console.js", "console.css"})
FONTS: Final = ("font-*.css", "noto-sans-*.woff2", "noto-sans-*-licence.txt")
"""Style sheets of fonts, their slices and licences: a browser loads the slices whose letters it shows."""


class Assets:
    """The files in memory; ``paths`` are their addresses by the names that templates use."""

    def __init__(self, folder: Path, page_folder: Path) -> None:
        """Read the console's files, and the fonts of the web page where its folder has them. Raises SettingsRefused."""
        own = built_files.read_hashed(folder, "*")
        if missing := sorted(NAMES - own.keys()):
            raise SettingsRefused(
                f"{folder} lacks {', '.join(missing)}; build them with `make page`, or name their folder in"
                f" {PREFIX}CONSOLE_FOLDER"
            )
        found = [own[name] for name in sorted(NAMES)]
        for pattern in FONTS:
            fonts = built_files.read_hashed(page_folder, pattern)
            found += fonts.values()
            own.update(fonts)
        self.paths: dict[str, str] = {name: f"/assets/{built}" for name, (built, _) in own.items()}
        self._files = dict(found)

    async def file(self, request: Request) -> Response:
        """Return a file."""
        found = self._files.get(request.path_params["name"])
        if found is None:
            return Response(status_code=404)
        encoding, body = found.form(request.headers.get("accept-encoding", ""))
        headers = {"content-type": found.kind, "cache-control": found.keep, "vary": "accept-encoding"}
        return Response(body, headers=headers | ({"content-encoding": encoding} if encoding else {}))
