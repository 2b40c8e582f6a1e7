// The whole deck of a round, from the file that the house exports once the seed may be seen: shuffled again, and
// compared with what the table had published and shown.

import { shake256 } from "@noble/hashes/sha3.js";

import { four, framed, hex, joined, sha256, utf8, type Bytes } from "./bytes.js";
import { inner, type Proof, rootOf, sealed } from "./proof.js";
import { commitment, roundSeed } from "./seeds.js";

const NONCE_BYTES = 32;
const WORD_BYTES = 4;
const STREAM_BYTES = 1 << 16;
const MOST_STOCK = 2048;
const MOST_STOCKS = 1000;
const HIDDEN = "??";

/** An exported round; hashes are hexadecimal text. */
export interface Document {
  readonly table: string;
  readonly round: number;
  readonly house_commitment: string;
  readonly house_seed: string;
  readonly player_seeds: Readonly<Record<string, string>>;
  readonly stocks: readonly { readonly stock: number; readonly pack: readonly string[]; readonly root: string }[];
  readonly cards: readonly { readonly stock: number; readonly position: number; readonly card: string }[];
  readonly script: { readonly stocks: readonly (readonly string[])[] } | null;
  readonly picks?: readonly Pick[];
  readonly dice?: readonly { readonly place: number; readonly throw: readonly number[] }[];
  readonly proofs?: readonly Proof[];
  readonly hidden?: string;
}

interface Pick {
  readonly what: string;
  readonly place: number;
  readonly options: number;
  readonly picked: number;
}

/** What is wrong with a round, and where. */
export interface DeckFault {
  readonly fault: "commitment" | "order" | "place" | "card" | "proof" | "pick" | "dice" | "hidden";
  readonly stock?: number;
  readonly position?: number;
  readonly card?: string;
  readonly expected?: string;
}

/** The orders of a round's stocks by their numbers, the top card first, and everything that does not fit. */
export interface Dealt {
  readonly orders: ReadonlyMap<number, readonly string[]>;
  readonly faults: readonly DeckFault[];
}

/** Deal a round again. Throws RangeError or TypeError for a file that is not of the documented shape. */
export async function dealtAgain(document: Document): Promise<Dealt> {
  if (document.hidden !== undefined) return { orders: new Map(), faults: [{ fault: "hidden" }] };
  if (document.stocks.length > MOST_STOCKS) throw new RangeError(`at most ${MOST_STOCKS} stocks are read`);
  const faults: DeckFault[] = [];
  if ((await commitment(document.house_seed)) !== document.house_commitment) faults.push({ fault: "commitment" });
  const seed = await roundSeed(document.house_seed, document.table, document.round, document.player_seeds);
  const orders = new Map<number, readonly string[]>();
  const roots = new Map<number, string>();
  for (const { stock, pack, root } of document.stocks) {
    if (pack.length > MOST_STOCK) throw new RangeError(`a stock of ${pack.length} cards; at most ${MOST_STOCK} are read`);
    const order = shuffled(seed, stock, pack, document.script);
    orders.set(stock, order);
    roots.set(stock, root);
    if ((await root256(seed, stock, order)) !== root) faults.push({ fault: "order", stock });
  }
  faults.push(...placeFaults(document, orders));
  for (const proof of document.proofs ?? []) {
    const { stock, position, card } = proof;
    if ((await rootOf(proof)) !== roots.get(stock)) faults.push({ fault: "proof", stock, position, card });
  }
  if (document.script === null) faults.push(...drawFaults(document, seed));
  return { orders, faults };
}

/** Return the order of a pack: Fisher–Yates from the last place down; a script's cards lie on top of the rest. */
export function shuffled(seed: Bytes, stock: number, pack: readonly string[], script: Document["script"]): string[] {
  const order = [...pack];
  if (script !== null) {
    const top = script.stocks[stock] ?? [];
    for (const card of top) {
      const at = order.indexOf(card);
      if (at < 0) throw new RangeError(`the script deals ${card}, which is not in the pack`);
      order.splice(at, 1);
    }
    return [...top, ...order];
  }
  const bounds = Array.from({ length: Math.max(0, order.length - 1) }, (_, at) => order.length - at);
  draws(seed, "shuffle", stock, bounds).forEach((other, at) => {
    const last = order.length - 1 - at;
    const [lower, upper] = [order[other], order[last]];
    if (lower === undefined || upper === undefined) throw new RangeError("a place outside of the pack was drawn");
    order[other] = upper;
    order[last] = lower;
  });
  return order;
}

/** Return the root over all positions of a stock, as hexadecimal text; a stock has at least one card. */
export async function root256(seed: Bytes, stock: number, order: readonly string[]): Promise<string> {
  const nonces = stream(seed, "nonce", stock, NONCE_BYTES * order.length);
  let level = await Promise.all(
    order.map(async (card, at) => {
      const nonce = nonces.subarray(NONCE_BYTES * at, NONCE_BYTES * (at + 1));
      return await sha256(Uint8Array.of(0), nonce, four(stock), four(at), utf8(card));
    }),
  );
  while (level.length > 1) level = await above(level);
  const [top] = level;
  if (top === undefined) throw new RangeError("a stock has a card");
  return hex(await sealed(stock, order.length, top));
}

async function above(level: readonly Bytes[]): Promise<Bytes[]> {
  const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => level.slice(2 * at, 2 * at + 2));
  return await Promise.all(
    pairs.map(async ([left, right]) => {
      if (left === undefined) throw new RangeError("a pair has a left node");
      return right === undefined ? left : await inner(left, right);
    }),
  );
}

function placeFaults(document: Document, orders: ReadonlyMap<number, readonly string[]>): DeckFault[] {
  const faults: DeckFault[] = [];
  const dealt = new Set<string>();
  for (const { stock, position, card } of document.cards) {
    const expected = orders.get(stock)?.[position];
    const place = `${stock} ${position}`;
    if (expected === undefined || dealt.has(place)) faults.push({ fault: "place", stock, position });
    else if (card !== HIDDEN && card !== expected) faults.push({ fault: "card", stock, position, card, expected });
    dealt.add(place);
  }
  return faults;
}

function drawFaults(document: Document, seed: Bytes): DeckFault[] {
  const faults: DeckFault[] = [];
  for (const { what, place, options, picked } of document.picks ?? []) {
    if (draws(seed, `pick ${what}`, place, [options])[0] !== picked) faults.push({ fault: "pick", position: place });
  }
  for (const { place, throw: thrown } of document.dice ?? []) {
    const again = draws(seed, "dice", place, thrown.map(() => 6));
    if (again.some((one, at) => one + 1 !== thrown[at])) faults.push({ fault: "dice", position: place });
  }
  return faults;
}

/** Return a number below each bound; numbers whose remainders would favour some places are skipped. */
function draws(seed: Bytes, label: string, counter: number, bounds: readonly number[]): number[] {
  const view = new DataView(stream(seed, label, counter, STREAM_BYTES).buffer);
  let at = 0;
  return bounds.map((bound) => {
    if (!Number.isInteger(bound) || bound < 1) throw new RangeError(`nothing is drawn below ${bound}`);
    for (;;) {
      const word = view.getUint32(at); // RangeError at the stream's end: more than any use needs
      at += WORD_BYTES;
      if (word < 2 ** 32 - (2 ** 32 % bound)) return word % bound;
    }
  });
}

/** Return the bytes for one use of chance. Browsers have no SHAKE-256: it comes from a library. */
function stream(seed: Bytes, label: string, counter: number, size: number): Bytes {
  return joined([shake256(framed(`pitboss ${label} v1`, seed, String(counter)), { dkLen: size })]);
}
