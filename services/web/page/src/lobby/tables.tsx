// The list of open tables with its filter.

import { TableState, type TableSummary, type Text } from "@pitboss/client/web";
import { useState } from "preact/hooks";

import { useSite } from "../app/site.js";
import { chips, say, titled } from "../words/language.js";
import type { OpenTables } from "./watch.js";

/** Return whether somebody may sit down. */
function hasFree(table: TableSummary): boolean {
  return table.maxSeats === 0 || table.seatsTaken + table.seatsReserved < table.maxSeats;
}

/** Show the open tables that fit. */
export function Tables(given: { tables: OpenTables; names: ReadonlyMap<string, Text | undefined>; family?: string }) {
  const { words, language } = useSite();
  const [isFree, setFree] = useState(false);
  const { list, isTruncated, isAway } = given.tables;
  const found = list.filter((table) => (!isFree || hasFree(table)) && (!given.family || table.family === given.family));
  const stateOf = (table: TableSummary): string => {
    if (table.switchedOff) return words.switchedOff;
    return table.state === TableState.OPEN ? words.between : words.inRound;
  };
  return (
    <>
      <label class="check">
        <input type="checkbox" checked={isFree} onChange={(event) => { setFree(event.currentTarget.checked); }} />
        {words.freeSeatsOnly}
      </label>
      {isAway && <p class="muted" role="status">{words.away}</p>}
      {found.length === 0 && <p class="empty">{list.length === 0 ? words.noTables : words.noTablesFit}</p>}
      <ul class={isAway ? "tables away" : "tables"}>
        {found.map((table) => (
          <li key={table.tableId}>
            <a href={`/tables/${table.tableId}`}>
              <strong>{say(given.names.get(table.game), language)}</strong>
              <span class="muted title">{titled(table.title, given.names.get(table.game), language)}</span>
              <span class="facts">
                <span>{`${words.stake} ${chips(table.stake, language)}`}</span>
                <span>{`${words.seats} ${chips(table.seatsTaken, language)}${table.maxSeats ? `/${chips(table.maxSeats, language)}` : ""}`}</span>
                <span>{stateOf(table)}</span>
                {table.private && <span>{words.private}</span>}
                {table.waiting > 0 && <span>{words.waiting(table.waiting, chips(table.waiting, language))}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {isTruncated && <p class="muted">{words.moreTables}</p>}
    </>
  );
}
