// Words by language.

import { en, type Words } from "./en.js";
import { hans } from "./hans.js";
import { hant } from "./hant.js";
import { type Language, LANGUAGES } from "./language.js";

export type { Words };

/** What each language calls itself. */
export const NAMES: Readonly<Record<Language, string>> = { en: "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文" };

/** Return the page's words in a language. */
export function wordsOf(language: Language): Words {
  return { en, "zh-Hant": hant, "zh-Hans": hans }[language];
}

/** Return the first language of the page that the browser asks for. */
export function preferred(asked: readonly string[]): Language {
  for (const one of asked) {
    if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(one)) continue; // such as en-US@posix, which Intl refuses
    const { language, script } = new Intl.Locale(one).maximize();
    const found = LANGUAGES.find((known) => known === language || known === `${language}-${script ?? ""}`);
    if (found !== undefined) return found;
  }
  return "en";
}
