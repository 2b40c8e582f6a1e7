// The checks in the browser agree with the house on everything that is true, and find every single untruth.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hex, unhex } from "../bytes.js";
import { checked, type Evidence, type Reason, type Rule, type State, verdict } from "../check.js";
import { dealtAgain, type Document, root256, shuffled } from "../deck.js";
import { type Proof, rootOf } from "../proof.js";
import { type RoundRecord, unseen, withCommitment, withSeed } from "../record.js";
import { commitment, digest, roundSeed } from "../seeds.js";
import { vectors } from "./vectors.js";

const OTHER = "ab".repeat(32);
const [first] = vectors.stocks;
assert(first !== undefined);
const SHOWN = first.proofs.slice(0, 7);

/** A round as a player kept it who gave a seed and saw seven cards. */
function honest(): RoundRecord {
  const seat = Number(Object.keys(vectors.texts)[0]);
  const text = vectors.texts[String(seat)] ?? "";
  const before = withCommitment(unseen(vectors.table, String(vectors.round)), vectors.commitment);
  const seeded = withSeed(before, {
    seat, text, digest: vectors.digests[String(seat)] ?? "", commitment: vectors.commitment,
  });
  const seen = SHOWN.map(({ stock, position, card }) => ({ stock, position, card }));
  return {
    ...seeded,
    roots: vectors.stocks.map(({ stock, order, root }) => ({ stock, size: order.length, root })),
    seen,
    dealt: [...seen, { stock: 0, position: 20 }],
    faces: seen.map((one) => one.card),
    whole: true,
    ended: true,
  };
}

async function found(evidence: Evidence, rule: Rule): Promise<[State, Reason, State]> {
  const steps = await checked(evidence);
  const step = steps.find((one) => one.rule === rule);
  assert(step !== undefined);
  return [step.state, step.reason, verdict(steps)];
}

function changed(proof: Proof | undefined, change: Partial<Proof>): Proof {
  assert(proof !== undefined);
  return { ...proof, ...change };
}

void test("seeds, orders, roots and proofs are those of the house", async () => {
  assert.equal(await commitment(vectors.houseSeed), vectors.commitment);
  for (const [seat, text] of Object.entries(vectors.texts)) {
    assert.equal(await digest(vectors.table, vectors.round, Number(seat), text), vectors.digests[seat]);
  }
  const seed = await roundSeed(vectors.houseSeed, vectors.table, vectors.round, vectors.digests);
  assert.equal(hex(seed), vectors.roundSeed);
  for (const { stock, pack, order, root, proofs } of vectors.stocks) {
    assert.deepEqual(shuffled(seed, stock, pack, null), order);
    assert.equal(await root256(seed, stock, order), root);
    for (const proof of proofs) assert.equal(await rootOf(proof), root);
  }
});

void test("a proof that was changed in any part leads elsewhere", async () => {
  const [proof] = SHOWN;
  assert(proof !== undefined);
  const flip = (text: string): string => hex(unhex(text).map((byte, at) => (at === 0 ? byte ^ 1 : byte)));
  const untrue: Proof[] = [
    ...["2c", "", "A", "Asx", "Ä"].filter((card) => card !== proof.card).map((card) => ({ ...proof, card })),
    ...[-1, 1.5, proof.position + 1, 2 ** 40].map((position) => ({ ...proof, position })),
    ...[0, proof.size - 1, proof.size + 1].map((size) => ({ ...proof, size })),
    ...[1, -1, Number.NaN].map((stock) => ({ ...proof, stock })),
    ...["", "zz", flip(proof.nonce), proof.nonce.slice(2)].map((nonce) => ({ ...proof, nonce })),
    { ...proof, path: proof.path.slice(1) },
    { ...proof, path: [...proof.path, OTHER] },
    { ...proof, path: proof.path.toReversed() },
    ...proof.path.map((node, at) => ({ ...proof, path: proof.path.with(at, flip(node)) })),
  ];
  for (const one of untrue) assert.notEqual(await rootOf(one), first.root, JSON.stringify(one));
});

