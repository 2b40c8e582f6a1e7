// The languages of the page, and how text, chips and moments of the house are written in them.

import type { Text } from "@pitboss/client/web";

export const LANGUAGES = ["en", "zh-Hant", "zh-Hans"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Return a text of the house in a language; empty where there is none. */
export function say(text: Text | undefined, language: Language): string {
  if (text === undefined) return "";
  return { en: text.en, "zh-Hant": text.zhHant, "zh-Hans": text.zhHans }[language];
}

/** Return what a table is called. One that nobody has named bears the game's English name: it is said in the language. */
export function titled(title: string, game: Text | undefined, language: Language): string {
  return title === "" || title === game?.en ? say(game, language) : title;
}

/** Return chips with the language's grouping. */
export function chips(amount: bigint | number, language: Language): string {
  return new Intl.NumberFormat(language).format(amount);
}

/** Return a change of chips with its sign: +1,200, −300, 0. */
export function change(amount: bigint | number, language: Language): string {
  const form = new Intl.NumberFormat(language, { signDisplay: "exceptZero" });
  return form.format(amount).replace("-", "−");
}
