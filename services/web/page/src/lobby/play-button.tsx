// One click to a seat; where none is free, the ways that are left.

import { useState } from "preact/hooks";

import { go } from "../app/router.js";
import { useSite } from "../app/site.js";
import { opened, seated, standardOf } from "./seating.js";

/** A button that takes any free seat of a game and goes to its table. */
export function PlayButton({ game, label, name }: { game: string; label: string; name: string }) {
  const site = useSite();
  const { words, house, currency } = site;
  const [isBusy, setBusy] = useState(false);
  const [isFull, setFull] = useState(false);
  const tried = (work: () => Promise<void>) => (): void => {
    setBusy(true);
    work()
      .catch(site.report)
      .finally(() => {
        setBusy(false);
      });
  };
  if (isFull) {
    return (
      <span class="full" role="status">
        <span>{words.noFreeSeat}</span>
        <button type="button" disabled={isBusy} onClick={tried(async () => { await house.waitForAnySeat(game, { currency }); setFull(false); })}>
          {words.waitForSeat}
        </button>
        <button type="button" disabled={isBusy} onClick={tried(async () => { go(`/tables/${await opened(site, await standardOf(house, game))}`); })}>
          {words.openTable}
        </button>
      </span>
    );
  }
  return (
    <button
      type="button"
      class="main"
      aria-label={name}
      aria-busy={isBusy}
      disabled={isBusy}
      onClick={tried(async () => {
        const tableId = await seated(site, game);
        if (tableId === undefined) setFull(true);
        else go(`/tables/${tableId}`);
      })}
    >
      {label}
    </button>
  );
}
