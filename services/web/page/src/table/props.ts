// What the page gives to a table's renderer, and what a renderer asks of the page. The page keeps the connection, the
// header above the table and the refusals; everything between is the renderer's.

import type { Action, GetGameResponse, TableEvent, TableView } from "@pitboss/client/web";

import type { Language } from "../words/language.js";

/** How the page stands to the house. */
export type Link =
  /** Views arrive. */
  | "live"
  /** The view stays as it was; the page connects again. */
  | "away"
  /** The table is closed, or a round is replayed: nothing can be done, nothing more arrives. */
  | "still";

/** The viewer. */
export interface Me {
  /** The opaque id, as `Seat.playerId` shows it; empty for a spectator and in a replay. */
  readonly playerId: string;
  /** The viewer's own seat. It stands at the bottom. */
  readonly seat: number | undefined;
}

export interface TableProps {
  /** The newest view. The object changes with each message, also where the version stays. */
  readonly view: TableView;
  /**
   * The last events of this table since the page was opened, oldest first; at most `MOST_EVENTS`. A renderer remembers
   * the version that it has shown and plays those after it; of many at once it shows the end alone.
   */
  readonly events: readonly TableEvent[];
  /** The game's description with the house rules of this table: name, rules and every word in three languages. */
  readonly described: GetGameResponse;
  readonly me: Me;
  readonly language: Language;
  readonly link: Link;
  /** Server time minus this machine's, in milliseconds: `Date.now() + clockOffsetMs` is the house's clock. */
  readonly clockOffsetMs: number;
  /** Whether the wish for less motion is set; then nothing moves. */
  readonly still: boolean;
  /** Act for the own seat. Resolves when the house has accepted it; the page shows a refusal, and resolves too. */
  readonly onAct: (action: Action) => Promise<void>;
  /** Take this free seat; absent where the viewer may not. The page asks for the buy-in. */
  readonly onSit?: (seat: number) => void;
}

export const MOST_EVENTS = 200;
