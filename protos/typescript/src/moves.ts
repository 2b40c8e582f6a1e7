// Actions by name, for front ends that draw their buttons from the options of a view.

import { create, type DescField, ScalarType } from "@bufbuild/protobuf";

import { type Action, ActionSchema } from "./gen/pitboss/v1/actions_pb.js";
import type { Choice, Option } from "./gen/pitboss/v1/table_pb.js";

/** The value of an argument: an amount, a seat, a word, a card, cards, or whether something is wanted. */
export type Argument = bigint | number | boolean | string | readonly string[];

const LONG: ReadonlySet<ScalarType> = new Set([ScalarType.INT64, ScalarType.UINT64]);

/**
 * Return an action by its name in an option, with its arguments as the contract spells them:
 * `action("raise", { to: 40 })`.
 *
 * Throws `RangeError` for a name or an argument that the contract does not have.
 */
export function action(name: string, values: Readonly<Record<string, Argument>> = {}): Action {
  const kind = ActionSchema.fields.find((one) => one.name === name);
  if (kind?.fieldKind !== "message") throw new RangeError(`there is no action '${name}'`);
  const held: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const field = kind.message.fields.find((one) => one.name === key);
    if (field === undefined) throw new RangeError(`${name} has no argument '${key}'`);
    held[field.localName] = written(field, value);
  }
  return create(ActionSchema, { kind: { case: kind.localName, value: create(kind.message, held) } as Action["kind"] });
}

/** Return the action of an option with the least that it allows for each argument. */
export function least(option: Option): Action {
  const found = Object.entries(option.arguments).map(([key, choice]) => [key, leastOf(choice)] as const);
  return action(option.action, Object.fromEntries(found));
}

function leastOf(choice: Choice): Argument {
  switch (choice.kind.case) {
    case "range":
      return choice.kind.value.least;
    case "words":
      return choice.kind.value.values[0] ?? "";
    case "numbers":
      return choice.kind.value.values[0] ?? 0n;
    case "someOf":
      return choice.kind.value.cards.slice(0, choice.kind.value.least);
    case "sets":
      return choice.kind.value.sets[0]?.cards ?? [];
    case undefined:
      throw new RangeError("the option has an argument of a kind that this client does not know; take a newer one");
  }
}

function written(field: DescField, value: Argument): unknown {
  if (field.fieldKind === "list") return typeof value === "object" ? [...value] : [value];
  if (field.fieldKind !== "scalar" || typeof value === "object") return value;
  if (LONG.has(field.scalar)) return BigInt(value);
  if (field.scalar === ScalarType.STRING) return value;
  return field.scalar === ScalarType.BOOL ? Boolean(value) : Number(value);
}
