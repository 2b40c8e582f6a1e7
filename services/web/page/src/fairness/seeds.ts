// The seeds of a round: the house's commitment, the digest of a player's text, and what both are combined to.

import { framed, hash, hex, sha256, type Bytes } from "./bytes.js";

const DIGEST = "sha256:";

/** Return the commitment to a house's seed, as hexadecimal text. Throws RangeError for a malformed seed. */
export async function commitment(houseSeed: string): Promise<string> {
  return hex(await sha256(framed("pitboss house seed v1", hash(houseSeed))));
}

/** Return the digest of a player's text, as it goes into the round. */
export async function digest(table: string, round: bigint | number, seat: number, text: string): Promise<string> {
  return DIGEST + hex(await sha256(framed("pitboss player seed v1", table, String(round), String(seat), text)));
}

/** Return the seed of a round. Throws RangeError for a malformed seed of the house. */
export async function roundSeed(
  houseSeed: string,
  table: string,
  round: bigint | number,
  playerSeeds: Readonly<Record<string, string>>,
): Promise<Bytes> {
  const seats = Object.entries(playerSeeds).sort(([one], [other]) => Number(one) - Number(other));
  const texts = seats.flatMap(([seat, text]) => [String(Number(seat)), text]);
  return await sha256(framed("pitboss round seed v1", hash(houseSeed), table, String(round), ...texts));
}
