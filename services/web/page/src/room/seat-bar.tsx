// What a visitor does about its seat: take, fill, pause and leave it, wait for one, start a round, invite others.

import { RoundState, type TableView } from "@pitboss/client/web";
import { useState } from "preact/hooks";

import { ChipsDialog } from "../app/parts.js";
import { useSite } from "../app/site.js";
import { chips } from "../words/language.js";
import { Invite } from "./invite.js";

/** Show the buttons that fit how the visitor stands at the table. */
export function SeatBar({ view, onSit }: { view: TableView; onSit: () => void }) {
  const { house, words, language, wallet, report } = useSite();
  const [isAdding, setAdding] = useState(false);
  const table = view.table;
  if (table === undefined) return null;
  const { tableId } = table;
  const own = view.seats.find((one) => one.seat === view.ownSeat);
  const run = (work: () => Promise<unknown>) => (): void => {
    work().catch(report);
  };
  if (own === undefined) {
    const place = view.waitingList?.ownPlace;
    const isFull = table.maxSeats > 0 && table.seatsTaken + table.seatsReserved >= table.maxSeats;
    return (
      <div class="seat-bar">
        {!isFull || view.ownReservedSeat !== undefined || view.waitingList?.ownHoldEndTime !== undefined ? (
          <button type="button" class="main" onClick={onSit}>{words.sit}</button>
        ) : place === undefined ? (
          <button type="button" class="main" onClick={run(() => house.joinLine(tableId))}>{words.joinLine}</button>
        ) : (
          <>
            <span>{words.placeInLine(chips(place, language), chips(view.waitingList?.length ?? place, language))}</span>
            <button type="button" onClick={run(() => house.leaveLine(tableId))}>{words.leaveLine}</button>
          </>
        )}
        {table.private && <Invite tableId={tableId} />}
      </div>
    );
  }
  const room = table.greatestBuyIn - own.chips - own.added;
  const isManual = view.houseRules["start"]?.kind.value === "manual";
  return (
    <div class="seat-bar">
      {isManual && view.round?.state !== RoundState.RUNNING && (
        <button type="button" class="main" onClick={run(() => house.startRound(tableId))}>{words.start}</button>
      )}
      {room > 0n && (
        <button type="button" onClick={() => { setAdding(true); }}>{words.addChips}</button>
      )}
      {own.sittingOut ? (
        <button type="button" class="main" onClick={run(() => house.sitIn(tableId))}>{words.sitIn}</button>
      ) : (
        <button type="button" onClick={run(() => house.sitOut(tableId))}>{words.sitOut}</button>
      )}
      <button type="button" disabled={own.leaving} onClick={run(() => house.leave(tableId))}>{words.leave}</button>
      {table.private && <Invite tableId={tableId} />}
      {isAdding && (
        <ChipsDialog
          title={words.addChips}
          confirm={words.add}
          least={1n}
          most={room}
          first={room < (wallet?.balance ?? room) ? room : (wallet?.balance ?? room)}
          balance={wallet?.balance ?? 0n}
          onGiven={async (amount) => { await house.addChips(tableId, amount); }}
          onEnd={() => { setAdding(false); }}
        />
      )}
    </div>
  );
}
