// The page: who is signed in, in which language, and what the address asks for.

import "./styles/tokens.css";
import "./styles/page.css";

import { connect, type House } from "@pitboss/client/web";
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { AskGuest, SignIn } from "./account/sign-in.js";
import { Wallet } from "./account/wallet.js";
import { bringFont } from "./app/fonts.js";
import { reasonOf, told } from "./app/refusals.js";
import { usePath } from "./app/router.js";
import { type Arrival, arrive, claims, forget, leaveCode, redeemed, type Session, signOut, tabs, tokens, type Why } from "./app/session.js";
import { remember, remembered, settings, type Settings } from "./app/settings.js";
import { Choices, isOneOf, Shell, type Theme, THEMES } from "./app/shell.js";
import { type Site, SiteContext } from "./app/site.js";
import { History } from "./history/index.js";
import { Replay } from "./history/Replay.js";
import { GamePage } from "./lobby/game-page.js";
import { Lobby } from "./lobby/index.js";
import { Room } from "./room/index.js";
import { type Language, LANGUAGES } from "./words/language.js";
import { preferred, wordsOf } from "./words/index.js";

const TEST_CURRENCY = "XTS";

function firstLanguage(): Language {
  const kept = remembered("language");
  return isOneOf(LANGUAGES, kept) ? kept : preferred(navigator.languages);
}

function firstTheme(): Theme {
  const kept = remembered("theme");
  return isOneOf(THEMES, kept) ? kept : "system";
}

/** The whole page. */
function Page({ told: given, arrived }: { told: Settings; arrived: Arrival }) {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  const [theme, setTheme] = useState<Theme>(firstTheme);
  const [session, setSession] = useState<Session | undefined>(arrived.kind === "in" ? arrived.session : undefined);
  const [asked, setAsked] = useState(arrived.kind === "ask" ? arrived : undefined);
  const [why, setWhy] = useState<Why>(arrived.kind === "out" ? arrived.why : undefined);
  const words = wordsOf(language);
  useEffect(() => {
    document.documentElement.lang = language;
    bringFont(language);
    remember("language", language);
  }, [language]);
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    remember("theme", theme);
  }, [theme]);
  const out = (reason: Why): void => {
    forget();
    setSession(undefined);
    setWhy(reason);
  };
  const leave = (): void => {
    if (session === undefined) return;
    const ended = signOut(given, session);
    setSession(undefined);
    setWhy(undefined);
    void ended.then((page) => { if (page !== undefined) location.assign(page); });
  };
  const answer = (isGuest: boolean): void => {
    if (asked === undefined) return;
    const settle = (one: Arrival): void => {
      setAsked(undefined);
      if (one.kind === "in") setSession(one.session);
      else setWhy(one.kind === "out" ? one.why : undefined);
    };
    if (isGuest) redeemed(asked.code).then(settle, unreached);
    else arriveAgain(given).then(settle, unreached);
  };
  const choices = (
    <Choices words={words} language={language} theme={theme} onLanguage={setLanguage} onTheme={setTheme} />
  );
  if (session === undefined) {
    return (
      <div class="frame">
        <header class="top">
          <span class="brand">{words.house}</span>
          {choices}
        </header>
        <main id="content">
          {asked === undefined ? (
            <SignIn settings={given} words={words} why={why} onFailed={setWhy} />
          ) : (
            <AskGuest
              words={words}
              name={claims(asked.session.token).name}
              onYes={() => { answer(true); }}
              onNo={() => { answer(false); }}
            />
          )}
        </main>
      </div>
    );
  }
  return <Inside key={session.token} given={given} session={session} language={language} choices={choices} onOut={out} onLeave={leave} />;
}

/** The page of a visitor who is signed in. */
function Inside(inside: {
  given: Settings;
  session: Session;
  language: Language;
  choices: preact.ComponentChildren;
  onOut: (why: Why) => void;
  /** Signs the visitor out, who wants it. */
  onLeave: () => void;
}) {
  const { given, session, language, onOut } = inside;
  const path = usePath();
  const words = wordsOf(language);
  const token = useMemo(() => tokens(given, session, () => { onOut("expired"); }), [given, session]);
  const house = useMemo<House>(() => connect(given.gateway, { token, language }), [given, token, language]);
  const visitor = useMemo(() => claims(session.token), [session]);
  useEffect(() => tabs.onOut(visitor.sub, () => { onOut(undefined); }), [visitor]);
  const [wallet, setWallet] = useState<Site["wallet"]>();
  const [refused, setRefused] = useState("");
  const currency = visitor.test ? TEST_CURRENCY : "";
  const report = (thrown: unknown): void => {
    if (reasonOf(thrown) === "UNAUTHENTICATED") onOut("expired");
    else setRefused(told(thrown, words));
  };
  useEffect(() => {
    const end = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const seen of house.watchWallet({ currency }, { signal: end.signal, patienceMs: Infinity })) {
        setWallet({ balance: seen.balance, reserved: seen.reserved });
      }
    };
    follow().catch((thrown: unknown) => {
      if (!end.signal.aborted) report(thrown);
    });
    return () => {
      end.abort();
    };
  }, [house, currency]);
  useEffect(() => {
    setRefused("");
  }, [path, language]);
  const site: Site = { house, language, words, visitor, currency, wallet, report };
  return (
    <SiteContext.Provider value={site}>
      <Shell
        site={site}
        path={path}
        choices={inside.choices}
        refused={refused}
        onDismiss={() => { setRefused(""); }}
        onSignOut={inside.onLeave}
      >
        <View path={path} />
      </Shell>
    </SiteContext.Provider>
  );
}

/** Return a part of an address as text, "" where it is none. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** What the address asks for. */
function View({ path }: { path: string }) {
  const [, what = "", coded = "", round = "", step] = path.split("/");
  const name = decoded(coded);
  if (path === "/") return <Lobby />;
  if (path === "/wallet") return <Wallet />;
  if (path === "/history") return <History />;
  if (what === "history" && name) return <Replay key={`${name} ${round}`} tableId={name} round={round} step={step} />;
  if (what === "games" && name) return <GamePage key={name} game={name} />;
  if (what === "tables" && name) return <Room key={name} tableId={name} />;
  return <Lobby isLost />;
}

/** Return who is signed in, after a guest's link was not taken. */
async function arriveAgain(given: Settings): Promise<Arrival> {
  leaveCode();
  return await arrive(given);
}

/** Say that nobody answers; the address keeps what it holds for another try. */
function unreached(): void {
  const words = wordsOf(firstLanguage());
  const root = place();
  render(null, root);
  render(
    <main class="sign-in">
      <div class="notice bad" role="alert">
        <p>{words.unreached}</p>
        <button type="button" onClick={() => { location.reload(); }}>
          {words.again}
        </button>
      </div>
    </main>,
    root,
  );
}

function place(): HTMLElement {
  const root = document.getElementById("page");
  if (root === null) throw new Error("the document has no place for the page");
  return root;
}

async function begin(): Promise<void> {
  const language = firstLanguage();
  document.documentElement.lang = language; // also where the house cannot be reached
  bringFont(language);
  // A guest's link that is opened in a tab of the page changes the address alone.
  addEventListener("hashchange", () => { if (location.hash.startsWith("#guest=")) location.reload(); });
  try {
    const given = await settings();
    const arrived = await arrive(given);
    render(<Page told={given} arrived={arrived} />, place());
  } catch {
    unreached();
  }
}

void begin();
