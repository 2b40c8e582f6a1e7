// The seats around the middle: an oval, or a strip; in games of open hands a row, best first at the end.

import type { Model, Place } from "./model.js";
import { Seat } from "./Seat.js";
import type { Left } from "./time.js";
import type { Words } from "./words.js";

interface SeatsProps {
  readonly model: Model;
  readonly words: Words;
  readonly family: string;
  readonly left: (() => Left | undefined) | undefined;
  readonly still: boolean;
  readonly onSit: ((seat: number) => void) | undefined;
}

export function Seats({ model, words, family, left, still, onSit }: SeatsProps) {
  const shown = family === "showdown" && model.ended ? ranked(model.places) : model.others;
  const round = family === "poker";
  const alone = model.places.filter((one) => one.turn).length === 1;
  return (
    <ol class="seats" aria-label={words.own("players")} data-count={shown.length} data-own={model.ownPlace !== undefined}>
      {shown.map((place, at) => (
        <Seat key={place.seat} place={place} words={words} best={model.best} left={alone ? left : undefined} still={still}
          at={round ? spot(at, shown.length) : undefined} />
      ))}
      {onSit !== undefined && model.ownPlace === undefined && model.free.map((seat) => (
        <li key={`free-${seat}`} class="free">
          <button type="button" class="act quiet" onClick={() => { onSit(seat); }}>{`${words.own("sit")} · ${words.chips(seat + 1)}`}</button>
        </li>
      ))}
    </ol>
  );
}

/** Return seats with the best hand first; hands that are not ranked last, in playing order. */
export function ranked(places: readonly Place[]): readonly Place[] {
  const order = (one: Place): number => (one.rank > 0 ? one.rank : Number.MAX_SAFE_INTEGER);
  return [...places].sort((one, other) => order(one) - order(other));
}

const OPENING = 70;

/** Return where a seat stands on the oval, in percent: from the lower left over the top to the lower right. */
export function spot(at: number, count: number): { readonly x: number; readonly y: number } {
  const arc = 360 - 2 * OPENING;
  const share = count <= 1 ? 0.5 : at / (count - 1);
  const angle = ((90 + OPENING + arc * share) * Math.PI) / 180;
  return { x: round(50 + 41 * Math.cos(angle)), y: round(51 + 36 * Math.sin(angle)) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
