// The choice of two or four colours of suits; it is kept in this browser.

import { useState } from "preact/hooks";

import type { Words } from "./words.js";

const KEY = "pitboss.suits";

/** Return whether suits have four colours, and what changes it. */
export function useSuits(): readonly [boolean, () => void] {
  const [four, setFour] = useState(() => kept() === "four");
  return [four, () => {
    setFour(!four);
    try {
      localStorage.setItem(KEY, four ? "two" : "four");
    } catch {
      // A browser that keeps nothing forgets the choice.
    }
  }];
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function SuitsButton({ four, onToggle, words }: { four: boolean; onToggle: () => void; words: Words }) {
  return (
    <button type="button" class="act quiet suits" aria-pressed={four} onClick={onToggle}>
      <span aria-hidden="true"><span class="suit-mark s">♠</span><span class="suit-mark h">♥</span><span class="suit-mark d">♦</span><span class="suit-mark c">♣</span></span>
      <span class="heard">{words.own("fourColours")}</span>
    </button>
  );
}
