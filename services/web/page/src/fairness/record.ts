// What one viewer has seen of a round's deck, as it came: commitment, roots, own seed, and the places of the cards.

import type { TableEvent, TableView } from "@pitboss/client/web";

import type { Root } from "./proof.js";

const HIDDEN = "??";
const MOST_COMMITMENTS = 4;

/** A card that was seen where it was dealt from; position 0 is the top of the stock. */
export interface Seen {
  readonly stock: number;
  readonly position: number;
  readonly card: string;
}

/** The viewer's own text in a round, and what the house answered to it. */
export interface OwnSeed {
  readonly seat: number;
  readonly text: string;
  readonly digest: string;
  /** The house's commitment at that moment. */
  readonly commitment: string;
}

/** Everything that one viewer has kept of a round. A record is never changed; each function returns a new one. */
export interface RoundRecord {
  readonly table: string;
  readonly round: string;
  /** The commitments to the house's seed that were seen before the round; more than one if it was changed. */
  readonly commitments: readonly string[];
  readonly seed?: OwnSeed;
  /** The first root that was seen of each stock. */
  readonly roots: readonly Root[];
  /** Stocks whose root was changed later. */
  readonly changed: readonly number[];
  /** Cards that were seen as they were dealt. */
  readonly seen: readonly Seen[];
  /** All places from which cards were dealt, also face down. */
  readonly dealt: readonly { readonly stock: number; readonly position: number }[];
  /** Faces that were in sight, wherever they came from; each once. */
  readonly faces: readonly string[];
  /** Whether every event of the round was seen, from its start on. */
  readonly whole: boolean;
  readonly ended: boolean;
}

/** Return the record of a round of which nothing was seen yet. */
export function unseen(table: string, round: bigint | string): RoundRecord {
  return {
    table,
    round: String(round),
    commitments: [],
    roots: [],
    changed: [],
    seen: [],
    dealt: [],
    faces: [],
    whole: false,
    ended: false,
  };
}

/** Note the commitment that stood before the round. */
export function withCommitment(record: RoundRecord, commitment: string): RoundRecord {
  if (!commitment || record.commitments.includes(commitment)) return record;
  if (record.commitments.length >= MOST_COMMITMENTS) return record;
  return { ...record, commitments: [...record.commitments, commitment] };
}

/** Note the viewer's own text and the house's answer; a later text takes an earlier one's place. */
export function withSeed(record: RoundRecord, seed: OwnSeed): RoundRecord {
  return { ...withCommitment(record, seed.commitment), seed };
}

/** Note a view of the round: roots, cards in sight, its end. A view of another round changes nothing. */
export function withView(record: RoundRecord, view: TableView): RoundRecord {
  const { round } = view;
  if (round === undefined || String(round.roundNumber) !== record.round) return record;
  const known = new Map(record.roots.map((one) => [one.stock, one]));
  const fresh = round.stocks.filter(({ stock }) => !known.has(stock));
  const changed = round.stocks
    .filter(({ stock, root, size }) => known.has(stock) && (known.get(stock)?.root !== root || known.get(stock)?.size !== size))
    .map(({ stock }) => stock);
  const faces = round.zones.flatMap((zone) => zone.cards).filter((card) => card !== HIDDEN);
  return {
    ...record,
    roots: [...record.roots, ...fresh.map(({ stock, size, root }) => ({ stock, size, root }))],
    changed: [...new Set([...record.changed, ...changed])],
    faces: [...new Set([...record.faces, ...faces])],
    ended: record.ended || OVER.has(round.state),
  };
}

/** `ROUND_STATE_ENDED` and `ROUND_STATE_VOIDED`. */
const OVER: ReadonlySet<number> = new Set([2, 3]);

/** Note the cards that an event of the round deals: where each lay, and its face where the viewer sees it. */
export function withEvent(record: RoundRecord, event: TableEvent): RoundRecord {
  const dealt = event.happenings.flatMap(({ kind }) =>
    kind.case === "dealt"
      ? kind.value.positions.map((position, at) => ({
          stock: kind.value.stock,
          position,
          card: kind.value.cards[at] ?? HIDDEN,
        }))
      : [],
  );
  if (dealt.length === 0) return record;
  const places = new Set(record.dealt.map(placeOf));
  const known = new Set(record.seen.map((one) => `${placeOf(one)} ${one.card}`));
  return {
    ...record,
    dealt: [...record.dealt, ...dealt.filter((one) => !places.has(placeOf(one)))],
    seen: [
      ...record.seen,
      ...dealt.filter((one) => one.card !== HIDDEN && !known.has(`${placeOf(one)} ${one.card}`)),
    ],
  };
}

/** Return a text that names a place of a round. */
export function placeOf(at: { readonly stock: number; readonly position: number }): string {
  return `${at.stock} ${at.position}`;
}
