// The bar of what can be done: the options as buttons, amounts, and the cards that are chosen.

import { useLayoutEffect } from "preact/hooks";

import { AmountBox, ChipBox } from "./AmountBox.js";
import { type Betting, isSpot, useBetting } from "./betting.js";
import { Hand, ChoiceCard } from "./Card.js";
import type { Model } from "./model.js";
import type { Offer, Play, Press, Value } from "./options.js";
import type { Turn } from "./turn.js";
import type { Words } from "./words.js";

export interface BarProps {
  readonly turn: Turn;
  readonly words: Words;
  readonly model: Model;
  readonly total: bigint;
}

export function Bar({ turn, words, model, total }: BarProps) {
  useKeys(turn, useBetting());
  if (turn.offers.length === 0) return null;
  const presses = turn.offers.filter((one) => one.kind === "press");
  const spots = turn.amounts.filter(isSpot);
  const own = new Set(model.ownPlace?.groups.flatMap((one) => one.cards));
  const foreign = [...turn.open].filter((card) => !own.has(card));
  return (
    <div class="bar" role="group" aria-label={words.own("options")} data-busy={turn.busy}>
      {foreign.length > 0 && (
        <div class="picker" role="group" aria-label={words.own("choose")}>
          {foreign.map((card) => (
            <ChoiceCard key={card} card={card} words={words} chosen={turn.chosen.has(card)} open onPress={turn.choose} />
          ))}
        </div>
      )}
      {turn.plays.length > 0 && <Plays turn={turn} words={words} model={model} />}
      {grouped(presses).map((found) => <Presses key={found[0]?.action} found={found} turn={turn} words={words} model={model} />)}
      {spots.length > 0 && <ChipBox offers={spots} turn={turn} words={words} />}
      {turn.amounts.filter((one) => !isSpot(one)).map((one, at) => <AmountBox key={at} offer={one} turn={turn} words={words} total={total} />)}
    </div>
  );
}

/** The text of an argument's value: a seat's name, a word of the game, a number. */
function valueText(argument: string, value: Value, words: Words, model: Model): string {
  if (typeof value === "object") return value.map((card) => words.card(card)).join(", ");
  if (argument === "target" || argument === "next") {
    return model.places.find((one) => one.seat === Number(value))?.name ?? String(value);
  }
  if (typeof value === "string") return words.word(value);
  return argument === "multiple" ? `×${words.chips(value)}` : words.chips(value);
}

/** Buttons of one action stand together: their name is said once. */
function grouped(presses: readonly Press[]): readonly (readonly Press[])[] {
  const single = presses.filter((one) => one.shown.length === 0);
  const rest = presses.filter((one) => one.shown.length > 0);
  const actions = [...new Set(rest.map((one) => one.action))];
  return [single, ...actions.map((action) => rest.filter((one) => one.action === action))].filter((one) => one.length > 0);
}

function Presses({ found, turn, words, model }: { found: readonly Press[]; turn: Turn; words: Words; model: Model }) {
  const [first] = found;
  const named = found.length > 1 && first !== undefined && first.shown.length > 0;
  return (
    <div class="presses" role="group" aria-label={named ? words.word(first.action) : words.own("options")}>
      {named && <span class="presses-name" aria-hidden="true">{words.word(first.action)}</span>}
      {found.map((one, at) => <PressButton key={at} offer={one} named={named} turn={turn} words={words} model={model} />)}
    </div>
  );
}

