// What the bar of buttons and the spots in the middle share: the spots that a tap puts chips on.

import { createContext } from "preact";
import { useContext } from "preact/hooks";

import type { Amount } from "./options.js";

export interface Betting {
  /** The spots on which the viewer may bet now; their keys are 1 to 9 in this order. */
  readonly offered: readonly string[];
  readonly onSpot: (spot: string) => void;
}

export const BettingContext = createContext<Betting>({ offered: [], onSpot: () => undefined });

export function useBetting(): Betting {
  return useContext(BettingContext);
}

/** Whether an amount is put on a spot, which is tapped in the middle of the table. */
export function isSpot(offer: Amount): boolean {
  return offer.words.some((one) => one.argument === "spot");
}

/** Return the spots of an offer. */
export function spotsIn(offer: Amount): readonly string[] {
  return offer.words.find((one) => one.argument === "spot")?.values.map(String) ?? [];
}
