// The open tables, kept up to date by a stream.

import type { TableSummary } from "@pitboss/client/web";
import { useEffect, useState } from "preact/hooks";

import { useSite } from "../app/site.js";

export interface OpenTables {
  readonly list: readonly TableSummary[];
  readonly isTruncated: boolean;
  /** Whether the house has told them. */
  readonly isThere: boolean;
  readonly isAway: boolean;
  readonly refused: unknown;
}

const NONE: OpenTables = { list: [], isTruncated: false, isThere: false, isAway: false, refused: undefined };

/** Return the open tables of a game, or of all. Visitors with play money see test tables alone, others never. */
export function useTables(game = ""): OpenTables {
  const { house, visitor } = useSite();
  const [tables, setTables] = useState(NONE);
  useEffect(() => {
    const end = new AbortController();
    const options = {
      signal: end.signal,
      patienceMs: Infinity,
      onLink: (live: boolean): void => {
        setTables((before) => ({ ...before, isAway: !live }));
      },
    };
    const follow = async (): Promise<void> => {
      for await (const lobby of house.watchLobby({ game, includeTest: visitor.test }, options)) {
        const list = [...lobby.tables.values()].filter((table) => table.test === visitor.test);
        setTables({ list, isTruncated: lobby.truncated, isThere: true, isAway: false, refused: undefined });
      }
    };
    follow().catch((thrown: unknown) => {
      if (!end.signal.aborted) setTables((before) => ({ ...before, refused: thrown }));
    });
    return () => {
      end.abort();
    };
  }, [house, visitor.test, game]);
  return tables;
}
