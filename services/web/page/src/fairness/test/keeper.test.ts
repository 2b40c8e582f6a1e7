// What a browser keeps of rounds as views and events come: nothing is judged that was not seen whole.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { SetSeedResponse, TableEvent, TableView } from "@pitboss/client/web";

import { checked, countSeen, type Reason } from "../check.js";
import { forgetAll, Keeper, keeperOf, showTo } from "../keeper.js";
import { digest } from "../seeds.js";
import { MOST_RECORDS, Shelf, type Store } from "../shelf.js";
import { fairnessWords, line, sentence } from "../words/index.js";
import { vectors } from "./vectors.js";

const [stock] = vectors.stocks;
assert(stock !== undefined);

/** A store as browsers have it. */
function memory(): Store & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get length() { return kept.size; },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => { kept.set(name, text); },
    removeItem: (name: string) => { kept.delete(name); },
  };
}

function view(round: number, version: number, more: { readonly next: string; readonly root?: string; readonly cards?: string[] }): TableView {
  const stocks = more.root === undefined ? [] : [{ stock: 0, size: 52, root: more.root }];
  return {
    version: BigInt(version),
    table: { tableId: vectors.table, roundNumber: BigInt(round) },
    nextSeedCommitment: more.next,
    ...(more.root !== undefined && {
      round: { roundNumber: BigInt(round), stocks, zones: [{ name: "hand", cards: more.cards ?? [] }], state: 1 },
    }),
  } as unknown as TableView;
}

function dealt(version: number, positions: readonly number[], cards: readonly string[], type = "ActionTaken"): TableEvent {
  const kind = { case: "dealt", value: { zone: "hand", stock: 0, positions, cards } };
  return { version: BigInt(version), type, happenings: [{ kind }] } as unknown as TableEvent;
}

const CARDS = stock.order.slice(0, 2);

void test("a round that was seen from before its start is whole, and kept for the next page", () => {
  const store = memory();
  const keeper = new Keeper(vectors.table, new Shelf("ann", store));
  keeper.note(view(2, 5, { next: "c3" }), []);
  keeper.note(view(3, 6, { next: "c4", root: stock.root, cards: CARDS }), [dealt(6, [0, 2], CARDS, "RoundStarted")]);
  keeper.note(view(3, 6, { next: "c4", root: stock.root, cards: CARDS }), [dealt(6, [0, 2], CARDS, "RoundStarted")]);
  const record = new Keeper(vectors.table, new Shelf("ann", store)).record(3n);
  assert.deepEqual(record, keeper.record("3"));
  assert.deepEqual([record.whole, record.commitments, countSeen(record), record.roots.length], [true, ["c3"], 2, 1]);
  assert.deepEqual(keeper.record(4n).commitments, ["c4"]);
});

void test("a commitment or a root that changes is noticed", async () => {
  const keeper = new Keeper(vectors.table, new Shelf("ann", undefined));
  keeper.note(view(2, 5, { next: "c3" }), []);
  keeper.note(view(2, 6, { next: "changed" }), []);
  keeper.note(view(3, 7, { next: "c4", root: stock.root }), []);
  keeper.note(view(3, 8, { next: "c4", root: "00" }), []);
  const steps = await checked({ record: keeper.record(3n), proofs: undefined });
  const bad = steps.filter((one) => one.state === "bad").map((one) => one.reason);
  assert.deepEqual(bad, ["commitmentChanged", "rootChanged"]);
});

void test("nothing wrong is said of the beginning of a round that was not seen", async () => {
  const keeper = new Keeper(vectors.table, new Shelf("ann", undefined));
  keeper.note(view(3, 9, { next: "c4", root: stock.root, cards: CARDS }), [dealt(9, [7], ["??"])]);
  const steps = await checked({ record: keeper.record(3n), proofs: stock.proofs.slice(0, 2) });
  assert.deepEqual(steps.filter((one) => one.state === "bad"), []);
  // Several rounds in one message: those that passed are not judged by what was missed of them.
  keeper.note(view(5, 20, { next: "c6" }), [dealt(12, [0], ["As"], "RoundStarted"), dealt(15, [1], ["??"], "RoundStarted")]);
  assert.deepEqual([keeper.record(4n).whole, keeper.record(5n).whole], [false, true]);
});

