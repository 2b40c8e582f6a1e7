// What every part of the page knows: the house, the language and its words, and the visitor.

import type { House } from "@pitboss/client/web";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

import type { Language } from "../words/language.js";
import type { Words } from "../words/index.js";
import type { Claims } from "./session.js";

export interface Site {
  readonly house: House;
  readonly language: Language;
  readonly words: Words;
  readonly visitor: Claims;
  /** The currency that the visitor plays for; empty: the house's own. */
  readonly currency: string;
  /** The wallet, kept up to date; undefined until the house has told it. */
  readonly wallet: { readonly balance: bigint; readonly reserved: bigint } | undefined;
  /** Show what a call was refused with, where no better place is known. */
  readonly report: (thrown: unknown) => void;
}

export const SiteContext = createContext<Site | undefined>(undefined);

/** Return what every part of the page knows. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === undefined) throw new Error("this part stands outside of the page");
  return site;
}
