// How the table stands, in one line: the line is cut, it is closed, it waits for others, the next round is near.

import { RoundState, SeatState, type TableView } from "@pitboss/client/web";
import { useEffect, useState } from "preact/hooks";

import { useSite } from "../app/site.js";
import type { Link } from "../table/props.js";
import { chips, say } from "../words/language.js";
import { millis } from "../words/moments.js";

const TICK_MS = 250;

/** Return the seconds until a moment by the house's clock; undefined where there is none. */
function useSecondsTo(atMs: number | undefined, clockOffsetMs: number): number | undefined {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (atMs === undefined) return undefined;
    const timer = setInterval(() => {
      setNow(Date.now());
    }, TICK_MS);
    return () => {
      clearInterval(timer);
    };
  }, [atMs]);
  return atMs === undefined ? undefined : Math.max(0, Math.ceil((atMs - now - clockOffsetMs) / 1000));
}

/** Say how the table stands. The place is reserved, so that nothing jumps. */
export function Standing({ view, link, clockOffsetMs }: { view: TableView; link: Link; clockOffsetMs: number }) {
  const { words, language } = useSite();
  const startMs = view.startTime === undefined ? undefined : millis(view.startTime);
  const seconds = useSecondsTo(startMs, clockOffsetMs);
  const isRunning = view.round?.state === RoundState.RUNNING;
  const own = view.seats.find((one) => one.seat === view.ownSeat);
  const text = (): string => {
    if (link === "away") return words.away;
    if (link === "still") return words.tableClosed;
    if (view.table?.switchedOff) return words.switchedOff;
    if (own?.leaving) return words.leaveAfter;
    if (isRunning) return own === undefined ? words.watching : "";
    if (seconds !== undefined) return words.startsIn(chips(seconds, language));
    if (own?.state === SeatState.READY) {
      return view.table?.test && !view.table.private ? `${words.needsOthers} ${words.helpers}` : words.needsOthers;
    }
    return own === undefined ? words.watching : "";
  };
  return (
    <div class={link === "live" ? "standing" : `standing ${link}`}>
      <p role="status">{text()}</p>
      {view.table?.notice && <p class="muted">{say(view.table.notice, language)}</p>}
      {link === "still" && <a class="button" href="/">{words.backToLobby}</a>}
    </div>
  );
}
