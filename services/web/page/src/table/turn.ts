// The viewer's turn: what is offered, what has been chosen of it so far, and sending it.

import { moves, type Option } from "@pitboss/client/web";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { type Amount, allowed, type Offer, offers as offersOf, type Play, type Press, type Value, type Values } from "./options.js";
import type { TableProps } from "./props.js";
import { hint as hintOf, open as openOf, playable, pressed } from "./selection.js";

/** Actions that ask once more: they cannot be mended. */
const ASKS: ReadonlySet<string> = new Set(["all_in"]);
/** Actions whose amount stays from one press to the next, as chips in hand do. */
const KEEPS: ReadonlySet<string> = new Set(["place_bet", "bet"]);

/** How long the buttons rest after an answer that no new view follows. */
const UNCHANGED_MS = 500;

export interface Turn {
  readonly offers: readonly Offer[];
  readonly amounts: readonly Amount[];
  readonly plays: readonly Play[];
  readonly chosen: ReadonlySet<string>;
  /** Cards that may be chosen now. */
  readonly open: ReadonlySet<string>;
  /** What the chosen cards can be played as. */
  readonly ready: readonly Play[];
  readonly armed: string;
  readonly busy: boolean;
  readonly press: (offer: Press) => void;
  readonly play: (play: Play) => void;
  readonly choose: (card: string) => void;
  readonly hint: () => void;
  readonly clear: () => void;
  readonly amountOf: (offer: Amount) => bigint;
  readonly setAmount: (offer: Amount, amount: bigint) => void;
  readonly wordOf: (offer: Amount, argument: string) => Value;
  readonly setWord: (argument: string, value: Value) => void;
  readonly bet: (offer: Amount, more?: Values) => void;
}

interface Chosen {
  readonly signature: string;
  readonly cards: ReadonlySet<string>;
  readonly amounts: Readonly<Record<string, bigint>>;
  readonly words: Readonly<Record<string, Value>>;
  readonly armed: string;
}

const NONE: Chosen = { signature: "", cards: new Set(), amounts: {}, words: {}, armed: "" };

/** Keep what the viewer has chosen of the options of a view; options that change start anew. */
export function useTurn(props: TableProps): Turn {
  const options = props.link === "live" ? props.view.round?.options : undefined;
  const signature = useMemo(() => signed(options ?? []), [options]);
  const offers = useMemo(() => offersOf(options ?? []), [signature]);
  const plays = offers.filter((one) => one.kind === "play");
  const amounts = offers.filter((one) => one.kind === "amount");
  const [held, setHeld] = useState<Chosen>(NONE);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const answered = useRef<bigint | undefined>(undefined);
  const { version } = props.view;
  const newest = useRef(version);
  newest.current = version;
  const free = (): void => { answered.current = undefined; running.current = false; setBusy(false); };
  useEffect(() => { if (answered.current !== undefined && version > answered.current) free(); }, [version]);
  const state = held.signature === signature ? held : renewed(held, signature, plays);
  useEffect(() => { setHeld((last) => (last.signature === signature ? last : renewed(last, signature, plays))); }, [signature]);
  const change = (more: Partial<Chosen>): void => { setHeld({ ...state, armed: "", ...more }); };
  const act = async (name: string, values: Values): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    await props.onAct(moves.action(name, values)).finally(() => {
      // A press before the answer is drawn would be for what was asked before; a refusal changes no view.
      if (newest.current > version) { free(); return; }
      answered.current = version;
      setTimeout(() => { if (answered.current === version) free(); }, UNCHANGED_MS);
    });
  };
  const wordOf = (offer: Amount, argument: string): Value => {
    const values = offer.words.find((one) => one.argument === argument)?.values ?? [];
    const wished = state.words[argument];
    return wished !== undefined && values.includes(wished) ? wished : (values[0] ?? "");
  };
  const amountOf = (offer: Amount): bigint => allowed(offer.range, state.amounts[offer.action] ?? offer.range.least);
  return {
    offers, amounts, plays, busy, wordOf, amountOf,
    chosen: state.cards, open: openOf(plays, state.cards), ready: playable(plays, state.cards), armed: state.armed,
    press: (offer) => {
      if (ASKS.has(offer.action) && state.armed !== offer.action) change({ armed: offer.action });
      else void act(offer.action, offer.values);
    },
    play: (play) => {
      const cards = [...state.cards];
      void act(play.action, { ...play.values, [play.argument]: play.single ? (cards[0] ?? "") : cards });
    },
    choose: (card) => { change({ cards: pressed(plays, state.cards, card) }); },
    hint: () => { change({ cards: hintOf(plays, state.cards) }); },
    clear: () => { change({ cards: new Set() }); },
    setAmount: (offer, amount) => { change({ amounts: { ...state.amounts, [offer.action]: allowed(offer.range, amount) } }); },
    setWord: (argument, value) => { change({ words: { ...state.words, [argument]: value } }); },
    bet: (offer, more = {}) => {
      const words = Object.fromEntries(offer.words.map((one) => [one.argument, wordOf(offer, one.argument)]));
      void act(offer.action, { ...words, ...more, [offer.argument]: amountOf(offer) });
    },
  };
}

function renewed(last: Chosen, signature: string, plays: readonly Play[]): Chosen {
  const open = openOf(plays, new Set());
  const amounts = Object.fromEntries(Object.entries(last.amounts).filter(([action]) => KEEPS.has(action)));
  return { signature, cards: new Set([...last.cards].filter((card) => open.has(card))), amounts, words: last.words, armed: "" };
}

function signed(options: readonly Option[]): string {
  return JSON.stringify(options, (_, value: unknown) => (typeof value === "bigint" ? `${value.toString()}n` : value));
}
