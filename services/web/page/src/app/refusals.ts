// What is said of a call that the house has refused, or that it did not answer.

import { Refused } from "@pitboss/client/web";

import type { Words } from "../words/index.js";

const UNANSWERED: ReadonlySet<string> = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED", "SHUTTING_DOWN"]);

/** Return the refusal's own text with what is wrong in which field, or what can be said without one. */
export function told(thrown: unknown, words: Words): string {
  if (!(thrown instanceof Refused)) return words.failed;
  const fields = Object.values(thrown.fieldTexts).filter((one) => !thrown.text.includes(one));
  const text = [thrown.text, ...fields].filter(Boolean).join(" ");
  return text || (UNANSWERED.has(thrown.reason) ? words.unreached : words.failed);
}

/** Return the reason of a refusal; empty for anything else. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Refused ? thrown.reason : "";
}
