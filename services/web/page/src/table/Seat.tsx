// A seat: who sits there, what it holds, whose turn it is.

import { Hand } from "./Card.js";
import { face } from "./cards.js";
import { heldGroups, type Place } from "./model.js";
import { Ring } from "./Ring.js";
import type { Left } from "./time.js";
import type { Words } from "./words.js";

/** Families in which hands of others matter by their number alone. */
const PILED: ReadonlySet<string> = new Set(["tricks", "climbing", "survival"]);

export interface SeatProps {
  readonly place: Place;
  readonly words: Words;
  readonly best: ReadonlySet<string>;
  readonly left: (() => Left | undefined) | undefined;
  readonly still: boolean;
  readonly family: string;
  readonly at?: { readonly x: number; readonly y: number } | undefined;
}

/** Draw a seat other than the viewer's own, or one of a row of hands. */
export function Seat({ place, words, best, left, still, family, at }: SeatProps) {
  const style = at === undefined ? {} : { "--x": `${at.x}%`, "--y": `${at.y}%` };
  return (
    <li class="seat" style={style} data-seat={place.seat} data-own={place.own} data-turn={place.turn} data-out={place.folded || (place.away && !place.inRound)}
      data-winner={place.winner}>
      {place.turn && left !== undefined && <Ring left={left} still={still} words={words} />}
      <div class="box">
        <SeatHead place={place} words={words} />
        <div class="held"><Cards place={place} words={words} best={best} family={family} /></div>
        <SeatFoot place={place} words={words} bets={family === "poker"} />
      </div>
    </li>
  );
}

function Cards({ place, words, best, family }: { place: Place; words: Words; best: ReadonlySet<string>; family: string }) {
  return (
    <>
      {heldGroups(place, family).map((one) => (
        <Hand key={one.zone} cards={one.cards} words={words} best={place.winner ? best : undefined} label={words.word(one.zone)} piled={PILED.has(family)} />
      ))}
    </>
  );
}

export function SeatHead({ place, words }: { place: Place; words: Words }) {
  const { rank } = place;
  return (
    <div class="who">
      <span class="name">{place.name}</span>
      {rank > 0 && <abbr class="tag rank" title={words.own("rank")}>{words.chips(rank)}</abbr>}
      {place.own && <span class="tag">{words.own("you")}</span>}
      {place.housePlayer && <abbr class="tag" title={words.own("programme")}>⚙</abbr>}
      {place.button && <abbr class="tag dealer" title={words.own("button")}>D</abbr>}
      {place.banker && <span class="tag bank">{words.word("banker")}</span>}
      {place.side !== undefined && <span class="tag">{words.chips(place.side)}</span>}
      <span class="stack">{words.chips(place.chips)}</span>
    </div>
  );
}

export function SeatFoot({ place, words, bets }: { place: Place; words: Words; bets: boolean }) {
  const hand = place.hands.find((one) => one.words !== undefined);
  const low = place.hands.find((one) => one.low !== undefined)?.low;
  /** Cards that are drawn as one back with their number. */
  const hidden = Math.max(0, ...place.groups.map((one) => one.cards.filter((card) => face(card).kind === "back").length));
  return (
    <div class="foot">
      {place.turn && !place.own && <span class="now">{words.own("toAct")}</span>}
      {!place.turn && place.status !== "" && <span class="status">{words.word(place.status)}</span>}
      {place.away && !place.inRound && <span class="status">{words.own("away")}</span>}
      {place.tricks !== undefined && <span class="count">{`${words.own("tricks")} ${words.chips(place.tricks)}`}</span>}
      {place.held !== undefined && place.held !== hidden && <span class="count">{`${words.own("cardsLeft")} ${words.chips(place.held)}`}</span>}
      {place.bet > 0n && <span class="bet" key={String(place.bet)}><i class="chip" aria-hidden="true" />{`${words.own("bet")} ${words.chips(place.bet)}`}</span>}
      {!bets && place.staked > 0n && place.net === undefined && (
        <span class="bet"><i class="chip" aria-hidden="true" />{words.chips(place.staked)}</span>
      )}
      {hand?.words !== undefined && <span class="hand-words">{words.say(hand.words)}</span>}
      {hand?.secondBoard?.words !== undefined && <span class="hand-words">{words.say(hand.secondBoard.words)}</span>}
      {place.next.length > 0 && (place.own || !place.inRound) && (
        <span class="status">
          {words.own("nextRound")} {place.next.map((one) => <span key={one.reason} class="bet">{words.word(one.reason)} {words.chips(one.amount)} </span>)}
        </span>
      )}
      {low?.words !== undefined && <span class="hand-words">{words.say(low.words)}</span>}
      {place.net !== undefined && (place.net !== 0n || place.staked > 0n) && <span class="net" data-sign={sign(place.net)}>{words.change(place.net)}</span>}
    </div>
  );
}

function sign(amount: bigint): string {
  return amount > 0n ? "won" : amount < 0n ? "lost" : "even";
}
