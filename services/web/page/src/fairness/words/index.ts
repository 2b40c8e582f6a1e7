// Words of fairness by language, and findings in words.

import type { Language } from "../../words/language.js";
import { type Step, verdict } from "../check.js";
import { en } from "./en.js";
import { hans } from "./hans.js";
import { hant } from "./hant.js";
import type { FairnessWords } from "./words.js";

export type { FairnessWords };

const SIGNS: Readonly<Record<string, string>> = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** Return the words in a language. */
export function fairnessWords(language: Language): FairnessWords {
  return { en, "zh-Hant": hant, "zh-Hans": hans }[language];
}

/** Return a finding as a sentence. */
export function sentence(step: Step, words: FairnessWords): string {
  const named = {
    ...step,
    ...(step.card !== undefined && { card: cardText(step.card) }),
    ...(step.expected !== undefined && { expected: cardText(step.expected) }),
  };
  return words.reasons[step.reason](named);
}

/** Return the one line about a round. */
export function line(steps: readonly Step[], seen: number, words: FairnessWords): string {
  const bad = steps.find((one) => one.state === "bad");
  if (bad !== undefined) return words.bad(sentence(bad, words));
  const unkept = steps.find((one) => one.reason === "rootsUnseen");
  if (unkept !== undefined) return sentence(unkept, words);
  const isSeeded = steps.some((one) => one.reason === "seedIn" || one.reason === "seedTaken");
  return verdict(steps) === "good" ? words.good(isSeeded, seen) : words.open(seen);
}

/** Return a card as people read it: A♠, 10♥; tiles and jokers as the house writes them. */
export function cardText(card: string): string {
  const [rank = "", suit = ""] = card;
  const sign = SIGNS[suit];
  return sign === undefined ? card : `${rank === "T" ? "10" : rank}${sign}`;
}
