// What the table derives from views and options, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { type ChoiceSchema, GetGameResponseSchema, moves, type Option, OptionSchema, type TableView, TableViewSchema } from "@pitboss/client/web";

import { create, type MessageInitShape } from "../../../../../../protos/typescript/node_modules/@bufbuild/protobuf/dist/esm/index.js";
import { paysOf, spotsOf } from "../Banker.js";
import { cardName, face, sortedHand } from "../cards.js";
import { arranged, turned } from "../model.js";
import { allowed, costAt, moved, type Offer, offers, type Play } from "../options.js";
import { MOST_WAITING, queued } from "../pace.js";
import { spot } from "../Seats.js";
import { hint, open, playable, pressed } from "../selection.js";

const option = (one: MessageInitShape<typeof OptionSchema>): Option => create(OptionSchema, one);
const range = { least: 20n, most: 500n, step: 5n, suggestions: [] };
const ranged = { kind: { case: "range", value: range } } as const;
const sets = (...found: string[][]) => ({ kind: { case: "sets", value: { sets: found.map((cards) => ({ cards })) } } }) as const;
const plays = (found: readonly Offer[]): readonly Play[] => found.filter((one) => one.kind === "play");

test("buttons keep one order, whatever the order of the options", () => {
  const given = ["raise", "fold", "all_in", "call"].map((action) => option({ action, arguments: action === "raise" ? { to: ranged } : {} }));
  const order = (found: readonly Option[]): readonly string[] => offers(found).map((one) => one.action);
  assert.deepEqual(order(given), ["fold", "call", "raise", "all_in"]);
  assert.deepEqual(order([...given].reverse()), order(given));
});

test("no two buttons share a key", () => {
  const given = ["check", "collect", "call", "bid_banker", "bet"].map((action) => option({ action }));
  const keys = offers(given).flatMap((one) => (one.kind === "play" || one.key === "" ? [] : [one.key]));
  assert.equal(new Set(keys).size, keys.length);
});

test("each number and word of an option is a button with its price", () => {
  const multiple = { kind: { case: "numbers", value: { values: [1n, 2n], costs: [10n, 20n] } } } satisfies MessageInitShape<typeof ChoiceSchema>;
  const found = offers([option({ action: "bet_multiple", arguments: { multiple } })]);
  assert.deepEqual(found.map((one) => (one.kind === "press" ? [one.values["multiple"], one.cost, one.key] : [])), [[1n, 10n, "1"], [2n, 20n, "2"]]);
});

test("an arrangement of all cards is one button", () => {
  const [found] = offers([option({ action: "arrange", arguments: { low: sets(["5c", "Qc"]), high: sets(["5d", "5s"]) } })]);
  assert.ok(found?.kind === "press");
  assert.deepEqual(found.values, { low: ["5c", "Qc"], high: ["5d", "5s"] });
});

test("only sets of the options can be played", () => {
  const found = plays(offers([option({ action: "play", arguments: { cards: sets(["3c", "3d"], ["3c"], ["Kh"]) } })]));
  assert.deepEqual(open(found, new Set()), new Set(["3c", "3d", "Kh"]));
  assert.deepEqual(open(found, new Set(["3d"])), new Set(["3c", "3d"]));
  assert.equal(playable(found, new Set(["3d"])).length, 0);
  assert.equal(playable(found, new Set(["3d", "3c"])).length, 1);
});

test("a card that fits no longer is chosen alone; one that cannot be played is not chosen", () => {
  const found = plays(offers([option({ action: "play", arguments: { cards: sets(["3c", "3d"], ["Kh"]) } })]));
  assert.deepEqual(pressed(found, new Set(["3c"]), "Kh"), new Set(["Kh"]));
  assert.deepEqual(pressed(found, new Set(["3c"]), "9s"), new Set(["3c"]));
  assert.deepEqual(pressed(found, new Set(["3c"]), "3c"), new Set());
});

test("a hint lifts one set after the other", () => {
  const found = plays(offers([option({ action: "play", arguments: { cards: sets(["3c"], ["4c"]) } })]));
  const first = hint(found, new Set());
  assert.deepEqual([first, hint(found, first), hint(found, hint(found, first))], [new Set(["3c"]), new Set(["4c"]), new Set(["3c"])]);
});

test("as many cards out of some as the option allows", () => {
  const some = { kind: { case: "someOf", value: { cards: ["Jd", "7s", "3c"], least: 0, most: 2 } } } satisfies MessageInitShape<typeof ChoiceSchema>;
  const found = plays(offers([option({ action: "draw", arguments: { discards: some } })]));
  assert.equal(playable(found, new Set()).length, 1);
  assert.equal(playable(found, new Set(["Jd", "7s"])).length, 1);
  assert.equal(open(found, new Set(["Jd", "7s"])).size, 0);
});

