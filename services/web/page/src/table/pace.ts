// Views at a pace that people can follow: one after the other, and at once where too many wait.

import type { TableView } from "@pitboss/client/web";
import { useEffect, useRef, useState } from "preact/hooks";

import type { TableProps } from "./props.js";

export const PACE_MS = 350;
/** With more views than these the table shows the newest one at once. */
export const MOST_WAITING = 3;

/** Return the views that still wait when a newer one arrives: those of one round in order, or the newest alone. */
export function queued(waiting: readonly TableView[], newest: TableView): readonly TableView[] {
  const last = waiting.at(-1);
  if (last?.version === newest.version) return [...waiting.slice(0, -1), newest];
  return waiting.length >= MOST_WAITING ? [newest] : [...waiting, newest];
}

/** Return whether the views of a table are shown one after the other: not where claims are raced for. */
export function isPaced(props: TableProps): boolean {
  return props.link === "live" && !props.still && props.view.table?.family !== "survival" && !document.hidden;
}

/** Return the table's properties with the view that is to be shown now; while newer ones wait it has no options. */
export function usePaced(props: TableProps): TableProps {
  const paced = isPaced(props);
  const [shown, setShown] = useState(props.view);
  const waiting = useRef<readonly TableView[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const later = (): void => {
      const [next, ...rest] = waiting.current;
      waiting.current = rest;
      timer.current = next === undefined ? undefined : setTimeout(later, PACE_MS);
      if (next !== undefined) setShown(next);
    };
    waiting.current = queued(waiting.current, props.view);
    if (timer.current === undefined) later();
  }, [props.view]);
  useEffect(() => () => { clearTimeout(timer.current); }, []);
  const same = shown.version === props.view.version || shown.table?.tableId !== props.view.table?.tableId;
  if (!paced || same) return props;
  const { round } = shown;
  const view = round === undefined ? shown : { ...shown, round: { ...round, options: [] } };
  return { ...props, view, events: props.events.filter((one) => one.version <= shown.version) };
}
