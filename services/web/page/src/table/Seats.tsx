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
}

export function Seats({ model, words, family, left, still }: SeatsProps) {
  const shown = family === "showdown" && model.ended ? ranked(model.places) : model.others;
  const round = family === "poker";
  const alone = model.places.filter((one) => one.turn).length === 1;
  return (
    <ol class="seats" aria-label={words.own("players")} data-count={shown.length} data-own={model.ownPlace !== undefined}>
      {shown.map((place, at) => (
        <Seat key={place.seat} place={place} words={words} best={model.best} left={alone ? left : undefined} still={still} family={family}
          at={round ? spot(at, shown.length) : undefined} />
      ))}
    </ol>
  );
}

/** The free seats that the viewer may take. */
export function FreeSeats({ free, words, onSit }: { free: readonly number[]; words: Words; onSit: (seat: number) => void }) {
  return (
    <ul class="free-seats">
      {free.map((seat) => (
        <li key={seat}>
          <button type="button" class="act" data-seat={seat} onClick={() => { onSit(seat); }}>
            <span>{words.own("sit")}</span> <b>{words.chips(seat)}</b>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Return seats with the best hand first; hands that are not ranked last, in playing order. */
export function ranked(places: readonly Place[]): readonly Place[] {
  const order = (one: Place): number => (one.rank > 0 ? one.rank : Number.MAX_SAFE_INTEGER);
  return [...places].sort((one, other) => order(one) - order(other));
}

/** Half of the oval's opening at the bottom, where the own seat is, in degrees. */
const OPENING = 48;
const WIDTH = 41;
const HEIGHT = 35;
/** How much wider than high the table is where the oval is drawn. */
const SHAPE = 2.9;
const SAMPLES = 360;

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Return where a seat stands on the oval, in percent: from the lower left over the top to the lower right, equally far
 * from each other along the oval.
 */
export function spot(at: number, count: number): Point {
  const path = Array.from({ length: SAMPLES + 1 }, (_, step) => onOval(step / SAMPLES));
  const lengths = [0];
  for (let step = 1; step <= SAMPLES; step += 1) lengths.push((lengths[step - 1] ?? 0) + between(path[step - 1], path[step]));
  const share = count <= 1 ? 0.5 : at / (count - 1);
  const wanted = share * (lengths[SAMPLES] ?? 0);
  const found = lengths.findIndex((length) => length >= wanted - 1e-9);
  return path[found] ?? onOval(share);
}

function onOval(share: number): Point {
  const angle = ((90 + OPENING + (360 - 2 * OPENING) * share) * Math.PI) / 180;
  return { x: rounded(50 + WIDTH * Math.cos(angle)), y: rounded(51 + HEIGHT * Math.sin(angle)) };
}

function between(one: Point | undefined, other: Point | undefined): number {
  return one === undefined || other === undefined ? 0 : Math.hypot((one.x - other.x) * SHAPE, one.y - other.y);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
