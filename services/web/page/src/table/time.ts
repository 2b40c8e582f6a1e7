// What is left of a turn by the house's clock.

import type { TableView } from "@pitboss/client/web";

/** Milliseconds of a protobuf timestamp. */
export function millis(at: { readonly seconds: bigint; readonly nanos: number } | undefined): number | undefined {
  return at === undefined ? undefined : Number(at.seconds) * 1000 + at.nanos / 1e6;
}

export interface Left {
  readonly leftMs: number;
  readonly wholeMs: number;
  /** The part of the rest that is spent from the time bank. */
  readonly bankMs: number;
}

/** Return what is left of the current turn at a moment of the house; undefined where no clock runs. */
export function turnLeft(view: TableView, nowMs: number): Left | undefined {
  const end = millis(view.round?.deadlineTime);
  if (end === undefined || view.round === undefined) return undefined;
  const wholeMs = Number(view.round.turnMs);
  return { leftMs: Math.min(Math.max(0, end - nowMs), wholeMs), wholeMs, bankMs: Number(view.round.timeBankMs) };
}

/** Return milliseconds until the house starts the next round; undefined where it does not. */
export function startLeft(view: TableView, nowMs: number): number | undefined {
  if (view.table?.switchedOff) return undefined;
  const start = millis(view.startTime);
  return start === undefined ? undefined : Math.max(0, start - nowMs);
}
