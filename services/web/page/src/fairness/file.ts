// Reads the file of a round that an auditor has exported: one round, or one on each line.

import type { Dealt, Document } from "./deck.js";

export const MOST_BYTES = 1 << 26;

export type Deck = { readonly document: Document; readonly dealt: Dealt } | "unread";

/** Read the file, and deal the round in it again that is meant, or else its first one. */
export async function deckOf(file: Blob, table: string, round: string): Promise<Deck> {
  if (file.size > MOST_BYTES) return "unread";
  const { dealtAgain } = await import("./deck.js");
  try {
    const rounds = parsed(await file.text());
    const meant = rounds.find((one) => one.table === table && String(one.round) === round) ?? rounds[0];
    if (meant === undefined) return "unread";
    return { document: meant, dealt: await dealtAgain(meant) };
  } catch {
    return "unread"; // whatever is missing in it: it is no round's file
  }
}

function parsed(text: string): Document[] {
  try {
    return [JSON.parse(text) as Document];
  } catch {
    const lines = text.split("\n").filter((one) => one.trim());
    return lines.map((one) => JSON.parse(one) as Document);
  }
}
