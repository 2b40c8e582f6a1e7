// A table of any game as one viewer sees it: others, the middle, the own hand, and what can be done.

import "./table.css";

import { Bar } from "./Bar.js";
import { Between } from "./Between.js";
import { BettingContext, isSpot, spotsIn } from "./betting.js";
import { Log } from "./Log.js";
import { Middle } from "./Middle.js";
import { model as modelOf } from "./model.js";
import { Own } from "./Own.js";
import { usePaced } from "./pace.js";
import type { TableProps } from "./props.js";
import { Result, Waiting } from "./Result.js";
import { FreeSeats, Seats } from "./Seats.js";
import { SuitsButton, useSuits } from "./Suits.js";
import { type Left, turnLeft } from "./time.js";
import { useTurn } from "./turn.js";
import { Words } from "./words.js";
import { announced } from "./announced.js";

/** Draw a table as one viewer sees it, with the buttons of the viewer's seat. */
export function Table(given: TableProps) {
  const props = usePaced(given);
  const [four, toggleSuits] = useSuits();
  const { view, described, me, language, link } = props;
  const words = new Words(described, language);
  const model = modelOf(view, me.seat);
  const turn = useTurn(props);
  const family = view.table?.family ?? "";
  const left = link === "live" ? (): Left | undefined => turnLeft(view, Date.now() + props.clockOffsetMs) : undefined;
  const spots = turn.amounts.filter(isSpot);
  const betting = {
    offered: [...new Set(spots.flatMap(spotsIn))],
    onSpot: (spot: string): void => {
      const offer = spots.find((one) => spotsIn(one).includes(spot));
      if (offer !== undefined) turn.bet(offer, { spot });
    },
  };
  const round = view.round;
  const inRow = family === "showdown" && model.ended;
  return (
    <BettingContext.Provider value={betting}>
      <div class="table" data-family={family} data-link={link} data-still={props.still} data-ended={model.ended} data-suits={four ? "four" : "two"}>
        <div class="felt">
          <Seats model={model} words={words} family={family} left={left} still={props.still} />
          <section class="middle" aria-label={words.own("middle")}>
            {round !== undefined && <p class="phase">{words.word(round.phase)}</p>}
            <Middle props={props} model={model} words={words} />
            <Result props={props} model={model} words={words} />
            {round === undefined && <Waiting props={props} words={words} />}
          </section>
          {props.onSit !== undefined && model.ownPlace === undefined && <FreeSeats free={model.free} words={words} onSit={props.onSit} />}
        </div>
        {model.ownPlace !== undefined && !inRow && (
          <Own place={model.ownPlace} turn={turn} words={words} best={model.best} left={left} still={props.still} family={family} />
        )}
        <Between props={props} model={model} words={words} />
        <p class="heard announced" role="status">{announced(model, words)}</p>
        <div class="act-place">
          <Bar turn={turn} words={words} model={model} total={round?.betting?.total ?? 0n} />
        </div>
        <div class="below">
          <Log props={props} model={model} words={words} />
          <SuitsButton four={four} onToggle={toggleSuits} words={words} />
        </div>
      </div>
    </BettingContext.Provider>
  );
}