void test("an honest round is green, before and after its end", async () => {
  const record = honest();
  const steps = await checked({ record, proofs: SHOWN });
  assert.equal(verdict(steps), "good");
  assert.deepEqual(steps.map((one) => one.state), ["good", "good", "good", "good", "good", "open"]);
  const said = { commitment: vectors.commitment, digest: record.seed?.digest ?? "" };
  const deck = { document: vectors.document, dealt: await dealtAgain(vectors.document) };
  const after = await checked({ record, proofs: SHOWN, said, deck });
  assert.deepEqual(after.map((one) => one.reason), ["committed", "seedIn", "rootsKept", "proven", "inPlace", "deckRight"]);
});

void test("what was not asked for yet is neither green nor red", async () => {
  const record = honest();
  assert.deepEqual(await found({ record, proofs: undefined }, "proofs"), ["open", "notAsked", "open"]);
  assert.deepEqual(await found({ record, proofs: SHOWN.slice(1) }, "proofs"), ["open", "notAllProven", "open"]);
  const fresh = unseen(vectors.table, "4");
  assert.deepEqual(await found({ record: fresh, proofs: [] }, "proofs"), ["open", "nothingSeen", "open"]);
  assert.deepEqual(await found({ record: fresh, proofs: [] }, "commitment"), ["open", "commitmentUnknown", "open"]);
  assert.deepEqual(await found({ record: fresh, proofs: [] }, "seed"), ["open", "noSeed", "open"]);
});

const LIES: readonly (readonly [string, Rule, Reason, (honest: Evidence) => Evidence])[] = [
  ["a commitment that changes before the round", "commitment", "commitmentChanged", (e) =>
    ({ ...e, record: withCommitment(e.record, OTHER) })],
  ["another commitment afterwards", "commitment", "commitmentDiffers", (e) =>
    ({ ...e, said: { commitment: OTHER, digest: e.record.seed?.digest ?? "" } })],
  ["another text than the digest is made of", "seed", "digestWrong", (e) => {
    const { seed } = e.record;
    assert(seed !== undefined);
    return { ...e, record: { ...e.record, seed: { ...seed, text: `${seed.text}!` } } };
  }],
  ["a seed that is not in the round", "seed", "seedMissing", (e) =>
    ({ ...e, said: { commitment: vectors.commitment, digest: "" } })],
  ["a seed that was taken before the commitment was known", "seed", "seedLate", (e) => {
    const { seed } = e.record;
    assert(seed !== undefined);
    return { ...e, record: { ...e.record, seed: { ...seed, commitment: OTHER } } };
  }],
  ["a root that changes", "roots", "rootChanged", (e) => ({ ...e, record: { ...e.record, changed: [0] } })],
  ["cards of a stock without a root", "roots", "rootMissing", (e) =>
    ({ ...e, record: { ...e.record, roots: e.record.roots.slice(1) } })],
  ["a proof with another nonce", "proofs", "proofElsewhere", (e) =>
    ({ ...e, proofs: [changed(SHOWN[0], { nonce: OTHER }), ...SHOWN.slice(1)] })],
  ["a proof whose path was cut", "proofs", "proofBroken", (e) =>
    ({ ...e, proofs: [changed(SHOWN[0], { path: [] }), ...SHOWN.slice(1)] })],
  ["a proof of another size", "proofs", "proofSize", (e) =>
    ({ ...e, proofs: [changed(SHOWN[0], { size: 51 }), ...SHOWN.slice(1)] })],
  ["a true proof of another root", "proofs", "proofElsewhere", (e) =>
    ({ ...e, record: { ...e.record, roots: e.record.roots.map((one) => ({ ...one, root: OTHER })) } })],
  ["a card that lay elsewhere than it was dealt from", "places", "moved", (e) => {
    const [card, ...rest] = e.record.seen;
    assert(card !== undefined);
    return { ...e, record: { ...e.record, seen: [{ ...card, position: 20 }, ...rest] } };
  }],
  ["another card at the place that was dealt", "places", "moved", (e) => {
    const [card, ...rest] = e.record.seen;
    assert(card !== undefined);
    return { ...e, record: { ...e.record, seen: [{ ...card, card: "Xr" }, ...rest] } };
  }],
  ["two cards that were dealt from one place", "places", "twoCards", (e) => {
    const [card] = e.record.seen;
    assert(card !== undefined);
    const twice = [{ ...card, position: 20 }, { ...card, position: 20, card: "Xr" }];
    return { ...e, record: { ...e.record, seen: [...e.record.seen.slice(1), ...twice] } };
  }],
  ["a card from a place that was never dealt", "places", "neverDealt", (e) =>
    ({ ...e, record: { ...e.record, dealt: e.record.dealt.slice(1), seen: e.record.seen.slice(1) } })],
];

