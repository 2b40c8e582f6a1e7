// The options of a view as what is pressed: buttons in a fixed order, amounts with bounds, and cards to choose.

import type { Choice, Option, Range } from "@pitboss/client/web";

import { isCard } from "./cards.js";

/** A value of an argument, as `moves.action` takes it. */
export type Value = bigint | string | readonly string[];
export type Values = Readonly<Record<string, Value>>;

/** A button that acts at once. `shown` are the arguments that its label names. */
export interface Press {
  readonly kind: "press";
  readonly action: string;
  readonly values: Values;
  readonly shown: readonly string[];
  readonly cost: bigint;
  readonly key: string;
}

/** A button with an amount, and with words to choose from, such as spots. */
export interface Amount {
  readonly kind: "amount";
  readonly action: string;
  readonly argument: string;
  readonly range: Range;
  readonly words: readonly { readonly argument: string; readonly values: readonly Value[] }[];
  readonly values: Values;
  readonly cost: bigint;
  readonly key: string;
}

/** One way to play cards: sets that may be played, or so many out of some, with the other arguments fixed. */
export interface Play {
  readonly kind: "play";
  readonly action: string;
  readonly argument: string;
  readonly sets: readonly (readonly string[])[] | undefined;
  readonly some: { readonly cards: readonly string[]; readonly least: number; readonly most: number } | undefined;
  /** The argument is one card instead of a list. */
  readonly single: boolean;
  readonly values: Values;
  readonly shown: readonly string[];
}

export type Offer = Press | Amount | Play;

/** The order of buttons: what gives up first, what costs most last. Actions that are not named stand in between. */
const ORDER: readonly string[] = [
  "fold", "pass", "run_once", "check", "done", "stand", "reveal", "bring_in", "run_twice", "call", "exchange", "support", "hit", "split", "flip",
  "collect", "slap", "play", "play_down", "draw", "expose", "rob", "arrange", "bid_banker", "bet_multiple", "guess", "bid",
  "call_landlord", "name_adjutant", "call_nickname", "place_bet", "bet", "raise", "all_in",
];
const KEYS: Readonly<Record<string, string>> = {
  fold: "f", pass: "p", check: "c", done: "d", stand: "s", reveal: "v", bring_in: "i", call: "c", exchange: "e",
  support: "u", hit: "h", split: "t", flip: " ", collect: "c", slap: " ", bid_banker: "b", call_landlord: "l", rob: "o",
  run_twice: "t", run_once: "o", bet: "b", place_bet: "b", raise: "r", all_in: "a",
};
const DIGITS = "123456789";

/** Return what is pressed for the options of a view, in a fixed order, each with a key of its own. */
export function offers(options: readonly Option[]): readonly Offer[] {
  const found = [...options].sort((one, other) => place(one.action) - place(other.action)).flatMap(offersOf);
  const many = found.filter((one) => one.kind === "press" && one.key === "");
  const used = new Set<string>();
  return found.map((one) => {
    if (one.kind === "play") return one;
    const wished = one.kind === "press" && one.key === "" ? (DIGITS[many.indexOf(one)] ?? "") : one.key;
    const key = used.has(wished) ? "" : wished;
    used.add(key);
    return { ...one, key };
  });
}

function place(action: string): number {
  const at = ORDER.indexOf(action);
  return at < 0 ? ORDER.indexOf("bid") : at;
}

function offersOf(option: Option): readonly Offer[] {
  const entries = Object.entries(option.arguments).sort(([one], [other]) => (one < other ? -1 : 1));
  const ranged = entries.find(([, choice]) => choice.kind.case === "range");
  const cards = entries.filter(([, choice]) => ofCards(choice));
  const plain = entries.filter(([, choice]) => choice.kind.case !== "range" && !ofCards(choice));
  if (ranged !== undefined) return [amountOf(option, ranged, plain)];
  const [first] = cards;
  if (cards.length === 1 && first !== undefined) {
    return combinations(plain).map((values) => playOf(option.action, first[0], first[1], values, named(plain)));
  }
  const fixed = Object.fromEntries(cards.map(([name, choice]) => [name, onlySet(choice)]));
  const shown = [...cards.map(([name]) => name), ...named(plain)];
  return combinations(plain).map((values): Press => ({
    kind: "press", action: option.action, values: { ...fixed, ...values }, shown, cost: costOf(option, values),
    key: shown.length === 0 ? (KEYS[option.action] ?? "") : "",
  }));
}

