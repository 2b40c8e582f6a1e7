// What the bar of buttons and the spots in the middle share: the chips that a tap puts down.

import { createContext } from "preact";
import { useContext } from "preact/hooks";

import type { Amount } from "./options.js";

export interface Betting {
  readonly offers: readonly Amount[];
  readonly onSpot: (spot: string) => void;
}

export const BettingContext = createContext<Betting>({ offers: [], onSpot: () => undefined });

export function useBetting(): Betting {
  return useContext(BettingContext);
}
