// The tables of a watched lobby, kept up to date by the messages of `WatchLobby`.

import type { WatchLobbyResponse } from "./gen/pitboss/v1/dealer_pb.js";
import type { TableSummary } from "./gen/pitboss/v1/table_pb.js";

/** The open tables that fit a filter, by id; `truncated` if more fit than are shown. */
export class Lobby {
  readonly tables = new Map<string, TableSummary>();
  truncated = false;

  /** Take over a message. Returns whether the state is whole, so that it may be shown. */
  take(message: WatchLobbyResponse): boolean {
    if (message.complete) this.tables.clear();
    for (const table of [...message.added, ...message.changed]) this.tables.set(table.tableId, table);
    for (const id of message.gone) this.tables.delete(id);
    this.truncated = message.truncated;
    return !message.continues;
  }
}
