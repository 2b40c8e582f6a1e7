// Sign-in at an OpenID Connect provider: authorization code with PKCE (RFC 7636), in this page alone, without a secret.

import type { Session } from "./session.js";
import type { Oidc } from "./settings.js";

export const RETURN_PATH = "/signed-in";

interface Provider {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

interface Pending {
  readonly state: string;
  readonly verifier: string;
  readonly from: string;
}

const KEY = "pitboss.sign-in";

/** Go to the provider; it sends the visitor back to `RETURN_PATH`. */
export async function leave(given: Oidc): Promise<void> {
  const { authorization_endpoint } = await provider(given);
  const pending: Pending = { state: random(), verifier: random(), from: location.pathname };
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(pending.verifier));
  const target = new URL(authorization_endpoint);
  const query: Record<string, string> = {
    response_type: "code",
    client_id: given.client,
    redirect_uri: location.origin + RETURN_PATH,
    scope: given.scope,
    state: pending.state,
    code_challenge: base64(new Uint8Array(digest)),
    code_challenge_method: "S256",
    ...(given.resource && { resource: given.resource }),
  };
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  location.assign(target);
}

/** Return the page from which the visitor went to the provider. */
export function cameFrom(): string {
  return pending()?.from ?? "/";
}

/** Exchange what the provider sent the visitor back with for tokens. Throws where it does not fit what was asked. */
export async function returned(given: Oidc, query: URLSearchParams): Promise<Session> {
  const asked = pending();
  sessionStorage.removeItem(KEY);
  const code = query.get("code");
  if (asked === undefined || code === null || query.get("state") !== asked.state) {
    throw new Error("the provider's answer belongs to no sign-in of this page");
  }
  const issuer = query.get("iss");
  if (issuer !== null && issuer !== given.issuer) throw new Error("another provider has answered");
  return await tokens(given, {
    grant_type: "authorization_code",
    code,
    redirect_uri: location.origin + RETURN_PATH,
    code_verifier: asked.verifier,
  });
}

/** Return new tokens. Throws where the provider gives none. */
export async function renewed(given: Oidc, refresh: string): Promise<Session> {
  const session = await tokens(given, { grant_type: "refresh_token", refresh_token: refresh });
  return session.refresh === undefined ? { ...session, refresh } : session;
}

async function tokens(given: Oidc, body: Record<string, string>): Promise<Session> {
  const { token_endpoint } = await provider(given);
  const whole = { ...body, client_id: given.client, ...(given.resource && { resource: given.resource }) };
  const answer = await fetch(token_endpoint, { method: "POST", body: new URLSearchParams(whole) });
  if (!answer.ok) throw new Error(`the provider has answered with ${answer.status}`);
  const found = (await answer.json()) as { access_token?: string; refresh_token?: string };
  if (found.access_token === undefined) throw new Error("the provider has sent no token");
  return { token: found.access_token, ...(found.refresh_token !== undefined && { refresh: found.refresh_token }) };
}

async function provider(given: Oidc): Promise<Provider> {
  const answer = await fetch(`${given.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  if (!answer.ok) throw new Error(`the provider has answered with ${answer.status}`);
  return (await answer.json()) as Provider;
}

function pending(): Pending | undefined {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? undefined : (JSON.parse(kept) as Pending);
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
