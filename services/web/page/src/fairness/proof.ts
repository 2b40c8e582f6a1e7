// The proof of one card, against the root that the table has published.

import { four, hash, hex, sha256, utf8, type Bytes } from "./bytes.js";

const CARD_LETTERS = 2;
const MOST_CARDS = 1 << 16;

/** What the house says of one card; hashes are hexadecimal text. */
export interface Proof {
  readonly stock: number;
  readonly size: number;
  readonly position: number;
  readonly card: string;
  readonly nonce: string;
  readonly path: readonly string[];
}

/** The commitment to one stock, as the table has published it. */
export interface Root {
  readonly stock: number;
  readonly size: number;
  readonly root: string;
}

/** Return the root that a proof leads to; undefined for a malformed one. */
export async function rootOf(proof: Proof): Promise<string | undefined> {
  const numbers = [proof.stock, proof.size, proof.position];
  if (!numbers.every((one) => Number.isInteger(one) && one >= 0 && one <= MOST_CARDS)) return undefined;
  if (proof.position >= proof.size || !/^[\x21-\x7e]*$/.test(proof.card)) return undefined;
  if (proof.card.length !== CARD_LETTERS) return undefined;
  try {
    const place = [four(proof.stock), four(proof.position)];
    const leaf = await sha256(Uint8Array.of(0), hash(proof.nonce), ...place, utf8(proof.card));
    const top = await climbed(leaf, proof.position, proof.size, proof.path.map(hash));
    return top && hex(await sealed(proof.stock, proof.size, top));
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

/** Return the root over a stock's size and the top of its tree. */
export async function sealed(stock: number, size: number, top: Bytes): Promise<Bytes> {
  return await sha256(Uint8Array.of(2), four(stock), four(size), top);
}

/** Return an inner node of the tree. */
export async function inner(left: Bytes, right: Bytes): Promise<Bytes> {
  return await sha256(Uint8Array.of(1), left, right);
}

/** Return the top that a path leads to; undefined where it is too short or too long. */
async function climbed(leaf: Bytes, position: number, size: number, path: readonly Bytes[]): Promise<Bytes | undefined> {
  let node = leaf;
  let place = position;
  let used = 0;
  for (let width = size; width > 1; width = (width + 1) >> 1, place >>= 1) {
    // The last node of an odd level has no neighbour and moves up unchanged.
    if ((place ^ 1) >= width) continue;
    const neighbour = path[used];
    if (neighbour === undefined) return undefined;
    used += 1;
    node = await (place % 2 === 1 ? inner(neighbour, node) : inner(node, neighbour));
  }
  return used === path.length ? node : undefined;
}
