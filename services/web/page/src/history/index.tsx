// The visitor's rounds at all tables, the newest first.

import { type GameSummary, type PlayedRound, playedRounds } from "@pitboss/client/web";
import { useEffect, useState } from "preact/hooks";

import { Notice, Wait } from "../app/parts.js";
import { told } from "../app/refusals.js";
import { useSite } from "../app/site.js";
import { change, chips, say } from "../words/language.js";
import { moment, momentWhole } from "../words/moments.js";
import { type HistoryWord, historyWord } from "./words.js";

import "./history.css";

const PAGE = 25;

interface Listed {
  readonly rounds: readonly PlayedRound[];
  readonly next: string;
}

/** Show the list; its filter stands in the address. */
export function History() {
  const { house, words, language, currency } = useSite();
  const [asked, setAsked] = useState(() => new URLSearchParams(location.search));
  const [listed, setListed] = useState<Listed>();
  const [games, setGames] = useState<readonly GameSummary[]>([]);
  const [refused, setRefused] = useState<unknown>();
  const [tries, setTries] = useState(0);
  const word = (name: HistoryWord): string => historyWord(name, language);
  const game = asked.get("game") ?? "";
  const tableId = asked.get("table") ?? "";
  const name = (id: string): string => say(games.find((one) => one.game === id)?.name, language) || id;
  const more = async (pageToken: string): Promise<Listed> => {
    const page = await playedRounds(house, { game, tableId, currency, pageSize: PAGE, pageToken });
    return { rounds: page.rounds, next: page.nextPageToken };
  };
  const filter = (field: string, value: string): void => {
    const wanted = new URLSearchParams(asked);
    if (value) wanted.set(field, value);
    else wanted.delete(field);
    const query = wanted.toString();
    history.replaceState(null, "", location.pathname + (query && `?${query}`));
    setAsked(wanted);
  };
  useEffect(() => {
    house.games().then(setGames, setRefused);
  }, [house]);
  useEffect(() => {
    let isWanted = true;
    setListed(undefined);
    setRefused(undefined);
    more("").then(
      (found) => {
        if (isWanted) setListed(found);
      },
      (thrown: unknown) => {
        if (isWanted) setRefused(thrown);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [house, currency, game, tableId, tries]);
  useEffect(() => {
    document.title = `${word("history")} · ${words.house}`;
  }, [language]);
  const older = (): void => {
    if (listed === undefined) return;
    more(listed.next).then((found) => {
      setListed({ rounds: [...listed.rounds, ...found.rounds], next: found.next });
    }, setRefused);
  };
  return (
    <section class="history">
      <h1>{word("history")}</h1>
      <p class="history-filters">
        <label>
          <span>{word("game")}</span>{" "}
          <select value={game} onChange={(event) => { filter("game", event.currentTarget.value); }}>
            <option value="">{word("allGames")}</option>
            {games.map((one) => (
              <option key={one.game} value={one.game}>{say(one.name, language)}</option>
            ))}
          </select>
        </label>
        {tableId && (
          <button type="button" onClick={() => { filter("table", ""); }}>{`${word("oneTable")} ✕ ${word("allTables")}`}</button>
        )}
      </p>
      {refused !== undefined && (
        <Notice kind="bad">
          <p>{told(refused, words)}</p>
          <button type="button" onClick={() => { setTries((before) => before + 1); }}>{words.again}</button>
        </Notice>
      )}
      {listed === undefined && refused === undefined && <Wait rows={6} />}
      {listed?.rounds.length === 0 && <p class="empty">{word(game || tableId ? "noneFit" : "none")}</p>}
      {listed !== undefined && listed.rounds.length > 0 && <Rounds rounds={listed.rounds} name={name} />}
      {listed?.next && <p><button type="button" onClick={older}>{word("more")}</button></p>}
    </section>
  );
}

function Rounds({ rounds, name }: { rounds: readonly PlayedRound[]; name: (game: string) => string }) {
  const { language } = useSite();
  const word = (one: HistoryWord): string => historyWord(one, language);
  return (
    <div class="wide">
      <table class="history-rounds">
        <thead>
          <tr>
            <th scope="col">{word("ended")}</th>
            <th scope="col">{word("game")}</th>
            <th scope="col" class="number">{word("round")}</th>
            <th scope="col" class="number">{word("staked")}</th>
            <th scope="col" class="number">{word("fee")}</th>
            <th scope="col" class="number">{word("result")}</th>
          </tr>
        </thead>
        <tbody>
          {rounds.map((one) => (
            <tr key={`${one.tableId} ${one.roundNumber}`}>
              <td title={momentWhole(one.endTime, language)}>{moment(one.endTime, language)}</td>
              <td>
                <a href={`/history/${one.tableId}/${one.roundNumber}`} aria-label={`${word("replay")}: ${name(one.game)} ${one.roundNumber}`}>
                  {name(one.game)}
                </a>
              </td>
              <td class="number">{chips(one.roundNumber, language)}</td>
              <td class="number">{chips(one.staked, language)}</td>
              <td class="number">{chips(one.fee, language)}</td>
              <td class="number">
                {one.voided ? <span class="muted">{word("voided")}</span> : <Net net={one.chipsAfter - one.chipsBefore} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Net({ net }: { net: bigint }) {
  const { language } = useSite();
  return <strong class={net > 0n ? "won" : net < 0n ? "lost" : ""}>{change(net, language)}</strong>;
}
