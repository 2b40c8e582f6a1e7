// What a screen reader says by itself: the own turn, and how a round ended.

import type { Model } from "./model.js";
import type { Words } from "./words.js";

/** Return the sentence that is announced now; empty where nothing asks for attention. */
export function announced(model: Model, words: Words): string {
  if (model.voided) return words.own("voided");
  if (!model.ended) return model.ownPlace?.turn ? words.own("yourTurn") : "";
  const changed = model.places.filter((one) => one.net !== undefined && one.net !== 0n);
  const nets = changed.map((one) => `${one.name} ${words.change(one.net ?? 0n)}`);
  return `${words.own("results")}: ${nets.length === 0 ? words.change(0n) : nets.join(", ")}`;
}
