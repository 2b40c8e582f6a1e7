// Sessions: links of guests, renewals, ends, and other tabs.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { arrive, claims, forget, leaveCode, redeemed, signOut, tabs, tokens } from "../session.js";
import { Tabs } from "../tabs.js";
import { browser, keptNames, sent, SETTINGS, signedIn, token } from "./browser.ts";

after(() => { tabs.close(); });

const never = (): void => { assert.fail("the sign-in must not end"); };

void test("a guest's link signs in, once, and leaves nothing in the address", async () => {
  browser("/tables/a#guest=code", () => ({ status: 200, body: { token: token("guest-1", 60) } }));
  const found = await arrive(SETTINGS);
  assert.equal(found.kind, "in");
  assert.deepEqual([location.hash, location.pathname], ["", "/tables/a"]);
  assert.deepEqual(sent, [{ address: "/guest", body: '{"code":"code"}' }]);
});

void test("only the answer that the code is unknown says that the link was used", async () => {
  browser("/#guest=code", () => ({ status: 404 }));
  assert.deepEqual(await arrive(SETTINGS), { kind: "out", why: "linkUsed" });
  assert.equal(location.hash, "");
  for (const answer of [undefined, { status: 500 }, { status: 429 }, { status: 503 }]) {
    browser("/#guest=code", () => answer);
    await assert.rejects(arrive(SETTINGS));
    assert.equal(location.hash, "#guest=code", "the link is kept for another try");
  }
});

void test("a guest's link asks before it takes the place of a visitor who is signed in", async () => {
  browser("/#guest=code", () => ({ status: 200, body: { token: token("guest-1", 60) } }));
  signedIn({ token: token("ann", 60) });
  sessionStorage.setItem("pitboss.deck.ann t 1", "1 {}");
  const found = await arrive(SETTINGS);
  assert(found.kind === "ask" && found.code === "code");
  assert.deepEqual(sent, [], "the code is not used by asking");
  leaveCode();
  const stayed = await arrive(SETTINGS);
  assert(stayed.kind === "in" && claims(stayed.session.token).sub === "ann");
  const taken = await redeemed("code");
  assert(taken.kind === "in" && claims(taken.session.token).sub === "guest-1");
  assert.deepEqual(keptNames(), ["pitboss.session"], "nothing of the visitor before is left");
});

void test("a sign-in that is over does not ask, and what cannot be read is no sign-in", async () => {
  for (const kept of [JSON.stringify({ token: token("ann", -60) }), "{", '"x"', '{"token":"opaque"}', '{"token":"a.b.c"}']) {
    browser("/#guest=code", () => ({ status: 200, body: { token: token("guest-1", 60) } }));
    sessionStorage.setItem("pitboss.session", kept);
    assert.equal((await arrive(SETTINGS)).kind, "in");
    browser("/", () => undefined);
    sessionStorage.setItem("pitboss.session", kept);
    assert.deepEqual(await arrive(SETTINGS), { kind: "out", why: "expired" });
    assert.deepEqual(keptNames(), []);
  }
});

void test("calls that wait at once share one renewal, and the provider sees each refresh token once", async () => {
  let count = 0;
  browser("/", async (_, body) => {
    count += 1;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(new URLSearchParams(body).get("refresh_token"), `r${String(count)}`);
    return { status: 200, body: { access_token: token("ann", count === 1 ? 10 : 600), refresh_token: `r${String(count + 1)}` } };
  });
  const first = { token: token("ann", 10), refresh: "r1" };
  signedIn(first);
  const get = tokens(SETTINGS, first, never);
  const got = await Promise.all(Array.from({ length: 20 }, get));
  assert.deepEqual([count, new Set(got).size], [1, 1]);
  await Promise.all([get(), get()]);
  assert.equal(count, 2);
  await get();
  assert.equal(count, 2, "a token that is good is not renewed");
  assert.match(sessionStorage.getItem("pitboss.session") ?? "", /"r3"/);
});

void test("a refused renewal ends the sign-in; one that nobody answers does not, as long as the token is good", async () => {
  let ends = 0;
  const first = { token: token("ann", 10), refresh: "r1" };
  browser("/", () => ({ status: 400, body: { error: "invalid_grant" } }));
  signedIn(first);
  await assert.rejects(tokens(SETTINGS, first, () => { ends += 1; })());
  assert.equal(ends, 1);
  for (const answer of [undefined, { status: 502 }, { status: 429 }]) {
    browser("/", () => answer);
    signedIn(first);
    assert.equal(await tokens(SETTINGS, first, never)(), first.token);
  }
});

void test("a renewal that comes after a sign-out keeps nothing, and gives the provider its token back", async () => {
  let release = (): void => undefined;
  const waits = new Promise<void>((resolve) => { release = resolve; });
  const first = { token: token("ann", 10), refresh: "r1" };
  browser("/", async (address) => {
    if (address.endsWith("/token")) await waits;
    return { status: 200, body: { access_token: token("ann", 600), refresh_token: "r2" } };
  });
  signedIn(first);
  const got = tokens(SETTINGS, first, never)();
  await new Promise((resolve) => setTimeout(resolve, 300)); // the renewal is on its way
  forget();
  signedIn({ token: token("guest-1", 600) });
  release();
  assert.equal(await got, first.token);
  assert.match(sessionStorage.getItem("pitboss.session") ?? "", /^((?!r2).)*$/);
  assert(sent.some((one) => one.address.endsWith("/revoke") && one.body.includes("token=r2")));
});

void test("a sign-out keeps nothing, tells the other tabs of that person alone, and ends the sign-in at the provider", async () => {
  const other = new Tabs();
  const heard: string[] = [];
  const told = new Promise<void>((resolve) => {
    other.onOut("bob", () => { heard.push("bob"); });
    other.onOut("ann", () => { heard.push("ann"); resolve(); });
  });
  browser("/", () => ({ status: 200 }));
  const session = { token: token("ann", 600), refresh: "r7", idToken: "the-id-token" };
  signedIn(session);
  sessionStorage.setItem("pitboss.deck.ann t 1", "1 {}");
  const page = new URL((await signOut(SETTINGS, session)) ?? "");
  assert.deepEqual(keptNames(), []);
  assert(sent.some((one) => one.address.endsWith("/revoke") && one.body.includes("token=r7")));
  assert.equal(page.origin + page.pathname, "https://id.example/end");
  assert.deepEqual(Object.fromEntries(page.searchParams), {
    client_id: "page", id_token_hint: "the-id-token", post_logout_redirect_uri: "https://page.example/",
  });
  await told;
  assert.deepEqual(heard, ["ann"]);
  other.close();
  browser("/", () => undefined);
  assert.equal(await signOut(SETTINGS, { token: token("guest-1", 60) }), undefined, "a guest has no provider");
  assert.deepEqual(sent, []);
});

void test("a tab that was duplicated takes the other's renewal instead of using a refresh token again", async () => {
  const other = new Tabs();
  let count = 0;
  const renew = async (): Promise<{ token: string; refresh: string }> => {
    count += 1;
    return await Promise.resolve({ token: token("ann", 600), refresh: "r2" });
  };
  const [first, second] = [await other.renewal("r1", renew), await tabs.renewal("r1", renew)];
  assert.deepEqual([first, count], [second, 1]);
  await tabs.renewal("another", renew);
  assert.equal(count, 2);
  other.close();
});
