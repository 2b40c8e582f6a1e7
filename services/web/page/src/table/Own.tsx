// The viewer's own seat, at the bottom: the hand, large, from which cards are chosen.

import { ChoiceCard, Hand, MANY } from "./Card.js";
import { sortedHand } from "./cards.js";
import { heldGroups, type Place } from "./model.js";
import { Ring } from "./Ring.js";
import { SeatFoot, SeatHead } from "./Seat.js";
import type { Left } from "./time.js";
import type { Turn } from "./turn.js";
import type { Words } from "./words.js";

interface OwnProps {
  readonly place: Place;
  readonly turn: Turn;
  readonly words: Words;
  readonly best: ReadonlySet<string>;
  readonly left: (() => Left | undefined) | undefined;
  readonly still: boolean;
  readonly family: string;
}

export function Own({ place, turn, words, best, left, still, family }: OwnProps) {
  const groups = heldGroups(place, family);
  const choosing = turn.plays.length > 0;
  return (
    <section class="seat own" aria-label={words.own("ownHand")} data-seat={place.seat} data-turn={place.turn} data-winner={place.winner}
      data-out={place.folded || (place.away && !place.inRound)}>
      {place.turn && left !== undefined && <Ring left={left} still={still} words={words} />}
      <div class="box">
        <div class="own-head">
          <SeatHead place={place} words={words} />
          {place.turn && <strong class="your-turn">{words.own("yourTurn")}</strong>}
          <SeatFoot place={place} words={words} bets={family === "poker"} />
        </div>
        {groups.length > 0 && <div class="held" onKeyDown={roved}>
          {groups.map((one) => (choosing && one.cards.some((card) => turn.open.has(card) || turn.chosen.has(card)) ? (
            <span key={one.zone} class={one.cards.length > MANY ? "cards many" : "cards"} role="group" aria-label={words.word(one.zone)}>
              {sortedHand(one.cards, family).map((card, at) => (
                <ChoiceCard key={`${at}-${card}`} card={card} words={words} chosen={turn.chosen.has(card)} open={turn.open.has(card)} onPress={turn.choose} />
              ))}
            </span>
          ) : (
            <Hand key={one.zone} cards={sortedHand(one.cards, family)} words={words} best={place.winner ? best : undefined} label={words.word(one.zone)} piled={family === "survival"} />
          )))}
        </div>}
      </div>
    </section>
  );
}

/** Arrow keys go from card to card. */
function roved(event: KeyboardEvent): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined || !(event.target instanceof HTMLElement) || !(event.currentTarget instanceof HTMLElement)) return;
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>("button.choice")];
  const next = cards[cards.indexOf(event.target) + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
