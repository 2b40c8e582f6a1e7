// The evidence of a past round: what this browser kept of it when it was played, and what the house says of it today.

import type { PastRound } from "@pitboss/client/web";

import type { Evidence } from "../fairness/check.js";
import { type RoundRecord, withEvent, withView } from "../fairness/record.js";

/** Return what can be checked of a past round. A root that `kept` lacks proves nothing by itself. */
export function evidenceOf(kept: RoundRecord, round: PastRound): Evidence {
  let record: RoundRecord = { ...kept, whole: true, ended: true };
  for (const { event, view } of round.steps) {
    if (event !== undefined) record = withEvent(record, event);
    if (view !== undefined) record = withView(record, view);
  }
  const live = new Set(kept.roots.map((one) => one.stock));
  return {
    record,
    unkept: record.roots.map((one) => one.stock).filter((stock) => !live.has(stock)),
    proofs: round.proofs,
    said: { commitment: round.houseCommitment, digest: round.seedDigest },
  };
}
