// A game in the lobby: its name, how many play it, and the ways to its rules and to a seat.

import type { GameSummary } from "@pitboss/client/web";

import { useSite } from "../app/site.js";
import { chips, say } from "../words/language.js";
import { PlayButton } from "./play-button.js";

/** Show a game of the list. */
export function GameCard({ game, tables }: { game: GameSummary; tables: number }) {
  const { words, language } = useSite();
  const name = say(game.name, language);
  const least = chips(game.minSeats, language);
  return (
    <li class="entry">
      <h4>{name}</h4>
      <p class="muted">
        {game.maxSeats ? words.seatsOf(least, chips(game.maxSeats, language)) : words.seatsFrom(least)}
        {tables > 0 && ` · ${words.tablesOpen(tables, chips(tables, language))}`}
      </p>
      {game.switchedOff ? (
        <p class="muted">{words.switchedOff}</p>
      ) : (
        <p class="row">
          <PlayButton game={game.game} label={words.play} name={words.playGame(name)} />
          <a class="button" href={`/games/${game.game}`} aria-label={words.rulesOf(name)}>
            {words.rules}
          </a>
        </p>
      )}
    </li>
  );
}
