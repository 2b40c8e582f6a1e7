// The page: who is signed in, in which language, and what the address asks for.

import "./styles/tokens.css";
import "./styles/page.css";

import { connect, type House } from "@pitboss/client/web";
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";

import { SignIn, type Why } from "./account/sign-in.js";
import { Wallet } from "./account/wallet.js";
import { bringFont } from "./app/fonts.js";
import { reasonOf, told } from "./app/refusals.js";
import { usePath } from "./app/router.js";
import { arrive, claims, forget, type Session, tokens } from "./app/session.js";
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
function Page({ told: given, arrived }: { told: Settings; arrived: Awaited<ReturnType<typeof arrive>> }) {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  const [theme, setTheme] = useState<Theme>(firstTheme);
  const [session, setSession] = useState<Session | undefined>(arrived.kind === "in" ? arrived.session : undefined);
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
          <SignIn settings={given} words={words} why={why} onFailed={() => { setWhy("signInFailed"); }} />
        </main>
      </div>
    );
  }
  return <Inside key={session.token} given={given} session={session} language={language} choices={choices} onOut={out} />;
}

/** The page of a visitor who is signed in. */
function Inside(inside: {
  given: Settings;
  session: Session;
  language: Language;
  choices: preact.ComponentChildren;
  onOut: (why: Why) => void;
}) {
  const { given, session, language, onOut } = inside;
  const path = usePath();
  const words = wordsOf(language);
  const token = useMemo(() => tokens(given, session), [given, session]);
  const house = useMemo<House>(() => connect(given.gateway, { token, language }), [given, token, language]);
  const visitor = useMemo(() => claims(session.token), [session]);
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
        onSignOut={() => { onOut(undefined); }}
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

async function begin(): Promise<void> {
  const root = document.getElementById("page");
  if (root === null) throw new Error("the document has no place for the page");
  const language = firstLanguage();
  const words = wordsOf(language);
  document.documentElement.lang = language; // also where the house cannot be reached
  bringFont(language);
  try {
    const given = await settings();
    const arrived = await arrive(given);
    render(<Page told={given} arrived={arrived} />, root);
  } catch {
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
}

void begin();
