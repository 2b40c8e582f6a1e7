// The rules that a player can check of a round, each with its finding: good, bad, or why it cannot be said yet.

import type { DeckFault, Dealt, Document } from "./deck.js";
import { type Proof, rootOf } from "./proof.js";
import { placeOf, type RoundRecord, type Seen } from "./record.js";
import { digest } from "./seeds.js";

export type Rule = "commitment" | "seed" | "roots" | "proofs" | "places" | "deck";
export type State = "good" | "bad" | "open";

/** What was found; the page says each in the viewer's language. */
export type Reason =
  | "committed" | "committedUnseen" | "commitmentUnknown" | "commitmentChanged" | "commitmentDiffers"
  | "seedTaken" | "seedIn" | "noSeed" | "seedUnseen" | "digestWrong" | "seedMissing" | "seedLate"
  | "rootsKept" | "rootsUnseen" | "noStocks" | "rootChanged" | "rootDiffers" | "rootMissing"
  | "proven" | "notAsked" | "notAllProven" | "nothingSeen" | "proofBroken" | "proofElsewhere" | "proofSize"
  | "inPlace" | "placesUnknown" | "moved" | "twoCards" | "neverDealt"
  | "deckSealed" | "deckRight" | "deckHidden" | "deckOther" | "deckCommitment" | "deckSeed" | "deckRoot"
  | "deckOrder" | "deckPlace" | "deckCard" | "deckProof" | "deckChance" | "deckUnread";

/** A rule with its finding, and what the words about it name. */
export interface Step {
  readonly rule: Rule;
  readonly state: State;
  readonly reason: Reason;
  readonly card?: string;
  readonly expected?: string;
  readonly stock?: number;
  readonly position?: number;
  readonly count?: number;
  readonly of?: number;
  readonly hash?: string;
}

/** What the house says of an ended round afterwards. */
export interface Said {
  readonly commitment: string;
  /** The digest of the viewer's seed in the log; empty where it gave none. */
  readonly digest: string;
}

/** Everything that is known of a round. */
export interface Evidence {
  readonly record: RoundRecord;
  /** Proofs that the house has given; undefined: none were asked for yet. */
  readonly proofs: readonly Proof[] | undefined;
  readonly said?: Said | undefined;
  /** Stocks whose root the browser did not keep during the round: it is only what the house says afterwards. */
  readonly unkept?: readonly number[] | undefined;
  /** The round's file and what it deals, once the seed may be seen; `unread` for a file that cannot be read. */
  readonly deck?: { readonly document: Document; readonly dealt: Dealt } | "unread" | undefined;
}

/** Check everything. */
export async function checked(evidence: Evidence): Promise<Step[]> {
  return [
    commitmentStep(evidence),
    await seedStep(evidence),
    rootsStep(evidence),
    await proofsStep(evidence),
    placesStep(evidence),
    deckStep(evidence),
  ];
}

/** Return the finding of all rules together: bad if one is; good if every card that was seen is proven in its place. */
export function verdict(steps: readonly Step[]): State {
  if (steps.some((one) => one.state === "bad")) return "bad";
  const needed = steps.filter(({ rule }) => rule === "roots" || rule === "proofs" || rule === "places");
  return needed.length > 0 && needed.every((one) => one.state === "good") ? "good" : "open";
}

function commitmentStep({ record, said }: Evidence): Step {
  const rule = "commitment";
  const [first, ...others] = record.commitments;
  if (first === undefined) {
    if (!said?.commitment) return { rule, state: "open", reason: "commitmentUnknown" };
    return { rule, state: "open", reason: "committedUnseen", hash: said.commitment };
  }
  if (others.length > 0) return { rule, state: "bad", reason: "commitmentChanged", hash: first };
  if (said?.commitment && said.commitment !== first) {
    return { rule, state: "bad", reason: "commitmentDiffers", hash: first };
  }
  return { rule, state: "good", reason: "committed", hash: first };
}

