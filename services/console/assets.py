"""The console's script and style sheet, as the page's build made them: named by their content, kept by browsers."""

import re
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from services.runtime.settings import PREFIX, SettingsRefused

FOLDER: Final = Path(__file__).parent / "dist"
NAMES: Final = {"console.js": "text/javascript; charset=utf-8", "console.css": "text/css; charset=utf-8"}
KEPT: Final = "public, max-age=31536000, immutable"
_HASHED: Final = re.compile(r"(\w+)-[A-Z0-9]{8}(\.\w+)")


class Assets:
    """The files in memory; ``paths`` are their addresses by the names that templates use."""

    def __init__(self, folder: Path) -> None:
        self.paths: dict[str, str] = {}
        self._files: dict[str, tuple[str, bytes]] = {}
        for path in sorted(folder.glob("*")):
            hashed = _HASHED.fullmatch(path.name)
            name = "".join(hashed.groups()) if hashed else path.name
            if name in NAMES:
                self.paths[name] = f"/assets/{path.name}"
                self._files[path.name] = NAMES[name], path.read_bytes()
        if missing := sorted(NAMES.keys() - self.paths.keys()):
            raise SettingsRefused(
                f"{folder} lacks {', '.join(missing)}; build them with `make page`, or name their folder in"
                f" {PREFIX}CONSOLE_FOLDER"
            )

    async def file(self, request: Request) -> Response:
        """Return a file."""
        found = self._files.get(request.path_params["name"])
        if found is None:
            return Response(status_code=404)
        kind, body = found
        return Response(body, headers={"content-type": kind, "cache-control": KEPT})
