// A past round in frames, the keys and addresses that move through it, and what can be checked of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { PastRound, PastStep } from "@pitboss/client/web";

import { checked, verdict } from "../../fairness/check.js";
import { unseen, withCommitment } from "../../fairness/record.js";
import { vectors } from "../../fairness/test/vectors.js";
import { evidenceOf } from "../evidence.js";
import { frames, stepFor, stepOf } from "../frames.js";

const [stock] = vectors.stocks;
assert(stock !== undefined);
const CARDS = stock.order.slice(0, 2);

function step(version: number, words: string, more: { readonly cards?: readonly string[] } = {}): PastStep {
  const kind = { case: "dealt", value: { zone: "hand", stock: 0, positions: [0, 1], cards: more.cards ?? [] } };
  const round = {
    roundNumber: BigInt(vectors.round),
    stocks: [{ stock: 0, size: 52, root: stock?.root }],
    zones: [{ name: "hand", cards: CARDS }],
    options: [{ action: "fold" }],
    state: 1,
  };
  return {
    version: BigInt(version),
    words,
    view: { version: BigInt(version), round },
    event: { version: BigInt(version), happenings: more.cards === undefined ? [] : [{ kind }] },
  } as unknown as PastStep;
}

function past(steps: readonly PastStep[]): PastRound {
  return { steps, proofs: stock?.proofs.slice(0, 2) ?? [], houseCommitment: vectors.commitment, seedDigest: "" } as unknown as PastRound;
}

void test("steps without words belong to the frame before them, and events add up", () => {
  const made = frames(past([step(5, ""), step(6, "cards are dealt"), step(7, "ann folds\nbob wins"), step(8, ""), step(9, "settled")]));
  assert.deepEqual(made.map((one) => one.words), [["cards are dealt"], ["ann folds", "bob wins"], ["settled"]]);
  assert.deepEqual(made.map((one) => one.view?.version), [6n, 8n, 9n]);
  assert.deepEqual(made.map((one) => one.events.length), [2, 4, 5]);
  assert(made.every((one) => one.view?.round?.options.length === 0), "nothing can be done in a replay");
  assert.deepEqual(frames(past([])), []);
  assert.equal(frames(past([step(5, "")])).length, 1);
});

void test("an address names a step from 1 on, and stays within the round", () => {
  const found = [undefined, "", "1", "3", "0", "-2", "99", "x", "1e3"].map((text) => stepOf(text, 5));
  assert.deepEqual(found, [0, 0, 0, 2, 0, 0, 4, 0, 0]);
});

void test("keys step back and on, to the beginning and the end, and not beyond", () => {
  assert.deepEqual([stepFor("ArrowLeft", 0, 5), stepFor("ArrowLeft", 3, 5)], [0, 2]);
  assert.deepEqual([stepFor("ArrowRight", 4, 5), stepFor("ArrowRight", 0, 5)], [4, 1]);
  assert.deepEqual([stepFor("Home", 3, 5), stepFor("End", 3, 5), stepFor("x", 3, 5)], [0, 4, undefined]);
});

void test("a past round is green where its roots were kept, open where they were not, and red where it is not what was seen at the table", async () => {
  const round = past([step(5, "dealt", { cards: CARDS }), step(6, "over")]);
  const fresh = unseen(vectors.table, String(vectors.round));
  const steps = await checked(evidenceOf(fresh, round));
  assert.equal(verdict(steps), "open");
  assert.deepEqual(steps.map((one) => one.reason).slice(0, 3), ["committedUnseen", "noSeed", "rootsUnseen"]);
  const roots = vectors.stocks.map(({ stock: number, root }) => ({ stock: number, size: 52, root }));
  const kept = await checked(evidenceOf({ ...fresh, roots }, round));
  assert.equal(verdict(kept), "good");
  const other = { ...fresh, roots: [{ stock: 0, size: 52, root: "00" }] };
  const wrong = await checked(evidenceOf(other, round));
  assert(wrong.some((one) => one.reason === "rootChanged"));
  const later = await checked(evidenceOf(withCommitment(fresh, "00"), round));
  assert(later.some((one) => one.reason === "commitmentDiffers"));
  const [proof, ...rest] = round.proofs;
  assert(proof !== undefined);
  const tampered = { ...round, proofs: [{ ...proof, nonce: "00".repeat(32) }, ...rest] };
  assert((await checked(evidenceOf(fresh, tampered))).some((one) => one.reason === "proofElsewhere"));
});
