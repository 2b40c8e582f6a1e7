"""Whether the server's WAL archive works; without it there is no point-in-time recovery."""

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
    """The columns of ``QUERY``: whether archiving is on and failed last, the two files, and the last one's time."""

    on: bool
    failed: bool
    failed_file: str
    file: str
    at: str

    @property
    def failing(self) -> bool:
        """Whether archiving is on and its last attempt failed."""
        return self.on and self.failed

    def words(self) -> str:
        """Return the state of archiving in words."""
        if not self.on:
            return "off: the house cannot be restored to a moment (docs/recovery.md)"
        last = f"the last one archived is {self.file}, at {self.at}" if self.file else "none was archived yet"
        if self.failed:
            return f"{self.failed_file} was not archived, and is tried again ({last}); the server's log says why"
        return f"on; {last}"
