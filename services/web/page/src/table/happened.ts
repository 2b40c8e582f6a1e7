// Events as short lines: who, what by the contract's word, how many chips, which cards.

import type { Happening, TableEvent } from "@pitboss/client/web";

export interface Line {
  readonly key: string;
  readonly seat: number | undefined;
  /** A word of the game; empty where `text` says it. */
  readonly word: string;
  readonly amount: bigint | undefined;
  readonly cards: readonly string[];
  readonly event: TableEvent;
  /** The event has a text of the house: somebody came or went. */
  readonly told: boolean;
}

const QUIET: ReadonlySet<string> = new Set(["turn", "showdown"]);

/** Return the lines of events, oldest first. */
export function lines(events: readonly TableEvent[]): readonly Line[] {
  return events.flatMap((event) => {
    const made: Line[] = [];
    const add = (seat: number | undefined, word: string, amount?: bigint, cards: readonly string[] = []): void => {
      made.push({ key: `${event.version}-${made.length}`, seat, word, amount, cards, event, told: false });
    };
    if (event.text !== undefined) made.push({ key: `${event.version}`, seat: event.seat, word: "", amount: undefined, cards: [], event, told: true });
    if (event.actionName !== "") add(event.seat, event.actionName, amountOf(event), cardsOf(event));
    for (const one of event.happenings) happening(one, event, add);
    return made;
  });
}

function happening(one: Happening, event: TableEvent, add: (seat: number | undefined, word: string, amount?: bigint, cards?: readonly string[]) => void): void {
  switch (one.kind.case) {
    case "staked":
      if (event.actionName === "") add(one.kind.value.seat, one.kind.value.what, one.kind.value.amount);
      return;
    case "decided":
      add(one.kind.value.seat, one.kind.value.name);
      return;
    case "noted": {
      const { what, seat, facts } = one.kind.value;
      if (QUIET.has(what) || (seat === event.seat && repeats(what, event.actionName))) return;
      add(seat, what, facts?.amount, facts?.cards ?? []);
      return;
    }
    case "dealt":
      if (one.kind.value.to === undefined && one.kind.value.cards.some((card) => card !== "??")) add(undefined, one.kind.value.zone, undefined, one.kind.value.cards);
      return;
    default:
  }
}

/** Whether a note says what the action has said: `played` after `play`. */
function repeats(what: string, action: string): boolean {
  return action !== "" && (what.startsWith(action) || action.endsWith(what));
}

function amountOf(event: TableEvent): bigint | undefined {
  const staked = event.happenings.find((one) => one.kind.case === "staked" && one.kind.value.seat === event.seat);
  return staked?.kind.case === "staked" ? staked.kind.value.amount : undefined;
}

function cardsOf(event: TableEvent): readonly string[] {
  const kind = event.action?.kind;
  return kind?.case === "play" ? kind.value.cards : [];
}

/** Return what each seat did last in the running phase, for the labels at the seats. */
export function lastOf(found: readonly Line[]): ReadonlyMap<number, Line> {
  return new Map(found.flatMap((one) => (one.seat === undefined || one.told ? [] : [[one.seat, one] as const])));
}
