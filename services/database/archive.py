"""Whether the server's archive of changes (WAL), without which there is no restore to a moment, gets what it needs."""

from typing import Final

import msgspec

QUERY: Final = """
SELECT current_setting('archive_mode') <> 'off',
    coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false),
    coalesce(last_failed_wal, ''), coalesce(last_archived_wal, ''),
    coalesce(to_char(last_archived_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '')
FROM pg_stat_archiver
"""


class Archiving(msgspec.Struct, frozen=True):
    """The columns of ``QUERY``: whether it is on, and failed last; the files, and when the last one was archived."""

    on: bool
    failed: bool
    failed_file: str
    file: str
    at: str

    @property
    def failing(self) -> bool:
        """Whether changes wait for an archive that does not take them."""
        return self.on and self.failed

    def words(self) -> str:
        """Say how it stands."""
        if not self.on:
            return "off: the house cannot be restored to a moment (docs/recovery.md)"
        last = f"the last one archived is {self.file}, at {self.at}" if self.file else "none was archived yet"
        if self.failed:
            return f"{self.failed_file} was not archived, and is tried again ({last}); the server's log says why"
        return f"on; {last}"
