// An amount: number, slider, steps and suggestions, with the button that sends it.

import { type Amount, costAt, moved } from "./options.js";
import type { Turn } from "./turn.js";
import type { Words } from "./words.js";

interface AmountProps {
  readonly offer: Amount;
  readonly turn: Turn;
  readonly words: Words;
  /** All pots and bets together; 0 where the game has none. */
  readonly total: bigint;
}

export function AmountBox({ offer, turn, words, total }: AmountProps) {
  const { range } = offer;
  const amount = turn.amountOf(offer);
  const action = words.word(offer.action);
  const fixed = range.least >= range.most;
  return (
    <form class="amount" aria-label={action} onSubmit={(event) => { event.preventDefault(); turn.bet(offer); }}>
      {offer.words.filter((one) => one.values.length > 1).map((one) => (
        <WordChoice key={one.argument} argument={one.argument} values={one.values.map(String)} offer={offer} turn={turn} words={words} />
      ))}
      {!fixed && <Suggestions offer={offer} turn={turn} words={words} />}
      <div class="amount-row">
        {!fixed && <Steps offer={offer} turn={turn} words={words} />}
        <button type="submit" class={`act main act-${offer.action}`} data-action={offer.action} aria-disabled={turn.busy}>
          <span class="label">{action}</span> <b>{words.chips(amount)}</b>
          {offer.key !== "" && <kbd aria-hidden="true">{offer.key.toUpperCase()}</kbd>}
          {total > 0n && <small>{`${words.own("makesPot")} ${words.chips(total + costAt(range, offer.cost, amount))}`}</small>}
        </button>
      </div>
    </form>
  );
}

interface PartProps {
  readonly offer: Amount;
  readonly turn: Turn;
  readonly words: Words;
}

function Suggestions({ offer, turn, words }: PartProps) {
  const amount = turn.amountOf(offer);
  return (
    <div class="suggestions">
      {offer.range.suggestions.map((one) => (
        <button key={one.word} type="button" class="act quiet" onClick={() => { turn.setAmount(offer, one.value); }} aria-pressed={one.value === amount}>
          <span>{words.word(one.word)}</span> <b>{words.chips(one.value)}</b>
        </button>
      ))}
    </div>
  );
}

function Steps({ offer, turn, words }: PartProps) {
  const { range } = offer;
  const amount = turn.amountOf(offer);
  const set = (to: bigint): void => { turn.setAmount(offer, to); };
  const bounds = { min: String(range.least), max: String(range.most), step: String(range.step > 0n ? range.step : 1n), value: String(amount) };
  const label = `${words.word(offer.action)}: ${words.word(offer.argument)}`;
  return (
    <div class="steps">
      <button type="button" class="act quiet step" aria-label={words.own("less")} onClick={() => { set(moved(range, amount, -1)); }}>−</button>
      <input type="number" inputMode="numeric" data-amount={offer.action} aria-label={label} {...bounds}
        onChange={(event) => { set(whole(event.currentTarget.value, range.least)); }}
        onKeyDown={(event) => { stepped(event, (direction, far) => { set(moved(range, amount, direction, far)); }); }} />
      <button type="button" class="act quiet step" aria-label={words.own("more")} onClick={() => { set(moved(range, amount, 1)); }}>+</button>
      <input type="range" aria-label={label} {...bounds} onInput={(event) => { set(whole(event.currentTarget.value, range.least)); }} />
    </div>
  );
}

/** The chips that a tap on a spot puts down; spots with narrower bounds take the nearest amount that they allow. */
export function ChipBox({ offers, turn, words }: { offers: readonly Amount[]; turn: Turn; words: Words }) {
  const widest = offers.reduce((found, one) => (one.range.most > found.range.most ? one : found));
  return (
    <div class="amount" role="group" aria-label={words.word(widest.argument)}>
      <p class="tap">{words.own("tap")} <i class="chip own" aria-hidden="true" /><b>{words.chips(turn.amountOf(widest))}</b></p>
      <Suggestions offer={widest} turn={turn} words={words} />
      <Steps offer={widest} turn={turn} words={words} />
    </div>
  );
}

interface WordChoiceProps {
  readonly argument: string;
  readonly values: readonly string[];
  readonly offer: Amount;
  readonly turn: Turn;
  readonly words: Words;
}

function WordChoice({ argument, values, offer, turn, words }: WordChoiceProps) {
  const chosen = turn.wordOf(offer, argument);
  return (
    <fieldset class="words">
      <legend>{words.word(argument)}</legend>
      {values.map((value) => (
        <label key={value}>
          <input type="radio" name={`${offer.action}-${argument}`} checked={chosen === value} onChange={() => { turn.setWord(argument, value); }} />
          <span>{words.word(value)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function whole(written: string, otherwise: bigint): bigint {
  return /^-?\d+$/.test(written) ? BigInt(written) : otherwise;
}

/** Page keys go by a tenth of the range; arrows are the number field's own. */
function stepped(event: KeyboardEvent, move: (direction: 1 | -1, far: boolean) => void): void {
  if (event.key !== "PageUp" && event.key !== "PageDown") return;
  event.preventDefault();
  move(event.key === "PageUp" ? 1 : -1, true);
}
