// Asks the house for the proofs of the cards that were seen in the running or the last round.

import { Code, type House, Refused } from "@pitboss/client/web";

import type { Proof } from "./proof.js";
import type { RoundRecord } from "./record.js";

/** Proofs of a round; `gone`: the house gives none of this round any more. */
export interface Proofs {
  readonly proofs: readonly Proof[];
  readonly gone: boolean;
}

/** Ask for the proof of each card, one after the other. Throws `Refused` where the house does not answer. */
export async function askProofs(house: House, record: RoundRecord): Promise<Proofs> {
  const cards = new Set([...record.seen.map((one) => one.card), ...record.faces]);
  const proofs: Proof[] = [];
  for (const card of cards) {
    try {
      proofs.push(await house.cardProof(record.table, BigInt(record.round), card));
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      if (thrown.code === Code.NotFound) return { proofs, gone: true };
      if (thrown.code !== Code.PermissionDenied) throw thrown;
      // A card in sight that no place of the deck accounts for stays without a proof.
    }
  }
  return { proofs, gone: false };
}
