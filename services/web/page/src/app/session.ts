// Who is signed in: a guest by a one-time link, or a player by an OpenID Connect provider. Tokens last as long as the tab.

import { forgetAll } from "../fairness/keeper.js";
import * as oidc from "./oidc.js";
import type { Settings } from "./settings.js";

/** Tokens of the signed-in visitor. */
export interface Session {
  readonly token: string;
  /** Renews the token at the provider; guests have none. */
  readonly refresh?: string;
}

export type Arrival =
  | { readonly kind: "in"; readonly session: Session }
  | { readonly kind: "out"; readonly why?: "linkUsed" | "signInFailed" | "expired" };

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

/** Sign in by what the address holds, or find who is signed in. The address holds nothing of it afterwards. */
export async function arrive(settings: Settings): Promise<Arrival> {
  const code = new URLSearchParams(location.hash.slice(1)).get("guest");
  if (code !== null) {
    const session = await exchanged(code); // where nobody answers, the address keeps its code for another try
    history.replaceState(null, "", location.pathname);
    if (session === undefined) return { kind: "out", why: "linkUsed" };
    forget(); // what the visitor before has seen is not the guest's
    return { kind: "in", session: keep(session) };
  }
  if (settings.oidc !== undefined && location.pathname === oidc.RETURN_PATH) {
    const query = new URLSearchParams(location.search);
    const back = oidc.cameFrom();
    history.replaceState(null, "", back);
    const session = await oidc.returned(settings.oidc, query).catch(() => undefined);
    return session === undefined ? { kind: "out", why: "signInFailed" } : { kind: "in", session: keep(session) };
  }
  const kept = sessionStorage.getItem(KEY);
  if (kept === null) return { kind: "out" };
  const session = JSON.parse(kept) as Session;
  if (claims(session.token).expMs > Date.now() || session.refresh !== undefined) return { kind: "in", session };
  forget();
  return { kind: "out", why: "expired" };
}

/** Return a function that gives the house a token, a renewed one where the last is about to end. */
export function tokens(settings: Settings, first: Session): () => Promise<string> {
  let session = first;
  let renewal: Promise<Session> | undefined;
  return async () => {
    const isOld = claims(session.token).expMs - AHEAD_MS < Date.now();
    if (isOld && session.refresh !== undefined && settings.oidc !== undefined) {
      // One renewal for all calls that wait: a provider takes a refresh token that comes twice for a stolen one.
      renewal ??= oidc.renewed(settings.oidc, session.refresh).finally(() => { renewal = undefined; });
      const renewed = await renewal;
      // After a sign-out meanwhile the visitor stays signed out.
      if (renewed !== session && sessionStorage.getItem(KEY) !== null) keep(renewed);
      session = renewed;
    }
    return session.token;
  };
}

/** Return what a token says. */
export function claims(token: string): Claims {
  const part = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(part), (letter) => letter.charCodeAt(0));
  const said = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  const { sub, name, exp } = said;
  return {
    sub: typeof sub === "string" ? sub : "",
    name: typeof name === "string" ? name : typeof sub === "string" ? sub : "",
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

function keep(session: Session): Session {
  sessionStorage.setItem(KEY, JSON.stringify(session));
  return session;
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
