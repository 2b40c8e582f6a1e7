// The room of a table: where one is, the table itself, and what its visitor may do besides playing.

import type { Action, GetGameResponse, TableView } from "@pitboss/client/web";
import { useEffect, useState } from "preact/hooks";

import { ChipsDialog, Notice, Wait } from "../app/parts.js";
import { reasonOf, told } from "../app/refusals.js";
import { useSite } from "../app/site.js";
import { Fairness } from "../fairness/index.js";
import { boundsAt, usual } from "../lobby/seating.js";
import { Table } from "../table/index.js";
import { chips, say, titled } from "../words/language.js";
import { Door } from "./door.js";
import { SeatBar } from "./seat-bar.js";
import { Standing } from "./standing.js";
import { useTable } from "./watch.js";

const ICON = { turn: "/icon-turn.svg", other: "/icon.svg" };

/** Whether less motion is wished for. */
function useStill(): boolean {
  const [query] = useState(() => matchMedia("(prefers-reduced-motion: reduce)"));
  const [isStill, setStill] = useState(query.matches);
  useEffect(() => {
    const changed = (): void => {
      setStill(query.matches);
    };
    query.addEventListener("change", changed);
    return () => {
      query.removeEventListener("change", changed);
    };
  }, [query]);
  return isStill;
}

/** Tell by title and icon whose table it is, and whether it is the visitor's turn. */
function useTitle(name: string, isTurn: boolean): void {
  const { words } = useSite();
  useEffect(() => {
    document.title = isTurn ? `● ${words.yourTurn} · ${name}` : `${name} · ${words.house}`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon !== null) icon.href = isTurn ? ICON.turn : ICON.other;
    return () => {
      if (icon !== null) icon.href = ICON.other;
    };
  }, [name, isTurn, words]);
}

/** Show a table by its id. */
export function Room({ tableId }: { tableId: string }) {
  const { words, report } = useSite();
  const [tries, setTries] = useState(0);
  const { watched, refused } = useTable(tableId, tries);
  useEffect(() => {
    if (reasonOf(refused) === "UNAUTHENTICATED") report(refused); // whose sign-in has ended signs in again
  }, [refused]);
  const again = (): void => {
    setTries((before) => before + 1);
  };
  if (refused !== undefined && reasonOf(refused) === "INVITATION_NEEDED") {
    return <Door tableId={tableId} onEntered={again} />;
  }
  if (refused !== undefined) {
    return (
      <Notice kind="bad">
        <p>{told(refused, words)}</p>
        <p class="row">
          <button type="button" onClick={again}>{words.again}</button>
          <a class="button" href="/">{words.backToLobby}</a>
        </p>
      </Notice>
    );
  }
  if (watched === undefined) return <Wait rows={6} />;
  return <Open tableId={tableId} {...watched} />;
}

type Watched = NonNullable<ReturnType<typeof useTable>["watched"]>;

/** The table of a room that is entered. */
function Open({ tableId, view, events, described, clockOffsetMs, link }: Watched & { tableId: string }) {
  const { house, words, language, wallet, report } = useSite();
  const [wanted, setWanted] = useState<{ seat?: number }>();
  const still = useStill();
  const { ownSeat, table } = view;
  const isTurn = ownSeat !== undefined && view.round?.options.length !== undefined && view.round.options.length > 0;
  const name = say(described.game?.name, language);
  useTitle(name, isTurn && link === "live");
  if (table === undefined) return null;
  const bounds = boundsAt(table);
  const balance = wallet?.balance ?? 0n;
  const maySit = ownSeat === undefined && link === "live";
  const act = async (action: Action): Promise<void> => {
    // Where one seat is asked, a press that comes after the clock has decided must not decide what is asked next.
    const given = view.round?.waitingFor.length === 1 ? { expectedVersion: view.version } : {};
    await house.act(tableId, action, given).catch((thrown: unknown) => {
      if (reasonOf(thrown) !== "STALE_VERSION") report(thrown);
    });
  };
  const me = { playerId: view.seats.find((one) => one.seat === ownSeat)?.playerId ?? "", seat: ownSeat };
  return (
    <div class="room">
      <Heading view={view} described={described} />
      <Standing view={view} link={link} clockOffsetMs={clockOffsetMs} />
      <div class={link === "away" ? "stage away" : "stage"}>
        <Table
          view={view}
          events={events}
          described={described}
          me={me}
          language={language}
          link={link}
          clockOffsetMs={clockOffsetMs}
          still={still}
          onAct={act}
          {...(maySit && { onSit: (seat: number) => { setWanted({ seat }); } })}
        />
      </div>
      <Fairness house={house} view={view} events={events} me={me} language={language} onRefused={report} />
      {link !== "still" && <SeatBar view={view} onSit={() => { setWanted({}); }} />}
      {wanted !== undefined && (
        <ChipsDialog
          title={wanted.seat === undefined ? words.sit : words.sitAt(chips(wanted.seat + 1, language))}
          confirm={words.confirm}
          least={bounds.least}
          most={bounds.most}
          first={usual(table.stake, bounds, wallet?.balance)}
          balance={balance}
          onGiven={async (amount) => { await house.takeSeat(tableId, amount, wanted); }}
          onEnd={() => { setWanted(undefined); }}
        />
      )}
    </div>
  );
}

/** Where one is: lobby, game, table, round. */
function Heading({ view, described }: { view: TableView; described: GetGameResponse }) {
  const { words, language } = useSite();
  const table = view.table;
  const number = view.round?.roundNumber ?? table?.roundNumber ?? 0n;
  return (
    <header class="where">
      <p class="path">
        <a href="/">{words.lobby}</a>
        <span aria-hidden="true"> ▸ </span>
        <a href={`/games/${table?.game ?? ""}`}>{say(described.game?.name, language)}</a>
      </p>
      <h1>{titled(table?.title ?? "", described.game?.name, language)}</h1>
      <p class="muted">
        {`${words.stake} ${chips(table?.stake ?? 0n, language)}`}
        {number > 0n && ` · ${words.round(chips(number, language))}`}
      </p>
    </header>
  );
}
