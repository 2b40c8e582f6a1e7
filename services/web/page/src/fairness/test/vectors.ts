// What the house itself computed, written by `tests/web/test_fairness_page.py`.

import { readFileSync } from "node:fs";

import type { Document } from "../deck.js";
import type { Proof } from "../proof.js";

export interface Vectors {
  readonly houseSeed: string;
  readonly commitment: string;
  readonly table: string;
  readonly round: number;
  readonly texts: Readonly<Record<string, string>>;
  readonly digests: Readonly<Record<string, string>>;
  readonly roundSeed: string;
  readonly stocks: readonly {
    readonly stock: number;
    readonly pack: readonly string[];
    readonly order: readonly string[];
    readonly root: string;
    readonly proofs: readonly Proof[];
  }[];
  readonly document: Document;
  readonly scripted: Document;
}

export const vectors = JSON.parse(readFileSync(process.env["PITBOSS_VECTORS"] ?? "", "utf8")) as Vectors;