async function seedStep({ record, said }: Evidence): Promise<Step> {
  const rule = "seed";
  const { seed } = record;
  if (seed === undefined && said?.digest) return { rule, state: "open", reason: "seedUnseen", hash: said.digest };
  if (seed === undefined) return { rule, state: "open", reason: "noSeed" };
  const own = await digest(record.table, BigInt(record.round), seed.seat, seed.text);
  if (own !== seed.digest) return { rule, state: "bad", reason: "digestWrong", hash: own };
  if (!record.commitments.includes(seed.commitment)) return { rule, state: "bad", reason: "seedLate" };
  if (said === undefined) return { rule, state: "good", reason: "seedTaken", hash: own };
  if (said.digest !== own) return { rule, state: "bad", reason: "seedMissing", hash: own };
  return { rule, state: "good", reason: "seedIn", hash: own };
}

function rootsStep({ record, deck, unkept }: Evidence): Step {
  const rule = "roots";
  const [changed] = record.changed;
  if (changed !== undefined) return { rule, state: "bad", reason: "rootChanged", stock: changed };
  const known = new Map(record.roots.map((one) => [one.stock, one.root]));
  const without = record.dealt.find(({ stock }) => !known.has(stock));
  if (record.whole && without !== undefined) return { rule, state: "bad", reason: "rootMissing", stock: without.stock };
  const documented = typeof deck === "object" ? deck.document.stocks : [];
  const other = documented.find(({ stock, root }) => known.has(stock) && known.get(stock) !== root);
  if (other !== undefined) return { rule, state: "bad", reason: "rootDiffers", stock: other.stock };
  if (known.size === 0) return { rule, state: "open", reason: "noStocks" };
  const late = unkept?.[0];
  if (late !== undefined) return { rule, state: "open", reason: "rootsUnseen", stock: late };
  return { rule, state: "good", reason: "rootsKept", count: known.size };
}

async function proofsStep({ record, proofs }: Evidence): Promise<Step> {
  const rule = "proofs";
  if (countSeen(record) === 0) return { rule, state: "open", reason: "nothingSeen" };
  if (proofs === undefined) return { rule, state: "open", reason: "notAsked", of: countSeen(record) };
  const roots = new Map(record.roots.map((one) => [one.stock, one]));
  for (const proof of proofs) {
    const { card, stock, position } = proof;
    const at = { rule, state: "bad", card, stock, position } as const;
    const kept = roots.get(stock);
    if (kept !== undefined && kept.size !== proof.size) return { ...at, reason: "proofSize" };
    const found = await rootOf(proof);
    if (found === undefined) return { ...at, reason: "proofBroken" };
    if (found !== kept?.root) return { ...at, reason: "proofElsewhere" };
  }
  const missing = missingOf(record, proofs);
  const of = countSeen(record);
  if (missing > 0) return { rule, state: "open", reason: "notAllProven", count: of - missing, of };
  return { rule, state: "good", reason: "proven", count: proofs.length };
}

function placesStep({ record, proofs }: Evidence): Step {
  const rule = "places";
  const claims = [...record.seen, ...(proofs ?? [])];
  const held = new Map<string, string>();
  for (const { stock, position, card } of claims) {
    const place = placeOf({ stock, position });
    const before = held.get(place);
    if (before !== undefined && before !== card) {
      const isMoved = record.seen.some((one) => placeOf(one) === place && one.card === before);
      const reason: Reason = isMoved && proofs?.some((one) => placeOf(one) === place) ? "moved" : "twoCards";
      return { rule, state: "bad", reason, stock, position, card, expected: before };
    }
    held.set(place, card);
  }
  const dealt = new Set(record.dealt.map(placeOf));
  if (proofs === undefined || proofs.length === 0) return { rule, state: "open", reason: "placesUnknown" };
  const strange = record.whole ? proofs.find((one) => !dealt.has(placeOf(one))) : undefined;
  if (strange !== undefined) {
    const { stock, position, card } = strange;
    return { rule, state: "bad", reason: "neverDealt", stock, position, card };
  }
  const moved = proofs.find((one) => isElsewhere(one, record.seen));
  if (moved !== undefined) {
    const { stock, position, card } = moved;
    return { rule, state: "bad", reason: "moved", stock, position, card };
  }
  return { rule, state: "good", reason: "inPlace", count: proofs.length };
}