void test("an own seed is kept for the round that it goes into", async () => {
  const keeper = new Keeper(vectors.table, new Shelf("ann", undefined));
  keeper.note(view(2, 5, { next: vectors.commitment }), []);
  for (const [round, taken] of [[3n, "3"], [4n, "4"]] as const) {
    const seedDigest = await digest(vectors.table, round, 2, "lucky");
    await keeper.noteSeed(2n, 2, "lucky", { seedDigest, houseCommitment: vectors.commitment } as SetSeedResponse);
    assert.equal(keeper.record(taken).seed?.digest, seedDigest);
  }
});

void test("only so many records are kept over all tables, and the newest is among them", () => {
  const store = memory();
  for (const table of ["one", "two", "three"]) {
    const keeper = new Keeper(table, new Shelf("ann", store));
    for (let round = 1; round <= 60; round += 1) keeper.note(view(round, round, { next: `c${round}` }), []);
  }
  assert.equal(store.kept.size, MOST_RECORDS);
  assert(store.kept.has("pitboss.deck.ann three 61"));
  assert(!store.kept.has("pitboss.deck.ann one 1"));
});

void test("a full storage keeps the newest record in the place of the oldest, and says when it keeps none", () => {
  const store = memory();
  let room = 3;
  const full = {
    ...store,
    get length() { return store.length; },
    setItem: (name: string, text: string) => {
      if (!store.kept.has(name) && store.kept.size >= room) throw new Error("full");
      store.setItem(name, text);
    },
  };
  const shelf = new Shelf("ann", full);
  for (let round = 1; round <= 9; round += 1) assert(shelf.put(`t ${round}`, `r${round}`));
  assert.deepEqual([7, 8, 9].map((round) => shelf.get(`t ${round}`)), ["r7", "r8", "r9"]);
  assert.equal(store.kept.size, 3);
  room = 0;
  const keeper = new Keeper(vectors.table, shelf);
  keeper.note(view(1, 1, { next: "c2" }), []);
  assert(keeper.isUnkept);
  assert.deepEqual(keeper.record(2n).commitments, ["c2"], "the page itself still has it");
  room = 3;
  keeper.note(view(2, 2, { next: "c3" }), []);
  assert(!keeper.isUnkept);
});

void test("a record that is changed becomes the newest one, also for the next page", () => {
  const store = memory();
  const shelf = new Shelf("ann", store);
  for (let at = 0; at < MOST_RECORDS; at += 1) shelf.put(`t ${at}`, "first");
  shelf.put("t 0", "changed");
  const next = new Shelf("ann", store);
  next.put("t new", "new");
  assert.deepEqual([next.get("t 0"), next.get("t 1"), next.get("t new")], ["changed", undefined, "new"]);
});

void test("each viewer of a tab has records of its own", () => {
  const store = memory();
  for (const viewer of ["ann", "bob", "an"]) {
    showTo(viewer, store);
    assert.deepEqual(keeperOf("one").record(2n).commitments, []);
    keeperOf("one").note(view(1, 1, { next: `seen by ${viewer}` }), []);
  }
  showTo("ann", store);
  assert.deepEqual(keeperOf("one").record(2n).commitments, ["seen by ann"]);
  forgetAll(store);
});

void test("nothing of any table or viewer is left after everything was forgotten, and other things of the tab stay", () => {
  const store = memory();
  for (const viewer of ["ann", "bob"]) {
    showTo(viewer, store);
    for (const table of ["one", "two"]) keeperOf(table).note(view(1, 1, { next: "c1" }), []);
  }
  store.setItem("pitboss.language", "en");
  assert(store.kept.size > 4);
  forgetAll(store);
  assert.deepEqual([...store.kept.keys()], ["pitboss.language"]);
  assert.deepEqual(keeperOf("one").record(2n).commitments, []);
});

void test("every finding is said in three languages, without names of the program", () => {
  for (const language of ["en", "zh-Hant", "zh-Hans"] as const) {
    const words = fairnessWords(language);
    for (const reason of Object.keys(words.reasons) as Reason[]) {
      const step = { rule: "deck", state: "open", reason, card: "Th", expected: "As", stock: 0, position: 3, count: 2, of: 7 } as const;
      const said = sentence(step, words);
      assert(said.length > 5 && !/undefined|NaN|[{}]/.test(said), `${language} ${reason}: ${said}`);
      if (language !== "en") assert(!/[A-Za-z]{3,}/.test(said.replace("JSON", "")), said);
      const bad = { ...step, state: "bad" } as const;
      assert(line([bad], 7, words).includes(said));
    }
  }
});
