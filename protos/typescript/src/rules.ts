// House rules between plain values and the contract's typed ones.

import { create } from "@bufbuild/protobuf";

import { type HouseRuleValue, HouseRuleValueSchema } from "./gen/pitboss/v1/catalogue_pb.js";

/** A whole number is an integer, another number a number, a text a choice; a list and a table hold whole numbers. */
export type Plain = bigint | number | boolean | string | readonly number[] | Readonly<Record<string, number>>;

/** Write house rules as they are sent: `houseRules({ big_blind: 20, betting: "no_limit" })`. */
export function houseRules(values: Readonly<Record<string, Plain>>): Record<string, HouseRuleValue> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, create(HouseRuleValueSchema, { kind: written(value) })]),
  );
}

/** Read house rules of an answer as plain values; integers are bigints. */
export function plain(values: Readonly<Record<string, HouseRuleValue>>): Record<string, Plain> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const found = read(value);
      return found === undefined ? [] : [[key, found]];
    }),
  );
}

type Kind = Parameters<typeof create<typeof HouseRuleValueSchema>>[1] extends infer I
  ? I extends { kind?: infer K }
    ? NonNullable<K>
    : never
  : never;

function written(value: Plain): Kind {
  switch (typeof value) {
    case "boolean":
      return { case: "flag", value };
    case "bigint":
      return { case: "integer", value };
    case "number":
      return Number.isInteger(value) ? { case: "integer", value: BigInt(value) } : { case: "number", value };
    case "string":
      return { case: "choice", value };
    default:
      return isList(value)
        ? { case: "list", value: { values: value.map(BigInt) } }
        : { case: "table", value: { entries: longs(value) } };
  }
}

function isList(value: readonly number[] | Readonly<Record<string, number>>): value is readonly number[] {
  return Array.isArray(value);
}

function longs(value: Readonly<Record<string, number>>): Record<string, bigint> {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, BigInt(one)]));
}

function read(value: HouseRuleValue): Plain | undefined {
  switch (value.kind.case) {
    case "list":
      return value.kind.value.values.map(Number);
    case "table":
      return Object.fromEntries(Object.entries(value.kind.value.entries).map(([key, one]) => [key, Number(one)]));
    case undefined:
      return undefined;
    default:
      return value.kind.value;
  }
}
