// Sign-in at a provider: what is asked, what is taken for its answer, and in which words the rest is refused.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import * as oidc from "../oidc.js";
import { arrive, claims, tabs } from "../session.js";
import { type Answer, browser, gone, ISSUER, keptNames, moved, sent, SETTINGS, token } from "./browser.ts";

after(() => { tabs.close(); });

/** Go to the provider from a table and come back with an answer, which may be changed. */
async function cameBack(answer: Answer, change: (query: URLSearchParams) => void = () => undefined, id: Record<string, unknown> = {}): Promise<Awaited<ReturnType<typeof arrive>>> {
  let nonce = "";
  browser("/tables/a", () => {
    const idToken = token("ann", 300, { iss: ISSUER, aud: "page", nonce, ...id });
    return answer ?? { status: 200, body: { access_token: token("ann", 600), refresh_token: "r1", id_token: idToken } };
  });
  await oidc.leave(SETTINGS.oidc);
  const asked = gone[0]?.searchParams ?? new URLSearchParams();
  nonce = asked.get("nonce") ?? "";
  const query = new URLSearchParams({ code: "the-code", state: asked.get("state") ?? "", iss: ISSUER });
  change(query);
  moved(`${oidc.RETURN_PATH}?${query.toString()}`);
  return await arrive(SETTINGS);
}

void test("a visitor is sent to the provider and comes back to the same table, signed in", async () => {
  const found = await cameBack(undefined);
  assert(found.kind === "in" && claims(found.session.token).sub === "ann");
  assert.deepEqual([location.pathname, location.search], ["/tables/a", ""]);
  const asked = Object.fromEntries(gone[0]?.searchParams ?? []);
  assert.deepEqual([asked["response_type"], asked["code_challenge_method"], asked["redirect_uri"]], ["code", "S256", "https://page.example/signed-in"]);
  const body = new URLSearchParams(sent.at(-1)?.body);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body.get("code_verifier") ?? ""));
  assert.equal(Buffer.from(digest).toString("base64url"), asked["code_challenge"]);
  assert.deepEqual([body.get("code"), body.get("client_id"), body.get("client_secret")], ["the-code", "page", null]);
  assert.deepEqual(keptNames(), ["pitboss.session"]);
});

for (const [name, why, change, id] of [
  ["another state", "notAsked", (query: URLSearchParams) => { query.set("state", "x"); }, {}],
  ["no state", "notAsked", (query: URLSearchParams) => { query.delete("state"); }, {}],
  ["another provider", "notAsked", (query: URLSearchParams) => { query.set("iss", "https://evil.example"); }, {}],
  ["another nonce", "notAsked", () => undefined, { nonce: "x" }],
  ["another client", "notAsked", () => undefined, { aud: "other" }],
  ["another issuer of the id token", "notAsked", () => undefined, { iss: "https://evil.example" }],
  ["an old id token", "notAsked", () => undefined, { exp: 1 }],
  ["no code", "signInFailed", (query: URLSearchParams) => { query.delete("code"); query.set("error", "server_error"); }, {}],
  ["a visitor who breaks off", "signInDenied", (query: URLSearchParams) => { query.delete("code"); query.set("error", "access_denied"); }, {}],
] as const) {
  void test(`${name} signs nobody in`, async () => {
    assert.deepEqual(await cameBack(undefined, change, id), { kind: "out", why });
    assert.deepEqual(keptNames(), []);
  });
}

for (const [name, why, answer] of [
  ["a code that the provider refuses", "signInFailed", { status: 400, body: { error: "invalid_grant" } }],
  ["an answer without a token", "signInFailed", { status: 200, body: {} }],
  ["a token that is no JWT", "signInFailed", { status: 200, body: { access_token: "opaque" } }],
  ["an answer without an id token", "notAsked", { status: 200, body: { access_token: token("ann", 600) } }],
  ["a provider that is down", "providerAway", { status: 503 }],
] as const) {
  void test(`${name} signs nobody in`, async () => {
    assert.deepEqual(await cameBack(answer), { kind: "out", why });
    assert.deepEqual(keptNames(), []);
  });
}

void test("an answer that comes twice is taken once", async () => {
  await cameBack(undefined);
  sessionStorage.removeItem("pitboss.session");
  moved(`${oidc.RETURN_PATH}?code=the-code&state=${gone[0]?.searchParams.get("state") ?? ""}`);
  assert.deepEqual(await arrive(SETTINGS), { kind: "out", why: "notAsked" });
});

void test("an origin of the provider that the page may not call is named, and not called", async () => {
  browser("/", () => ({ status: 400 }), { token_endpoint: "https://token.example/token" });
  const refused = await oidc.renewed(SETTINGS.oidc, "r1").catch((thrown: unknown) => oidc.faultOf(thrown));
  assert.deepEqual(refused, { origin: "https://token.example" });
  assert(!sent.some((one) => one.address.startsWith("https://token.example")));
  const allowed = { ...SETTINGS.oidc, origins: ["https://token.example"] };
  assert.equal(await oidc.renewed(allowed, "r1").catch((thrown: unknown) => oidc.faultOf(thrown)), "signInFailed");
  assert(sent.some((one) => one.address === "https://token.example/token"));
});

void test("a provider that speaks for another issuer is not used", async () => {
  browser("/", () => undefined, { issuer: "https://evil.example" });
  assert.equal(await oidc.leave(SETTINGS.oidc).catch((thrown: unknown) => oidc.faultOf(thrown)), "notAsked");
  assert.deepEqual(gone, []);
});
