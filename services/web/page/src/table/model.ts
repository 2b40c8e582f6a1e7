// A table as it is drawn: seats from the viewer's own one on, each with its cards, its chips and what it came to.

import { type ForcedBet, type Hand, RoundState, type RoundView, SeatState, type TableView, type Zone } from "@pitboss/client/web";

export interface Group {
  readonly zone: string;
  readonly cards: readonly string[];
}

export interface Place {
  readonly seat: number;
  readonly name: string;
  readonly own: boolean;
  readonly housePlayer: boolean;
  /** Sits out, or is short of chips. */
  readonly away: boolean;
  readonly inRound: boolean;
  readonly chips: bigint;
  readonly staked: bigint;
  readonly bet: bigint;
  readonly status: string;
  readonly turn: boolean;
  readonly button: boolean;
  readonly banker: boolean;
  readonly folded: boolean;
  readonly winner: boolean;
  readonly groups: readonly Group[];
  readonly hands: readonly Hand[];
  /** Cards held, where only their number matters; undefined where the game has no such number. */
  readonly held: number | undefined;
  readonly tricks: number | undefined;
  readonly side: number | undefined;
  /** What the seat won or lost in the ended round. */
  readonly net: bigint | undefined;
  /** What the seat puts in before the next round's first card. */
  readonly next: readonly ForcedBet[];
  readonly rank: number;
}

export interface Model {
  readonly places: readonly Place[];
  readonly ownPlace: Place | undefined;
  readonly others: readonly Place[];
  readonly free: readonly number[];
  readonly common: readonly Group[];
  readonly commonHands: readonly Hand[];
  readonly running: boolean;
  readonly ended: boolean;
  readonly voided: boolean;
  /** The cards that make the winning hands. */
  readonly best: ReadonlySet<string>;
}

/** Free seats that are shown at a table with many. */
const MOST_FREE = 10;
const AWAY: ReadonlySet<SeatState> = new Set([SeatState.SITTING_OUT, SeatState.SHORT, SeatState.WAITING]);
const OUT: ReadonlySet<string> = new Set(["folded", "fold", "out", "passed", "bust"]);

/** Return a view as it is drawn for a seat; without one the seats stand in their own order. */
export function model(view: TableView, own: number | undefined): Model {
  const round = view.round;
  const ended = round?.state === RoundState.ENDED;
  const numbers = new Set([...view.seats.map((one) => one.seat), ...(round?.seats.map((one) => one.seat) ?? [])]);
  const order = turned([...numbers].sort((one, other) => one - other), own);
  const places = order.map((seat) => place(view, seat, own));
  const most = Math.min(view.table?.maxSeats ?? 0, MOST_FREE);
  const kept = new Set(view.reservedSeats.map((one) => one.seat));
  return {
    places,
    ownPlace: places.find((one) => one.own),
    others: places.filter((one) => !one.own),
    free: Array.from({ length: most }, (_, seat) => seat).filter((seat) => !numbers.has(seat) && !kept.has(seat)),
    common: groups(round, undefined),
    commonHands: round?.hands.filter((one) => one.seat === undefined) ?? [],
    running: round?.state === RoundState.RUNNING,
    ended,
    voided: round?.state === RoundState.VOIDED,
    best: ended ? bestCards(places, round) : new Set(),
  };
}

/** Return seats in playing order, the own one first. */
export function turned(seats: readonly number[], own: number | undefined): readonly number[] {
  const at = own === undefined ? 0 : seats.findIndex((seat) => seat >= own);
  return at <= 0 ? seats : [...seats.slice(at), ...seats.slice(0, at)];
}

