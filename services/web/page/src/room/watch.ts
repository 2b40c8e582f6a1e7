// A table as it is watched: the newest view, the last events, the game's words, and how the line stands.

import type { GetGameResponse, TableEvent, TableView } from "@pitboss/client/web";
import { TableState } from "@pitboss/client/web";
import { useEffect, useState } from "preact/hooks";

import { useSite } from "../app/site.js";
import { keeperOf } from "../fairness/keeper.js";
import { type Link, MOST_EVENTS } from "../table/props.js";
import { millis } from "../words/moments.js";

export interface Watched {
  readonly view: TableView;
  readonly events: readonly TableEvent[];
  readonly described: GetGameResponse;
  readonly clockOffsetMs: number;
  readonly link: Link;
}

/** Watch a table. Returns undefined until it is there, and what it was refused with. `tries` asks anew. */
export function useTable(tableId: string, tries: number): { watched: Watched | undefined; refused: unknown } {
  const { house } = useSite();
  const [watched, setWatched] = useState<Watched>();
  const [refused, setRefused] = useState<unknown>();
  const [plugs, setPlugs] = useState(0);
  useEffect(() => {
    const end = new AbortController();
    const setLink = (isLive: boolean): void => {
      setWatched((before) => before && { ...before, link: isLive ? "live" : "away" });
    };
    const unplugged = (): void => {
      setLink(false);
    };
    const plugged = (): void => {
      setPlugs((before) => before + 1); // a line that was cut may not notice it for a while: watch anew
    };
    const options = { signal: end.signal, patienceMs: Infinity, onLink: setLink };
    const follow = async (): Promise<void> => {
      let described: GetGameResponse | undefined;
      let version = -1;
      for await (const { view, events } of house.watch(tableId, options)) {
        if (view?.table === undefined) continue;
        keeperOf(tableId).note(view, events); // also those that come faster than they are drawn
        if (described === undefined || version !== view.table.rulesVersion) {
          described = await house.describe(view.table.game, view.houseRules, view.table.rulesVersion);
          version = view.table.rulesVersion;
        }
        const known = described;
        const clock = view.clock?.serverTime;
        const link: Link = view.table.state === TableState.CLOSED ? "still" : "live";
        setWatched((before) => ({
          view,
          events: [...(before?.events ?? []), ...events].slice(-MOST_EVENTS),
          described: known,
          clockOffsetMs: clock === undefined ? (before?.clockOffsetMs ?? 0) : millis(clock) - Date.now(),
          link,
        }));
        if (link === "still") return;
      }
    };
    setRefused(undefined);
    addEventListener("offline", unplugged);
    addEventListener("online", plugged);
    follow().catch((thrown: unknown) => {
      if (!end.signal.aborted) setRefused(thrown);
    });
    return () => {
      removeEventListener("offline", unplugged);
      removeEventListener("online", plugged);
      end.abort();
    };
  }, [house, tableId, tries, plugs]);
  return { watched, refused };
}