/** Return whether a proof moves a card: a pack that holds it once has shown it at another place of the same stock. */
function isElsewhere(proof: Proof, seen: readonly Seen[]): boolean {
  if (proof.size > MOST_OF_ONE_PACK || proof.card.endsWith("t")) return false; // several packs, or tiles
  const same = seen.filter((one) => one.stock === proof.stock && one.card === proof.card);
  return same.length > 0 && same.every((one) => one.position !== proof.position);
}

/** A pack with both jokers; larger stocks hold cards more than once. */
const MOST_OF_ONE_PACK = 54;

function deckStep({ record, deck }: Evidence): Step {
  const rule = "deck";
  if (deck === undefined) return { rule, state: "open", reason: "deckSealed" };
  if (deck === "unread") return { rule, state: "bad", reason: "deckUnread" };
  const { document, dealt } = deck;
  const bad = (reason: Reason, more: Partial<Step> = {}): Step => ({ rule, state: "bad", reason, ...more });
  if (document.table !== record.table || String(document.round) !== record.round) return bad("deckOther");
  const [fault] = dealt.faults;
  if (fault !== undefined) return ofFault(fault);
  if (record.commitments.some((one) => one !== document.house_commitment)) return bad("deckCommitment");
  const { seed } = record;
  if (seed !== undefined && document.player_seeds[String(seed.seat)] !== seed.digest) return bad("deckSeed");
  const roots = new Map(document.stocks.map((one) => [one.stock, one.root]));
  const other = record.roots.find(({ stock, root }) => roots.get(stock) !== root);
  if (other !== undefined) return bad("deckRoot", { stock: other.stock });
  const wrong = record.seen.find(({ stock, position, card }) => dealt.orders.get(stock)?.[position] !== card);
  if (wrong !== undefined) {
    const expected = dealt.orders.get(wrong.stock)?.[wrong.position] ?? "";
    return bad("deckCard", { stock: wrong.stock, position: wrong.position, card: wrong.card, expected });
  }
  return { rule, state: "good", reason: "deckRight", count: document.stocks.length };
}

const FAULTS: Readonly<Record<DeckFault["fault"], Reason>> = {
  commitment: "deckCommitment",
  order: "deckOrder",
  place: "deckPlace",
  card: "deckCard",
  proof: "deckProof",
  pick: "deckChance",
  dice: "deckChance",
  hidden: "deckHidden",
};

function ofFault({ fault, ...where }: DeckFault): Step {
  const state = fault === "hidden" ? "open" : "bad";
  return { rule: "deck", state, reason: FAULTS[fault], ...where };
}

/** Return how many cards were seen: by their places, and by their faces where the place is not known. */
export function countSeen(record: RoundRecord): number {
  return record.seen.length + looseFaces(record).length;
}

/** Return the faces in sight that were not seen as they were dealt, such as hands that others showed. */
function looseFaces(record: RoundRecord): string[] {
  const placed = new Set(record.seen.map((one) => one.card));
  return record.faces.filter((card) => !placed.has(card));
}

function missingOf(record: RoundRecord, proofs: readonly Proof[]): number {
  const places = new Set(proofs.map((one) => `${placeOf(one)} ${one.card}`));
  const faces = new Set(proofs.map((one) => one.card));
  const unplaced = looseFaces(record).filter((card) => !faces.has(card)).length;
  return unplaced + record.seen.filter((one) => !places.has(`${placeOf(one)} ${one.card}`)).length;
}