test("amounts stay within the range and on its steps", () => {
  const to = option({ action: "raise", arguments: { to: ranged } });
  const [found] = offers([to]);
  assert.ok(found?.kind === "amount");
  assert.deepEqual([1n, 23n, 25n, 499n, 900n].map((one) => allowed(found.range, one)), [20n, 20n, 25n, 495n, 500n]);
  assert.equal(moved(found.range, 20n, 1), 25n);
  assert.equal(moved(found.range, 500n, -1, true), 450n);
  assert.equal(costAt(found.range, 15n, 30n), 25n);
});

test("every offer of an action is an action of the contract", () => {
  const given = [option({ action: "bid", arguments: { points: ranged, trump: { kind: { case: "words", value: { values: ["h"] } } } } }), option({ action: "fold" })];
  for (const one of offers(given)) {
    const amount = one.kind === "amount" ? { [one.argument]: one.range.least } : {};
    assert.equal(moves.action(one.action, { ...one.values, ...amount }).kind.case, one.action);
  }
});

test("cards, jokers and tiles have names in three languages; an unseen card has no face", () => {
  assert.deepEqual(["Ts", "Xr", "5t", "0t", "??"].map((card) => cardName(card, "en")), ["ten of spades", "big joker", "5 dots", "white tile", "face-down card"]);
  assert.deepEqual(["Ts", "Xb", "5t", "0t"].map((card) => cardName(card, "zh-Hans")), ["黑桃10", "小王", "五筒", "白板"]);
  assert.equal(face("??").kind, "back");
  assert.equal(face("").kind, "back");
});

test("hands of trick games are held by suit, from high to low", () => {
  assert.deepEqual(sortedHand(["2d", "Xr", "As", "3s", "Kd"], "tricks"), ["Xr", "As", "3s", "Kd", "2d"]);
  assert.deepEqual(sortedHand(["2d", "As"], "poker"), ["2d", "As"]);
  assert.deepEqual(sortedHand(["??", "??"], "tricks"), ["??", "??"]);
});

test("the own seat comes first, the others in playing order", () => {
  assert.deepEqual(turned([0, 2, 5, 7], 5), [5, 7, 0, 2]);
  assert.deepEqual(turned([0, 2], undefined), [0, 2]);
});

test("seats of an oval stand apart and inside", () => {
  for (const count of [1, 2, 5, 9]) {
    const found = Array.from({ length: count }, (_, at) => spot(at, count));
    assert.ok(found.every(({ x, y }) => x > 5 && x < 95 && y > 5 && y < 95));
    assert.equal(new Set(found.map(({ x, y }) => `${x} ${y}`)).size, count);
  }
});

test("views are shown in order, and the newest alone where too many wait", () => {
  const view = (version: number): TableView => create(TableViewSchema, { version: BigInt(version) });
  const versions = (found: readonly TableView[]): readonly bigint[] => found.map((one) => one.version);
  assert.deepEqual(versions(queued([view(1)], view(2))), [1n, 2n]);
  assert.deepEqual(versions(queued([view(1), view(2)], view(2))), [1n, 2n]);
  const full = Array.from({ length: MOST_WAITING }, (_, at) => view(at));
  assert.deepEqual(versions(queued(full, view(9))), [9n]);
});

test("cards that were arranged in piles are not shown twice", () => {
  const zones = (...names: string[]) => names.map((zone) => ({ zone, cards: ["As"] }));
  assert.deepEqual(arranged(zones("hand", "low", "high")).map((one) => one.zone), ["low", "high"]);
  assert.deepEqual(arranged(zones("hand", "up")).map((one) => one.zone), ["hand", "up"]);
});

test("spots stand in the game's order with all that they pay; numbered ones by their numbers", () => {
  const payouts = [["tie", "8:1"], ["ante", "100:1"], ["ante", "2:1"], ["ante", "1:1"]].map(([bet = "", pays = ""]) => ({ bet, pays }));
  const described = create(GetGameResponseSchema, { payouts });
  assert.deepEqual(spotsOf(described, [], ["ante", "tie", "bonus"]), ["tie", "ante", "bonus"]);
  assert.deepEqual(spotsOf(described, [], ["3", "1", "10"]), ["1", "3", "10"]);
  assert.deepEqual(["tie", "ante", "bonus"].map((one) => paysOf(described, one)), ["8:1", "100:1 … 1:1", ""]);
});
