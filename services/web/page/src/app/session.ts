// Who is signed in: a guest by a one-time link, or a player by an OpenID Connect provider. Tokens last as long as the tab.

import { forgetAll, showTo } from "../fairness/keeper.js";
import * as oidc from "./oidc.js";
import type { Settings } from "./settings.js";
import { Tabs } from "./tabs.js";

/** Tokens of the signed-in visitor. */
export interface Session {
  readonly token: string;
  /** Renews the token at the provider; guests have none. */
  readonly refresh?: string;
  /** Says to the provider whose sign-in ends. */
  readonly idToken?: string;
}

/** Why nobody is signed in: a word of the page, or an origin of the provider that the page may not call. */
export type Why = "linkUsed" | "expired" | oidc.Fault | undefined;

export type Arrival =
  | { readonly kind: "in"; readonly session: Session }
  | { readonly kind: "out"; readonly why?: Why }
  /** A guest's link was opened by a visitor who is signed in: whether it counts is asked first. */
  | { readonly kind: "ask"; readonly session: Session; readonly code: string };

/** What a token says. The house verifies it; the page reads whose it is. */
export interface Claims {
  readonly sub: string;
  readonly name: string;
  readonly test: boolean;
  readonly expMs: number;
}

const KEY = "pitboss.session";
const AHEAD_MS = 30_000;
/** What the page's server answers to a code that is wrong or was used. */
const USED = 404;
/** Pauses between tries to reach a provider that does not answer, where the token has ended. */
const AGAIN_MS = [1000, 2000, 4000, 8000];

export const tabs = new Tabs();

/** Sign in by what the address holds, or find who is signed in. The address holds nothing of it afterwards. */
export async function arrive(settings: Settings): Promise<Arrival> {
  const code = new URLSearchParams(location.hash.slice(1)).get("guest");
  const kept = read();
  const isGood = kept !== undefined && (claims(kept.token).expMs > Date.now() || kept.refresh !== undefined);
  if (code !== null) return isGood ? { kind: "ask", session: kept, code } : await redeemed(code);
  if (settings.oidc !== undefined && location.pathname === oidc.RETURN_PATH) {
    const query = new URLSearchParams(location.search);
    const back = oidc.cameFrom();
    history.replaceState(null, "", back);
    try {
      const session = await oidc.returned(settings.oidc, query);
      forget(); // what the visitor before has seen is not the next one's
      return { kind: "in", session: keep(session) };
    } catch (thrown) {
      return { kind: "out", why: oidc.faultOf(thrown) };
    }
  }
  if (isGood) return { kind: "in", session: keep(kept) };
  const was = sessionStorage.getItem(KEY) !== null;
  forget();
  return was ? { kind: "out", why: "expired" } : { kind: "out" };
}

/** Sign in with the code of a guest's link, in the place of who was signed in. Throws where nobody answers. */
export async function redeemed(code: string): Promise<Arrival> {
  const session = await exchanged(code); // where nobody answers, the address keeps its code for another try
  leaveCode();
  if (session === undefined) return { kind: "out", why: "linkUsed" };
  forget(); // what the visitor before has seen is not the guest's
  return { kind: "in", session: keep(session) };
}

/** Take the code of a guest's link out of the address. */
export function leaveCode(): void {
  history.replaceState(null, "", location.pathname);
}

/**
 * Return a function that gives the house a token, a renewed one where the last is about to end.
 *
 * `onEnd` is called when the provider refuses a renewal. A provider that does not answer ends nothing: the token is used
 * as long as it is good.
 */
export function tokens(settings: Settings, first: Session, onEnd: () => void): () => Promise<string> {
  let session = first;
  let renewal: Promise<void> | undefined;
  const renew = async (given: NonNullable<Settings["oidc"]>, refresh: string): Promise<void> => {
    const found = await tabs.renewal(refresh, async () => await oidc.renewed(given, refresh, session.idToken));
    if (read()?.refresh === refresh) session = keep(found);
    else await oidc.revoked(given, found); // after a sign-out meanwhile the visitor stays signed out
  };
  return async () => {
    const { refresh } = session;
    const { oidc: given } = settings;
    if (claims(session.token).expMs - AHEAD_MS >= Date.now() || refresh === undefined || given === undefined) {
      return session.token;
    }
    // One renewal for all calls that wait: a provider takes a refresh token that comes twice for a stolen one.
    renewal ??= patient(async () => { await renew(given, refresh); }, () => claims(session.token).expMs > Date.now())
      .finally(() => { renewal = undefined; });
    try {
      await renewal;
    } catch (thrown) {
      if (oidc.faultOf(thrown) !== "providerAway") {
        onEnd();
        throw thrown;
      }
    }
    return session.token;
  };
}

/** Try once, and again after pauses where nobody has answered and `isEnough` does not hold. */
async function patient(work: () => Promise<void>, isEnough: () => boolean): Promise<void> {
  for (const pauseMs of AGAIN_MS) {
    try {
      await work();
      return;
    } catch (thrown) {
      if (oidc.faultOf(thrown) !== "providerAway" || isEnough()) throw thrown;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await work();
}

/** Return what a token says. Throws where it is not one that a page can read. */
export function claims(token: string): Claims {
  const part = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(part), (letter) => letter.charCodeAt(0));
  const said = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  const { sub, exp } = said;
  const name = [said["name"], said["preferred_username"], sub].find((one) => typeof one === "string" && one !== "");
  return {
    sub: typeof sub === "string" ? sub : "",
    name: typeof name === "string" ? name : "",
    test: said["test"] === true,
    expMs: typeof exp === "number" ? exp * 1000 : 0,
  };
}

/** Forget who was signed in, and what this tab has kept of their rounds. */
export function forget(): void {
  sessionStorage.removeItem(KEY);
  oidc.forget();
  forgetAll();
}

/** Sign a visitor out: here, in the other tabs, and at the provider. Returns where the provider ends its own sign-in. */
export async function signOut(settings: Settings, session: Session): Promise<string | undefined> {
  const last = read() ?? session;
  tabs.signedOut(claims(session.token).sub);
  forget();
  return settings.oidc === undefined || last.refresh === undefined ? undefined : await oidc.ended(settings.oidc, last);
}

function keep(session: Session): Session {
  sessionStorage.setItem(KEY, JSON.stringify(session));
  showTo(claims(session.token).sub);
  return session;
}

/** Return the session that this tab keeps, undefined where there is none that can be read. */
function read(): Session | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Session | null;
    if (kept !== null) claims(kept.token);
    return kept ?? undefined;
  } catch {
    return undefined;
  }
}

/** Return the session of a code, undefined if it was used. Throws where the server does not answer. */
async function exchanged(code: string): Promise<Session | undefined> {
  const answer = await fetch("/guest", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (answer.status === USED) return undefined;
  if (!answer.ok) throw new Error(`the page's server answered ${answer.status.toString()}`);
  return (await answer.json()) as Session;
}
