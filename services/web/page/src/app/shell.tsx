// The frame of every view: where one is, the wallet, language and colours, and what a call was refused with.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { historyWord } from "../history/words.js";
import { chips, LANGUAGES, type Language } from "../words/language.js";
import { NAMES, type Words } from "../words/index.js";
import { follow } from "./router.js";
import type { Site } from "./site.js";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Whether a text is one of a list of words. */
export function isOneOf<T extends string>(list: readonly T[], text: string | undefined): text is T {
  return list.some((one) => one === text);
}

/** Choose a language and the colours. */
export function Choices(given: {
  words: Words;
  language: Language;
  theme: Theme;
  onLanguage: (language: Language) => void;
  onTheme: (theme: Theme) => void;
}) {
  const { words } = given;
  return (
    <div class="choices">
      <label>
        <span class="unseen">{words.language}</span>
        <select
          value={given.language}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (isOneOf(LANGUAGES, value)) given.onLanguage(value);
          }}
        >
          {LANGUAGES.map((one) => (
            <option key={one} value={one} lang={one}>
              {NAMES[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="unseen">{words.theme}</span>
        <select
          value={given.theme}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (isOneOf(THEMES, value)) given.onTheme(value);
          }}
        >
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {words.themes[one]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** The frame around a view. */
export function Shell(given: {
  site: Site;
  path: string;
  choices: ComponentChildren;
  refused: string;
  onDismiss: () => void;
  onSignOut: () => void;
  children: ComponentChildren;
}) {
  const { words, wallet, language, visitor } = given.site;
  const [isOpen, setOpen] = useState(false);
  const here = (path: string): { "aria-current"?: "page" } => (given.path === path ? { "aria-current": "page" } : {});
  return (
    <div class="frame" onClick={follow}>
      <a class="skip" href="#content">
        {words.skip}
      </a>
      <header class="top" data-open={isOpen}>
        <nav>
          <a class="brand" href="/" {...here("/")}>
            {words.house}
          </a>
          <a class="past" href="/history" {...here("/history")}>
            {historyWord("history", language)}
          </a>
          <a class="purse" href="/wallet" {...here("/wallet")}>
            <span>{words.wallet}</span>
            <strong class="chips">{wallet === undefined ? "…" : chips(wallet.balance, language)}</strong>
            {visitor.test && <small>{words.testMoney}</small>}
          </a>
          <button type="button" class="menu quiet" aria-label={words.menu} aria-expanded={isOpen} onClick={() => { setOpen(!isOpen); }}>
            ☰
          </button>
        </nav>
        {given.choices}
        <span class="who">
          <span class="name">{visitor.name}</span>
          <button type="button" class="quiet" onClick={given.onSignOut}>
            {words.signOut}
          </button>
        </span>
      </header>
      <main id="content" tabIndex={-1}>
        {given.children}
      </main>
      <div class="refusals" role="alert">
        {given.refused && (
          <div class="toast">
            <p>{given.refused}</p>
            <button type="button" onClick={given.onDismiss}>
              {words.dismiss}
            </button>
          </div>
        )}
      </div>
    </div>
  );
}
