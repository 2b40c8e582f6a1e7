// A past round as frames: what is stepped through. A step without words belongs to the one before it.

import type { PastRound, TableEvent, TableView } from "@pitboss/client/web";

export interface Frame {
  readonly words: readonly string[];
  readonly view: TableView | undefined;
  /** The events up to this frame, oldest first. */
  readonly events: readonly TableEvent[];
}

/** Return a round's frames; a round has at least one where it has a step. */
export function frames(round: PastRound): readonly Frame[] {
  const made: Frame[] = [];
  const events: TableEvent[] = [];
  let isOpening = true;
  for (const step of round.steps) {
    if (step.event !== undefined) events.push(step.event);
    const words = step.words.split("\n").filter((one) => one.trim());
    const before = made.at(-1);
    const view = step.view === undefined ? before?.view : still(step.view);
    if (before !== undefined && (words.length === 0 || isOpening)) {
      made[made.length - 1] = { words: [...before.words, ...words], view, events: [...events] };
    } else {
      made.push({ words, view, events: [...events] });
    }
    isOpening &&= words.length === 0;
  }
  return made;
}

/** Return a view in which nothing can be done: the round is over. */
function still(view: TableView): TableView {
  return view.round === undefined ? view : { ...view, round: { ...view.round, options: [] } };
}

/** Return the step of an address within its bounds: from 0; a text that names none is the first. */
export function stepOf(text: string | undefined, count: number): number {
  const asked = /^\d{1,9}$/.test(text ?? "") ? Number(text) : 1;
  return Math.max(0, Math.min(asked, count) - 1);
}

/** Return the step that a key leads to; undefined for another key. */
export function stepFor(key: string, step: number, count: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, step - 1);
    case "ArrowRight":
      return Math.min(count - 1, step + 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