for (const [name, rule, reason, lie] of LIES) {
  void test(`red: ${name}`, async () => {
    const told = lie({ record: honest(), proofs: SHOWN });
    assert.deepEqual(await found(told, rule), ["bad", reason, "bad"]);
  });
}

const { document } = vectors;
const DECK_LIES: readonly (readonly [string, Reason, Document])[] = [
  ["another seed of the house", "deckCommitment", { ...document, house_seed: OTHER }],
  ["a commitment that was made later", "deckCommitment", { ...document, house_commitment: OTHER }],
  ["another seed of a player", "deckOrder", { ...document, player_seeds: {} }],
  ["a moved card", "deckCard", {
    ...document,
    cards: document.cards.map((one) => (one.position === 0 ? { ...one, position: 1 } : one.position === 1 ? { ...one, position: 0 } : one)),
  }],
  ["a place that was dealt twice", "deckPlace", { ...document, cards: [...document.cards, ...document.cards.slice(0, 1)] }],
  ["another pack", "deckOrder", {
    ...document, stocks: document.stocks.map((one) => ({ ...one, pack: one.pack.toReversed() })),
  }],
  ["another root", "deckOrder", { ...document, stocks: document.stocks.map((one) => ({ ...one, root: OTHER })) }],
  ["a changed proof", "deckProof", {
    ...document, proofs: (document.proofs ?? []).map((one) => ({ ...one, nonce: OTHER })),
  }],
  ["another throw of dice", "deckChance", {
    ...document, dice: (document.dice ?? []).map((one) => ({ ...one, throw: one.throw.map((pips) => (pips % 6) + 1) })),
  }],
  ["another pick", "deckChance", {
    ...document, picks: (document.picks ?? []).map((one) => ({ ...one, picked: (one.picked + 1) % one.options })),
  }],
  ["another round", "deckOther", { ...document, round: document.round + 1 }],
];

for (const [name, reason, lie] of DECK_LIES) {
  void test(`red deck: ${name}`, async () => {
    const deck = { document: lie, dealt: await dealtAgain(lie) };
    assert.deepEqual(await found({ record: honest(), proofs: SHOWN, deck }, "deck"), ["bad", reason, "bad"]);
  });
}

void test("a true file that does not fit what the player kept is red", async () => {
  const record = honest();
  const deck = { document, dealt: await dealtAgain(document) };
  const [card, ...rest] = record.seen;
  assert(card !== undefined);
  const cases: [Reason, RoundRecord][] = [
    ["deckCommitment", { ...record, commitments: [OTHER] }],
    ["deckSeed", { ...record, seed: { seat: 0, text: "x", digest: OTHER, commitment: vectors.commitment } }],
    ["deckRoot", { ...record, roots: record.roots.map((one) => ({ ...one, root: OTHER })) }],
    ["deckCard", { ...record, seen: [{ ...card, card: "Xr" }, ...rest] }],
  ];
  for (const [reason, kept] of cases) {
    assert.deepEqual((await found({ record: kept, proofs: SHOWN, deck }, "deck")).slice(0, 2), ["bad", reason]);
  }
});

void test("a scripted round is dealt by its script, and a hidden one cannot be checked", async () => {
  assert.deepEqual((await dealtAgain(vectors.scripted)).faults, []);
  const hidden = await dealtAgain({ ...document, hidden: "the key is lost" });
  assert.deepEqual(hidden.faults, [{ fault: "hidden" }]);
});
