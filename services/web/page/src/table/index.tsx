// The crudest table: the view as text, and one button for each option.

import { moves } from "@pitboss/client/web";

import { say } from "../words/language.js";
import type { TableProps } from "./props.js";

/** Draw a table as one viewer sees it, with the buttons of the viewer's seat. */
export function Table({ view, described, language, link, onAct, onSit }: TableProps) {
  const word = (name: string): string =>
    say(described.vocabulary.find((one) => one.word === name)?.text, language) || name;
  const taken = new Set(view.seats.map((one) => one.seat));
  const free = Array.from({ length: view.table?.maxSeats ?? 0 }, (_, seat) => seat).filter((seat) => !taken.has(seat));
  return (
    <div class="table" data-link={link}>
      <ul>
        {view.seats.map((seat) => (
          <li key={seat.seat}>{`${seat.name}: ${seat.chips}`}</li>
        ))}
        {onSit && free.map((seat) => (
          <li key={`free-${seat}`}>
            <button type="button" onClick={() => { onSit(seat); }}>{seat}</button>
          </li>
        ))}
      </ul>
      <ul>
        {view.round?.zones.map((zone, at) => (
          <li key={at}>{`${zone.owner ?? ""} ${word(zone.name)}: ${zone.cards.join(" ")}`}</li>
        ))}
      </ul>
      <div role="group">
        {view.round?.options.map((option) => (
          <button key={option.action} type="button" onClick={() => { void onAct(moves.least(option)); }}>
            {word(option.action)}
          </button>
        ))}
      </div>
    </div>
  );
}
