// The ring of time around the seat that is to act: the only thing that moves while nobody does anything.

import { useEffect, useState } from "preact/hooks";

import type { Left } from "./time.js";
import type { Words } from "./words.js";

const SLOW_MS = 1000;
const QUICK_MS = 100;
const HURRY_MS = 5000;

interface RingProps {
  readonly left: () => Left | undefined;
  readonly still: boolean;
  readonly words: Words;
}

/** Draw what is left of the turn as a ring, and as seconds. */
export function Ring({ left, still, words }: RingProps) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => { tick((count) => count + 1); }, still ? SLOW_MS : QUICK_MS);
    return () => { clearInterval(timer); };
  }, [still]);
  const now = left();
  if (now === undefined || now.wholeMs <= 0) return <div class="ring" aria-hidden="true" />;
  const percent = Math.round((1000 * now.leftMs) / now.wholeMs) / 10;
  return (
    <>
      <div class="ring" aria-hidden="true" style={{ "--left": `${percent}%` }} data-hurry={now.leftMs < HURRY_MS} data-bank={now.leftMs <= now.bankMs} />
      <span class="seconds" role="timer" aria-label={words.own("seconds")}>{Math.ceil(now.leftMs / 1000)}</span>
    </>
  );
}

/** Draw the seconds until something starts. */
export function Countdown({ label, left }: { readonly label: string; readonly left: () => number | undefined }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => { tick((count) => count + 1); }, SLOW_MS);
    return () => { clearInterval(timer); };
  }, []);
  const now = left();
  if (now === undefined) return null;
  return <p class="countdown"><span>{label}</span> <b>{`${Math.ceil(now / 1000)} s`}</b></p>;
}
