// Sign-in at an OpenID Connect provider: authorization code with PKCE (RFC 7636), in this page alone, without a secret.

import { claims, type Session } from "./session.js";
import type { Oidc } from "./settings.js";

export const RETURN_PATH = "/signed-in";

/** Why a sign-in or a renewal did not succeed: a word of the page, or an origin that the page may not call. */
export type Fault = "signInFailed" | "signInDenied" | "notAsked" | "providerAway" | { readonly origin: string };

/** A sign-in or a renewal that did not succeed. */
class Failed extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, message: string) {
    super(message);
    this.fault = fault;
  }
}

interface Provider {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly revocation_endpoint?: string;
  readonly end_session_endpoint?: string;
}

interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly from: string;
}

const KEY = "pitboss.sign-in";
/** Answers of a provider that mean: not now. All others below 500 are a refusal. */
const LATER = new Set([408, 425, 429]);
/** Seconds by which the clocks of provider and visitor may differ. */
const LEEWAY_MS = 300_000;

/** Return why something did not succeed. */
export function faultOf(thrown: unknown): Fault {
  return thrown instanceof Failed ? thrown.fault : "signInFailed";
}

/** Go to the provider; it sends the visitor back to `RETURN_PATH`. */
export async function leave(given: Oidc): Promise<void> {
  const { authorization_endpoint } = await provider(given);
  const pending: Pending = { state: random(), nonce: random(), verifier: random(), from: location.pathname };
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(pending.verifier));
  const target = new URL(authorization_endpoint);
  const query: Record<string, string> = {
    response_type: "code",
    client_id: given.client,
    redirect_uri: location.origin + RETURN_PATH,
    scope: given.scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: base64(new Uint8Array(digest)),
    code_challenge_method: "S256",
    ...(given.resource && { resource: given.resource }),
  };
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  location.assign(target);
}

/** Return the page from which the visitor went to the provider. */
export function cameFrom(): string {
  const from = pending()?.from ?? "/";
  return from === RETURN_PATH ? "/" : from;
}

/** Exchange what the provider sent the visitor back with for tokens. Throws where it does not fit what was asked. */
export async function returned(given: Oidc, query: URLSearchParams): Promise<Session> {
  const asked = pending();
  sessionStorage.removeItem(KEY);
  const issuer = query.get("iss");
  if (query.get("state") !== asked?.state || (issuer !== null && issuer !== given.issuer)) {
    throw new Failed("notAsked", "the answer belongs to no sign-in of this page");
  }
  const code = query.get("code");
  if (code === null) {
    const error = query.get("error");
    throw new Failed(error === "access_denied" ? "signInDenied" : "signInFailed", `the provider has answered: ${String(error)}`);
  }
  const session = await tokens(given, {
    grant_type: "authorization_code",
    code,
    redirect_uri: location.origin + RETURN_PATH,
    code_verifier: asked.verifier,
  });
  // The token comes from the provider itself, so that its signature proves no more (OpenID Connect Core 3.1.3.7).
  const said = payload(session.idToken ?? "");
  const audiences = [said["aud"]].flat();
  if (said["nonce"] !== asked.nonce || said["iss"] !== given.issuer || !audiences.includes(given.client)) {
    throw new Failed("notAsked", "the id token was made for another sign-in");
  }
  if (typeof said["exp"] !== "number" || said["exp"] * 1000 + LEEWAY_MS < Date.now()) {
    throw new Failed("notAsked", "the id token is too old");
  }
  return session;
}

/** Return new tokens. Throws where the provider gives none. */
export async function renewed(given: Oidc, refresh: string, idToken?: string): Promise<Session> {
  const session = await tokens(given, { grant_type: "refresh_token", refresh_token: refresh });
  return { ...(idToken !== undefined && { idToken }), refresh, ...session };
}

/** End a sign-in at the provider. Returns the page of the provider that ends its own, undefined where it has none. */
export async function ended(given: Oidc, session: Session): Promise<string | undefined> {
  await revoked(given, session);
  const { end_session_endpoint } = await provider(given).catch(() => ({ end_session_endpoint: undefined }));
  if (end_session_endpoint === undefined) return undefined;
  const target = new URL(end_session_endpoint);
  target.searchParams.set("client_id", given.client);
  target.searchParams.set("post_logout_redirect_uri", `${location.origin}/`);
  if (session.idToken !== undefined) target.searchParams.set("id_token_hint", session.idToken);
  return target.href;
}

/** Have the provider take back a refresh token. Where it does not answer, the token ends by itself. */
export async function revoked(given: Oidc, session: Session): Promise<void> {
  try {
    const { revocation_endpoint } = await provider(given);
    if (revocation_endpoint === undefined || session.refresh === undefined) return;
    const body = new URLSearchParams({ token: session.refresh, token_type_hint: "refresh_token", client_id: given.client });
    await fetch(callable(given, revocation_endpoint), { method: "POST", body, keepalive: true });
  } catch {
    // The visitor is signed out here all the same.
  }
}

async function tokens(given: Oidc, body: Record<string, string>): Promise<Session> {
  const { token_endpoint } = await provider(given);
  const whole = { ...body, client_id: given.client, ...(given.resource && { resource: given.resource }) };
  const answer = await asked(callable(given, token_endpoint), { method: "POST", body: new URLSearchParams(whole) });
  const found = (await answer.json()) as { access_token?: string; refresh_token?: string; id_token?: string };
  if (found.access_token === undefined) throw new Failed("signInFailed", "the provider has sent no token");
  claims(found.access_token); // throws where the house could not read it either
  return {
    token: found.access_token,
    ...(found.refresh_token !== undefined && { refresh: found.refresh_token }),
    ...(found.id_token !== undefined && { idToken: found.id_token }),
  };
}

async function provider(given: Oidc): Promise<Provider> {
  const issuer = given.issuer.replace(/\/$/, "");
  const found = (await (await asked(`${issuer}/.well-known/openid-configuration`)).json()) as Provider;
  if (found.issuer.replace(/\/$/, "") !== issuer) throw new Failed("notAsked", `${issuer} speaks for another issuer`);
  return found;
}

/** Return an address of the provider that the page calls. Throws where its policy does not let it. */
function callable(given: Oidc, address: string): string {
  const { origin } = new URL(address);
  if (origin === new URL(given.issuer).origin || given.origins.includes(origin)) return address;
  throw new Failed({ origin }, `the provider names ${origin}, which this page may not call`);
}

/** Return a good answer of the provider. Throws `Failed`. */
async function asked(address: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(address, init).catch(() => undefined);
  if (answer === undefined || answer.status >= 500 || LATER.has(answer.status)) {
    throw new Failed("providerAway", `no answer from ${address}`);
  }
  if (!answer.ok) throw new Failed("signInFailed", `the provider has answered with ${answer.status.toString()}`);
  return answer;
}

function payload(token: string): Record<string, unknown> {
  const part = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    return JSON.parse(atob(part)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function pending(): Pending | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Pending | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function random(): string {
  return base64(crypto.getRandomValues(new Uint8Array(32)));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Forget a sign-in that has begun. */
export function forget(): void {
  sessionStorage.removeItem(KEY);
}
