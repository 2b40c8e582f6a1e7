// Fonts of languages whose letters a system may lack: their style sheet is loaded when the language is chosen.

import type { Language } from "../words/language.js";
import { drawAgainWithLetters } from "./letters.js";

/** Load the style sheet of a language's font, once. The document names it; English has none. */
export function bringFont(language: Language): void {
  const address = document.querySelector<HTMLMetaElement>(`meta[name="font-${language}"]`)?.content;
  if (address === undefined || document.querySelector(`link[href="${address}"]`) !== null) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  document.head.append(link);
  drawAgainWithLetters();
}
