// Cards and tiles as the contract writes them, and their names for people who hear the page.

import type { Language } from "../words/language.js";

export type Face =
  | { readonly kind: "card"; readonly rank: string; readonly suit: "s" | "h" | "d" | "c" }
  | { readonly kind: "joker"; readonly big: boolean }
  | { readonly kind: "tile"; readonly pips: number }
  | { readonly kind: "back" };

const BACK: Face = { kind: "back" };

/** Read a card: `As`, `Xr`, `5t`; everything else, such as `??`, is a card that is not seen. */
export function face(card: string): Face {
  const [rank = "", suit = ""] = card;
  if (card.length !== 2) return BACK;
  if (rank === "X" && (suit === "r" || suit === "b")) return { kind: "joker", big: suit === "r" };
  if (suit === "t" && rank >= "0" && rank <= "9") return { kind: "tile", pips: Number(rank) };
  if ((suit === "s" || suit === "h" || suit === "d" || suit === "c") && "23456789TJQKA".includes(rank)) {
    return { kind: "card", rank, suit };
  }
  return BACK;
}

/** Return whether a text is a card whose face is known. */
export function isCard(text: string): boolean {
  return face(text).kind !== "back";
}

/** Return what stands in a card's corner. */
export function index(rank: string): string {
  return rank === "T" ? "10" : rank;
}

const ENGLISH: Readonly<Record<string, string>> = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", "9": "nine", "8": "eight", "7": "seven", "6": "six",
  "5": "five", "4": "four", "3": "three", "2": "two",
};
const SUITS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { s: "spades", h: "hearts", d: "diamonds", c: "clubs" },
  "zh-Hant": { s: "黑桃", h: "紅心", d: "方塊", c: "梅花" },
  "zh-Hans": { s: "黑桃", h: "红心", d: "方块", c: "梅花" },
};
const JOKERS: Readonly<Record<Language, readonly [string, string]>> = {
  en: ["small joker", "big joker"],
  "zh-Hant": ["小王", "大王"],
  "zh-Hans": ["小王", "大王"],
};
const BACKS: Readonly<Record<Language, string>> = { en: "face-down card", "zh-Hant": "蓋住的牌", "zh-Hans": "盖住的牌" };
const NUMBERS = "白一二三四五六七八九";

/** Return a card's name in a language: `ace of spades`. */
export function cardName(card: string, language: Language): string {
  const seen = face(card);
  switch (seen.kind) {
    case "back":
      return BACKS[language];
    case "joker":
      return JOKERS[language][seen.big ? 1 : 0];
    case "tile":
      if (language !== "en") return seen.pips === 0 ? "白板" : `${NUMBERS[seen.pips] ?? ""}筒`;
      return seen.pips === 0 ? "white tile" : `${seen.pips} dots`;
    case "card": {
      const suit = SUITS[language][seen.suit] ?? "";
      return language === "en" ? `${ENGLISH[seen.rank] ?? ""} of ${suit}` : `${suit}${index(seen.rank)}`;
    }
  }
}

/** Return the sign of a suit's word, `s` or `spade`; empty for another word. */
export function suitSign(word: string): string {
  const signs: Readonly<Record<string, string>> = { s: "♠", h: "♥", d: "♦", c: "♣", spade: "♠", heart: "♥", diamond: "♦", club: "♣" };
  return signs[word] ?? "";
}

const RANKS = "23456789TJQKA";
const SUIT_ORDER = "shcd";

/** Return a hand as it is held: in games of tricks by suit and from high to low, in others as it was dealt. */
export function sortedHand(cards: readonly string[], family: string): readonly string[] {
  if (family !== "tricks" || !cards.every(isCard)) return cards;
  const place = (card: string): number => {
    const suit = SUIT_ORDER.indexOf(card[1] ?? "");
    return suit < 0 ? -1 : suit * RANKS.length + (RANKS.length - RANKS.indexOf(card[0] ?? ""));
  };
  return [...cards].sort((one, other) => place(one) - place(other));
}
