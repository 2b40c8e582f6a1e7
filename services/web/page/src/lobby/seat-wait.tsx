// The visitor's wait for a seat at any table of a game: its place, and the seat that is offered.

import type { SeatWait, Text } from "@pitboss/client/web";
import { useEffect, useState } from "preact/hooks";

import { Notice } from "../app/parts.js";
import { go } from "../app/router.js";
import { useSite } from "../app/site.js";
import { chips, say } from "../words/language.js";

/** Show the wait, where there is one. */
export function SeatWaitBar({ names }: { names: ReadonlyMap<string, Text | undefined> }) {
  const { house, words, language, report } = useSite();
  const [wait, setWait] = useState<SeatWait>();
  useEffect(() => {
    const end = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const seen of house.watchWait({ signal: end.signal, patienceMs: Infinity })) setWait(seen);
    };
    follow().catch((thrown: unknown) => {
      if (!end.signal.aborted) report(thrown);
    });
    return () => {
      end.abort();
    };
  }, [house]);
  if (wait === undefined) return null;
  const { offer } = wait;
  return (
    <Notice kind="plain">
      <p>
        <strong>{say(names.get(wait.game), language)}</strong>{" "}
        {offer ? words.seatOffered : words.placeInLine(chips(wait.place, language), chips(wait.waiting, language))}
      </p>
      <p class="row">
        {offer && (
          <button type="button" class="main" onClick={() => { go(`/tables/${offer.tableId}`); }}>
            {words.takeIt}
          </button>
        )}
        <button type="button" onClick={() => { house.stopWaiting().catch(report); }}>
          {words.stopWaiting}
        </button>
      </p>
    </Notice>
  );
}
