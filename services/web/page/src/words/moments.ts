// Moments as people read them: relative below an hour, else as the clock shows them.

import type { Language } from "./language.js";

/** A moment as the house sends it: seconds and nanoseconds since 1970. */
export interface Stamp {
  readonly seconds: bigint;
  readonly nanos: number;
}

const HOUR_S = 3_600;

/** Return the milliseconds since 1970. */
export function millis(stamp: Stamp): number {
  return Number(stamp.seconds) * 1000 + stamp.nanos / 1e6;
}

/** Return a moment: `5 minutes ago`, or date and time. */
export function moment(stamp: Stamp | undefined, language: Language): string {
  if (stamp === undefined) return "";
  const agoS = Math.round((Date.now() - millis(stamp)) / 1000);
  if (Math.abs(agoS) >= HOUR_S) {
    return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(millis(stamp));
  }
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  return Math.abs(agoS) < 60 ? relative.format(-agoS, "second") : relative.format(-Math.round(agoS / 60), "minute");
}

/** Return a moment with its date, its time and the zone. */
export function momentWhole(stamp: Stamp | undefined, language: Language): string {
  if (stamp === undefined) return "";
  return new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "long" }).format(millis(stamp));
}
