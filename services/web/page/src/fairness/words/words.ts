// What the page says of fairness: one text for each rule and each finding, so that none can be forgotten.

import type { Reason, Rule, State, Step } from "../check.js";

/** What a finding names; cards are written as people read them. */
export type Found = Pick<Step, "card" | "expected" | "stock" | "position" | "count" | "of">;

export interface FairnessWords {
  readonly title: string;
  /** The line when everything holds; `known`: the commitment was seen before the viewer's own seed was taken. */
  readonly good: (known: boolean, count: number) => string;
  readonly open: (count: number) => string;
  readonly bad: (why: string) => string;
  readonly states: Readonly<Record<State, string>>;
  readonly checking: string;
  readonly check: string;
  readonly again: string;
  readonly where: string;
  /** What is kept of a round is lost with the page. */
  readonly notStored: string;
  readonly cannotHash: string;
  readonly noProof: string;
  readonly file: string;
  readonly fileHow: string;
  readonly seed: string;
  readonly seedHow: string;
  readonly seedSend: string;
  readonly seedRandom: string;
  readonly seedDone: (text: string) => string;
  readonly value: string;
  readonly rules: Readonly<Record<Rule, string>>;
  readonly reasons: Readonly<Record<Reason, (found: Found) => string>>;
}