function PressButton({ offer, named, turn, words, model }: { offer: Press; named: boolean; turn: Turn; words: Words; model: Model }) {
  const armed = turn.armed === offer.action;
  const big = offer.action === "slap" ? " big" : "";
  return (
    <button type="button" class={`act act-${offer.action}${big}`} data-action={offer.action} aria-disabled={turn.busy}
      aria-keyshortcuts={keyName(offer.key)} onClick={() => { turn.press(offer); }}>
      {!named && <span class="label">{armed ? words.own("again") : words.word(offer.action)}</span>}
      {offer.shown.map((name) => {
        const value = offer.values[name] ?? "";
        if (typeof value !== "object") return <b key={name}>{valueText(name, value, words, model)}</b>;
        return <span key={name} class="mini">{words.word(name)} <Hand cards={value} words={words} /></span>;
      })}
      {offer.cost > 0n && <b class="cost">{words.chips(offer.cost)}</b>}
      {offer.key !== "" && <kbd aria-hidden="true">{keyName(offer.key)}</kbd>}
    </button>
  );
}

function Plays({ turn, words, model }: { turn: Turn; words: Words; model: Model }) {
  const several = turn.plays.some((one) => (one.sets?.length ?? 0) > 1 || (one.some?.most === 1 && one.some.cards.length > 1));
  const idle = turn.ready.length === 0 ? distinct(turn.plays) : [];
  return (
    <div class="plays">
      {turn.ready.map((play, at) => (
        <button key={at} type="button" class="act main" data-action={play.action} aria-disabled={turn.busy} onClick={() => { turn.play(play); }}
          aria-keyshortcuts={at === 0 ? "Enter" : undefined}>
          <span class="label">{words.word(play.action)}</span>
          {play.shown.map((name) => <b key={name}>{valueText(name, play.values[name] ?? "", words, model)}</b>)}
          {play.some !== undefined && play.some.most > 1 && <b>{words.chips(turn.chosen.size)}</b>}
          {play.some?.least === 0 && turn.chosen.size === 0 && <small>{words.own("choose")}</small>}
          {at === 0 && <kbd aria-hidden="true">↵</kbd>}
        </button>
      ))}
      {idle.map((action) => (
        <button key={action} type="button" class="act main" data-action={action} aria-disabled="true">
          <span class="label">{words.word(action)}</span><small>{words.own("choose")}</small>
        </button>
      ))}
      {several && <button type="button" class="act quiet" data-action="hint" onClick={turn.hint} aria-keyshortcuts="H">{words.own("hint")}<kbd aria-hidden="true">H</kbd></button>}
      {turn.chosen.size > 0 && <button type="button" class="act quiet" data-action="clear" onClick={turn.clear} aria-keyshortcuts="Escape">{words.own("clear")}<kbd aria-hidden="true">Esc</kbd></button>}
    </div>
  );
}

function distinct(plays: readonly Play[]): readonly string[] {
  return [...new Set(plays.map((one) => one.action))];
}

function keyName(key: string): string {
  return key === " " ? "Space" : key.toUpperCase();
}

/** Keys act anywhere on the page, but not where a person writes or presses something else. */
function useKeys(turn: Turn, betting: Betting): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || writes(event.target)) return;
      if (acted(turn, betting, event.key.toLowerCase(), event.target)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => { window.removeEventListener("keydown", onKey); };
  });
}

function acted(turn: Turn, betting: Betting, key: string, target: EventTarget | null): boolean {
  const pressed = target instanceof Element && target.closest("button, a, summary") !== null;
  const [ready] = turn.ready;
  const spot = /^[1-9]$/.test(key) ? betting.offered[Number(key) - 1] : undefined;
  if (key === "enter" && !pressed && ready !== undefined) turn.play(ready);
  else if (key === "escape" && turn.chosen.size > 0) turn.clear();
  else if (key === "h" && turn.plays.length > 0) turn.hint();
  else if (key === " " && pressed) return false;
  else if (spot !== undefined) betting.onSpot(spot);
  else return offered(turn, turn.offers.find((one) => one.kind !== "play" && one.key !== "" && one.key === key));
  return true;
}

function offered(turn: Turn, offer: Offer | undefined): boolean {
  if (offer === undefined || offer.kind === "play") return false;
  if (offer.kind === "press") turn.press(offer);
  else document.querySelector<HTMLInputElement>(`[data-amount="${offer.action}"]`)?.focus();
  return true;
}

function writes(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable], dialog") !== null;
}
