// The lobby: where one sits, the games by family, and the open tables.

import type { GameSummary } from "@pitboss/client/web";
import { useEffect, useState } from "preact/hooks";

import { Notice, Shown, Wait } from "../app/parts.js";
import { useLoaded } from "../app/loaded.js";
import { told } from "../app/refusals.js";
import { useSite } from "../app/site.js";
import { GameCard } from "./game-card.js";
import { Tables } from "./tables.js";
import { useTables } from "./watch.js";
import { SeatWaitBar } from "./seat-wait.js";

const FAMILIES = ["poker", "banker", "showdown", "tricks", "climbing", "survival"] as const;

/** Return the games that fit a search and a family. */
function fitting(games: readonly GameSummary[], text: string, family: string): GameSummary[] {
  const wanted = text.trim().toLocaleLowerCase();
  const named = (game: GameSummary): string =>
    [game.game, game.name?.en, game.name?.zhHant, game.name?.zhHans].join(" ").replaceAll("_", " ").toLocaleLowerCase();
  return games.filter((game) => (!family || game.family === family) && (!wanted || named(game).includes(wanted)));
}

/** Show the lobby. */
export function Lobby({ isLost = false }: { isLost?: boolean }) {
  const { house, words } = useSite();
  const games = useLoaded(() => house.games(), [house]);
  const tables = useTables();
  const [text, setText] = useState("");
  const [family, setFamily] = useState("");
  useEffect(() => {
    document.title = `${words.lobby} · ${words.house}`;
  }, [words]);
  const names = new Map(games.state === "there" ? games.value.map((one) => [one.game, one.name]) : []);
  return (
    <>
      <h1 class="unseen">{words.lobby}</h1>
      {isLost && <Notice kind="plain">{words.notFound}</Notice>}
      <SeatWaitBar names={names} />
      <div class="lobby">
        <section aria-labelledby="games">
          <h2 id="games">{words.games}</h2>
          <div class="filters">
            <label>
              <span class="unseen">{words.search}</span>
              <input type="search" placeholder={words.search} value={text} onInput={(event) => { setText(event.currentTarget.value); }} />
            </label>
            <div class="tabs" role="group" aria-label={words.games}>
              {["", ...FAMILIES].map((one) => (
                <button key={one} type="button" aria-pressed={one === family} onClick={() => { setFamily(one); }}>
                  {one ? words.families[one] : words.allFamilies}
                </button>
              ))}
            </div>
          </div>
          <Shown of={games} rows={8}>
            {(all) => {
              const found = fitting(all, text, family);
              if (found.length === 0) return <p class="empty">{words.noGames}</p>;
              return FAMILIES.map((one) => [one, found.filter((game) => game.family === one)] as const)
                .filter(([, members]) => members.length > 0)
                .map(([one, members]) => (
                  <section key={one} class="family">
                    <h3>{words.families[one]}</h3>
                    <ul class="entries">
                      {members.map((game) => (
                        <GameCard key={game.game} game={game} tables={tables.list.filter((table) => table.game === game.game).length} />
                      ))}
                    </ul>
                  </section>
                ));
            }}
          </Shown>
        </section>
        <section aria-labelledby="tables">
          <h2 id="tables">{words.openTables}</h2>
          {tables.refused !== undefined && <Notice kind="bad">{told(tables.refused, words)}</Notice>}
          {!tables.isThere && tables.refused === undefined ? <Wait rows={6} /> : <Tables tables={tables} names={names} family={family} />}
        </section>
      </div>
    </>
  );
}
