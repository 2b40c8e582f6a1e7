// What a browser keeps of rounds as views and events come: nothing is judged that was not seen whole.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { SetSeedResponse, TableEvent, TableView } from "@pitboss/client/web";

import { checked, countSeen, type Reason } from "../check.js";
import { forgetAll, Keeper, type Store } from "../keeper.js";
import { digest } from "../seeds.js";
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
  const keeper = new Keeper(vectors.table, store);
  keeper.note(view(2, 5, { next: "c3" }), []);
  keeper.note(view(3, 6, { next: "c4", root: stock.root, cards: CARDS }), [dealt(6, [0, 2], CARDS, "RoundStarted")]);
  keeper.note(view(3, 6, { next: "c4", root: stock.root, cards: CARDS }), [dealt(6, [0, 2], CARDS, "RoundStarted")]);
  const record = new Keeper(vectors.table, store).record(3n);
  assert.deepEqual(record, keeper.record("3"));
  assert.deepEqual([record.whole, record.commitments, countSeen(record), record.roots.length], [true, ["c3"], 2, 1]);
  assert.deepEqual(keeper.record(4n).commitments, ["c4"]);
});

void test("a commitment or a root that changes is noticed", async () => {
  const keeper = new Keeper(vectors.table, undefined);
  keeper.note(view(2, 5, { next: "c3" }), []);
  keeper.note(view(2, 6, { next: "changed" }), []);
  keeper.note(view(3, 7, { next: "c4", root: stock.root }), []);
  keeper.note(view(3, 8, { next: "c4", root: "00" }), []);
  const steps = await checked({ record: keeper.record(3n), proofs: undefined });
  const bad = steps.filter((one) => one.state === "bad").map((one) => one.reason);
  assert.deepEqual(bad, ["commitmentChanged", "rootChanged"]);
});

void test("nothing wrong is said of the beginning of a round that was not seen", async () => {
  const keeper = new Keeper(vectors.table, undefined);
  keeper.note(view(3, 9, { next: "c4", root: stock.root, cards: CARDS }), [dealt(9, [7], ["??"])]);
  const steps = await checked({ record: keeper.record(3n), proofs: stock.proofs.slice(0, 2) });
  assert.deepEqual(steps.filter((one) => one.state === "bad"), []);
  // Several rounds in one message: those that passed are not judged by what was missed of them.
  keeper.note(view(5, 20, { next: "c6" }), [dealt(12, [0], ["As"], "RoundStarted"), dealt(15, [1], ["??"], "RoundStarted")]);
  assert.deepEqual([keeper.record(4n).whole, keeper.record(5n).whole], [false, true]);
});

void test("an own seed is kept for the round that it goes into", async () => {
  const keeper = new Keeper(vectors.table, undefined);
  keeper.note(view(2, 5, { next: vectors.commitment }), []);
  for (const [round, taken] of [[3n, "3"], [4n, "4"]] as const) {
    const seedDigest = await digest(vectors.table, round, 2, "lucky");
    await keeper.noteSeed(2n, 2, "lucky", { seedDigest, houseCommitment: vectors.commitment } as SetSeedResponse);
    assert.equal(keeper.record(taken).seed?.digest, seedDigest);
  }
});

void test("only so many rounds are kept", () => {
  const store = memory();
  const keeper = new Keeper(vectors.table, store);
  for (let round = 1; round <= 100; round += 1) keeper.note(view(round, round, { next: `c${round}` }), []);
  assert(store.kept.size <= 60);
  assert(store.kept.has(`pitboss.deck.${vectors.table}.101`));
});

void test("nothing of any table is left after everything was forgotten, and other things of the tab stay", () => {
  const store = memory();
  for (const table of ["one", "two"]) new Keeper(table, store).note(view(1, 1, { next: "c1" }), []);
  store.setItem("pitboss.language", "en");
  assert(store.kept.size > 1);
  forgetAll(store);
  assert.deepEqual([...store.kept.keys()], ["pitboss.language"]);
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
