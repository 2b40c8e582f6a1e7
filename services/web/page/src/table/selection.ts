// Choosing cards of a hand: only what the options allow can be chosen and played.

import type { Play } from "./options.js";

/** Return the ways of playing that the chosen cards make complete. */
export function playable(plays: readonly Play[], chosen: ReadonlySet<string>): readonly Play[] {
  return plays.filter((play) => {
    if (play.sets !== undefined) return play.sets.some((set) => same(set, chosen));
    if (play.some === undefined || chosen.size < play.some.least || chosen.size > play.some.most) return false;
    return within(play.some.cards, chosen);
  });
}

/** Return the cards that may be chosen beside those that are: each still leads to something that can be played. */
export function open(plays: readonly Play[], chosen: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const play of plays) {
    for (const set of play.sets ?? []) if (within(set, chosen)) for (const card of set) found.add(card);
    if (play.some !== undefined && chosen.size < play.some.most && within(play.some.cards, chosen)) {
      for (const card of play.some.cards) found.add(card);
    }
  }
  return found;
}

/** Return the choice after a card was pressed: one more or one less; where it fits no longer, the card alone. */
export function pressed(plays: readonly Play[], chosen: ReadonlySet<string>, card: string): ReadonlySet<string> {
  if (chosen.has(card)) return new Set([...chosen].filter((one) => one !== card));
  if (open(plays, chosen).has(card)) return new Set([...chosen, card]);
  return open(plays, new Set()).has(card) ? new Set([card]) : chosen;
}

/** Return what a hint lifts: the next set that can be played after the chosen one. */
export function hint(plays: readonly Play[], chosen: ReadonlySet<string>): ReadonlySet<string> {
  const all = plays.flatMap((play) => play.sets ?? firstOf(play));
  if (all.length === 0) return chosen;
  const at = all.findIndex((set) => same(set, chosen));
  return new Set(all[(at + 1) % all.length]);
}

function firstOf(play: Play): readonly (readonly string[])[] {
  if (play.some === undefined) return [];
  const { cards, least } = play.some;
  return least <= 1 ? cards.map((card) => [card]) : [cards.slice(0, least)];
}

function same(set: readonly string[], chosen: ReadonlySet<string>): boolean {
  return set.length === chosen.size && set.every((card) => chosen.has(card));
}

function within(set: readonly string[], chosen: ReadonlySet<string>): boolean {
  return [...chosen].every((card) => set.includes(card));
}
