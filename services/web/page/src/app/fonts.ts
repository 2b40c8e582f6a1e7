// Fonts of languages whose letters a system may lack: their style sheet is loaded when the language is chosen.

import type { Language } from "../words/language.js";

/** Load the style sheet of a language's font, once. The document names it; English has none. */
export function bringFont(language: Language): void {
  const address = document.querySelector<HTMLMetaElement>(`meta[name="font-${language}"]`)?.content;
  if (address === undefined || document.querySelector(`link[href="${address}"]`) !== null) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  document.head.append(link);
  document.fonts.addEventListener("loadingdone", drawAgain);
}

/**
 * Have all text laid out again once letters have come: Chromium keeps the boxes of words that it drew without them, and
 * asks its fonts again at another size only.
 */
function drawAgain(): void {
  const { style } = document.documentElement;
  style.fontSize = "101%";
  document.body.getBoundingClientRect(); // lays out
  style.fontSize = "";
}
