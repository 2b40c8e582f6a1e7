// The last things that happened, as short lines in the contract's words.

import { Hand } from "./Card.js";
import { lines } from "./happened.js";
import type { Model } from "./model.js";
import type { TableProps } from "./props.js";
import type { Words } from "./words.js";

const MOST_LINES = 5;
const MOST_EVENTS_READ = 30;

export function Log({ props, model, words }: { props: TableProps; model: Model; words: Words }) {
  const found = lines(props.events.slice(-MOST_EVENTS_READ)).slice(-MOST_LINES);
  if (found.length === 0) return null;
  return (
    <ol class="log" aria-label={words.own("happened")} aria-live="polite">
      {found.map((one) => (
        <li key={one.key}>
          {one.seat !== undefined && !one.told && <span class="name">{model.places.find((place) => place.seat === one.seat)?.name ?? ""}</span>}
          <span>{one.told ? words.say(one.event.text) : words.word(one.word)}</span>
          {one.amount !== undefined && one.amount !== 0n && <b>{words.chips(one.amount)}</b>}
          {one.cards.length > 0 && <Hand cards={one.cards} words={words} />}
        </li>
      ))}
    </ol>
  );
}
