"""The tables of a watched lobby, kept up to date by the messages of ``WatchLobby``."""

from pitboss.v1 import dealer_pb2, table_pb2


class Lobby:
    """The open tables that fit a filter, by id; ``truncated`` if more fit than are shown."""

    def __init__(self) -> None:
        self.tables: dict[str, table_pb2.TableSummary] = {}
        self.truncated = False

    def take(self, message: dealer_pb2.WatchLobbyResponse) -> bool:
        """Take over a message. Returns whether the state is whole, so that it may be shown."""
        if message.complete:
            self.tables.clear()
        for table in (*message.added, *message.changed):
            self.tables[table.table_id] = table
        for table_id in message.gone:
            self.tables.pop(table_id, None)
        self.truncated = message.truncated
        return not message.continues