/** The names of the arguments that have more than one value. */
function named(plain: readonly (readonly [string, Choice])[]): readonly string[] {
  return plain.filter(([, choice]) => valuesOf(choice).length > 1 || choice.kind.case === "words").map(([name]) => name);
}

function amountOf(option: Option, ranged: readonly [string, Choice], plain: readonly (readonly [string, Choice])[]): Amount {
  const range = ranged[1].kind.value as Range;
  const words = plain.map(([argument, choice]) => ({ argument, values: valuesOf(choice) }));
  const fixed = words.filter((one) => one.values.length === 1).map((one) => [one.argument, one.values[0] ?? ""]);
  return {
    kind: "amount", action: option.action, argument: ranged[0], range, words, cost: option.cost,
    values: Object.fromEntries(fixed) as Values, key: KEYS[option.action] ?? "",
  };
}

function playOf(action: string, argument: string, choice: Choice, values: Values, shown: readonly string[]): Play {
  const made = { kind: "play", action, argument, values, shown } as const;
  switch (choice.kind.case) {
    case "sets":
      return { ...made, sets: choice.kind.value.sets.map((one) => one.cards), some: undefined, single: false };
    case "someOf": {
      const { cards, least, most } = choice.kind.value;
      return { ...made, sets: undefined, some: { cards, least, most }, single: false };
    }
    default:
      return { ...made, sets: valuesOf(choice).map((one) => [String(one)]), some: undefined, single: true };
  }
}

function ofCards(choice: Choice): boolean {
  const { kind } = choice;
  if (kind.case === "words") return kind.value.values.length > 0 && kind.value.values.every(isCard);
  return kind.case === "sets" || kind.case === "someOf";
}

function onlySet(choice: Choice): readonly string[] {
  if (choice.kind.case === "sets") return choice.kind.value.sets[0]?.cards ?? [];
  return choice.kind.case === "someOf" ? choice.kind.value.cards : [];
}

function valuesOf(choice: Choice): readonly (bigint | string)[] {
  return choice.kind.case === "words" || choice.kind.case === "numbers" ? choice.kind.value.values : [];
}

function combinations(plain: readonly (readonly [string, Choice])[]): readonly Values[] {
  let found: Values[] = [{}];
  for (const [name, choice] of plain) {
    found = found.flatMap((one) => valuesOf(choice).map((value) => ({ ...one, [name]: value })));
  }
  return found;
}

function costOf(option: Option, values: Values): bigint {
  for (const [name, choice] of Object.entries(option.arguments)) {
    if (choice.kind.case !== "numbers") continue;
    const cost = choice.kind.value.costs[choice.kind.value.values.indexOf(values[name] as bigint)];
    if (cost !== undefined) return cost;
  }
  return option.cost;
}

/** Return an amount that a range allows, nearest below the wished one; its least where that is less. */
export function allowed(range: Range, wished: bigint): bigint {
  const step = range.step > 0n ? range.step : 1n;
  if (wished >= range.most) return range.most;
  if (wished <= range.least) return range.least;
  return range.least + ((wished - range.least) / step) * step;
}

/** Return the amount one press of a key further: a step, or with `far` a tenth of the range. */
export function moved(range: Range, from: bigint, direction: 1 | -1, far = false): bigint {
  const step = range.step > 0n ? range.step : 1n;
  const tenth = (range.most - range.least) / 10n;
  const by = far && tenth > step ? tenth : step;
  return allowed(range, from + BigInt(direction) * by);
}

/** Return what an action with an amount adds to the stake, as the suggestions of the range say; undefined: unknown. */
export function costAt(range: Range, cost: bigint, amount: bigint): bigint {
  return cost + (amount - range.least);
}