function place(view: TableView, seat: number, own: number | undefined): Place {
  const round = view.round;
  const held = view.seats.find((one) => one.seat === seat);
  const playing = round?.seats.find((one) => one.seat === seat);
  const result = resultOf(view)?.seats.find((one) => one.seat === seat);
  const facts = round?.facts;
  const hands = round?.hands.filter((one) => one.seat === seat) ?? [];
  const state = held?.state ?? SeatState.UNSPECIFIED;
  const over = round?.state !== RoundState.RUNNING;
  return {
    seat,
    name: held?.name ?? result?.name ?? "",
    own: seat === own,
    housePlayer: held?.housePlayer ?? false,
    away: AWAY.has(state),
    inRound: playing !== undefined,
    chips: over && resultOf(view) !== undefined ? (held?.chips ?? 0n) : (playing?.chips ?? held?.chips ?? 0n),
    staked: playing?.staked ?? 0n,
    bet: over ? 0n : (playing?.bet ?? 0n),
    status: playing?.status ?? "",
    turn: !over && round.waitingFor.includes(seat),
    button: round?.button === seat || (round === undefined && view.button === seat),
    banker: facts?.banker === seat,
    folded: OUT.has(playing?.status ?? "") || (facts?.out.includes(seat) ?? false),
    winner: over && ((result?.net ?? 0n) > 0n || wonPot(round, seat) || (facts?.winners.includes(seat) ?? false)),
    groups: groups(round, seat),
    hands,
    held: heldOf(round, seat),
    tricks: facts?.tricksCompleted === undefined && Object.keys(facts?.tricks ?? {}).length === 0
      ? undefined : (facts?.tricks[seat] ?? 0),
    side: facts?.sides[seat],
    net: result?.net,
    next: over ? (held?.nextBets ?? []) : [],
    rank: Math.max(0, ...hands.map((one) => one.rank)),
  };
}

/** Zones of a seat that are drawn in the middle of the table. */
const ELSEWHERE: ReadonlySet<string> = new Set(["trick", "last_trick", "played"]);

/** Return the cards that are drawn at a seat; of an open pile the card that shows. */
export function heldGroups(one: Place, family: string): readonly Group[] {
  const found = one.groups.filter((group) => !ELSEWHERE.has(group.zone));
  if (family !== "survival") return arranged(found);
  return found.map((group) => (group.zone === "pile" ? { zone: group.zone, cards: group.cards.slice(-1) } : group));
}

/** Cards that were arranged in two piles are not shown a second time as one hand. */
export function arranged(groups: readonly Group[]): readonly Group[] {
  const piles = groups.filter((one) => one.zone === "low" || one.zone === "high");
  return piles.length === 0 ? groups : piles;
}

/** Return the result of the round that a view shows; undefined before it is settled. */
export function resultOf(view: TableView) {
  const { lastResult, round } = view;
  if (lastResult === undefined || round === undefined || lastResult.voided) return undefined;
  return lastResult.roundNumber === round.roundNumber ? lastResult : undefined;
}

function wonPot(round: RoundView | undefined, seat: number): boolean {
  return round?.potResults.some((pot) => pot.shares.some((share) => share.seat === seat)) ?? false;
}

function heldOf(round: RoundView | undefined, seat: number): number | undefined {
  const family = round?.facts?.familyFacts;
  if (family?.case === "survival") return family.value.held[seat];
  if (family?.case !== "climbing") return undefined;
  return zonesOf(round, seat).reduce((sum, one) => sum + (one.name === "hand" ? one.cards.length : 0), 0);
}

function zonesOf(round: RoundView | undefined, owner: number | undefined): readonly Zone[] {
  return (round?.zones ?? []).filter((one) => one.owner === owner);
}

function groups(round: RoundView | undefined, owner: number | undefined): readonly Group[] {
  const found = zonesOf(round, owner).filter((one) => one.cards.length > 0);
  return found.map((one) => ({ zone: one.name, cards: one.cards }));
}

function bestCards(places: readonly Place[], round: RoundView | undefined): ReadonlySet<string> {
  const winners = places.filter((one) => wonPot(round, one.seat));
  return new Set(winners.flatMap((one) => one.hands.flatMap((hand) => ([...(hand.best.length ? hand.best : hand.cards), ...(hand.secondBoard?.best ?? [])]))));
}
