// Keeps what this browser has seen of rounds, so that the house cannot tell it otherwise later. It lasts as long as the tab.

import type { SetSeedResponse, TableEvent, TableView } from "@pitboss/client/web";

import { type RoundRecord, unseen, withCommitment, withEvent, withSeed, withView } from "./record.js";
import { digest } from "./seeds.js";

const PREFIX = "pitboss.deck.";
const MOST_KEPT = 60;
const STARTED = "RoundStarted";

export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** The records of one table. */
export class Keeper {
  private readonly records = new Map<string, RoundRecord>();
  private readonly table: string;
  private readonly store: Store | undefined;
  private lastVersion = -1n;

  constructor(table: string, store: Store | undefined) {
    this.table = table;
    this.store = store;
  }

  /** Return what was kept of a round. */
  record(round: bigint | string): RoundRecord {
    const key = String(round);
    const known = this.records.get(key);
    if (known !== undefined) return known;
    const kept = this.read(key);
    const record = kept ?? unseen(this.table, key);
    this.records.set(key, record);
    return record;
  }

  /** Note a view with the events that led to it; events that were noted before are left out. */
  note(view: TableView, events: readonly TableEvent[]): void {
    const fresh = events.filter((one) => one.version > this.lastVersion && one.version <= view.version);
    this.lastVersion = view.version > this.lastVersion ? view.version : this.lastVersion;
    const last = view.table?.roundNumber ?? 0n;
    let round = last - BigInt(fresh.filter((one) => one.type === STARTED).length);
    for (const event of fresh) {
      if (event.type === STARTED) {
        round += 1n;
        this.keep({ ...this.record(round), whole: true });
      }
      // A round that has passed since the last view was not seen whole: its last roots are missing.
      const record = withEvent(this.record(round), event);
      if (record !== this.record(round)) this.keep(round === last ? record : { ...record, whole: false });
    }
    if (last > 0n) this.keep(withView(this.record(last), view));
    this.keep(withCommitment(this.record(last + 1n), view.nextSeedCommitment));
  }

  /** Note the viewer's seed for the round after `round`, and what the house has answered to it. */
  async noteSeed(round: bigint, seat: number, text: string, answer: SetSeedResponse): Promise<void> {
    const given = { seat, text, digest: answer.seedDigest, commitment: answer.houseCommitment };
    // The round may have started in between: then the seed is for the one after it.
    const later = await digest(this.table, round + 2n, seat, text);
    this.keep(withSeed(this.record(round + (later === answer.seedDigest ? 2n : 1n)), given));
  }

  private keep(record: RoundRecord): void {
    if (this.records.get(record.round) === record) return;
    this.records.set(record.round, record);
    try {
      this.store?.setItem(this.key(record.round), JSON.stringify(record));
      this.clear();
    } catch {
      // Storage is full or not allowed: the record lasts as long as the page.
    }
  }

  private read(round: string): RoundRecord | undefined {
    try {
      const text = this.store?.getItem(this.key(round));
      return text ? (JSON.parse(text) as RoundRecord) : undefined;
    } catch {
      return undefined;
    }
  }

  private key(round: string): string {
    return `${PREFIX}${this.table}.${round}`;
  }

  /** Forget the oldest rounds of the store beyond its bound. */
  private clear(): void {
    if (this.store === undefined) return;
    const names = Array.from({ length: this.store.length }, (_, at) => this.store?.key(at) ?? "");
    const own = names.filter((one) => one.startsWith(PREFIX + this.table));
    const age = (name: string): number => Number(name.slice(name.lastIndexOf(".") + 1));
    own.sort((one, other) => age(one) - age(other));
    for (const name of own.slice(0, Math.max(0, own.length - MOST_KEPT))) this.store.removeItem(name);
  }
}

const keepers = new Map<string, Keeper>();

/** Return the keeper of a table; it is one for all parts of the page. */
export function keeperOf(table: string): Keeper {
  const known = keepers.get(table);
  if (known !== undefined) return known;
  const keeper = new Keeper(table, storage());
  keepers.set(table, keeper);
  return keeper;
}

/** Forget the records of all tables, so that the next visitor of this tab has none of them. */
export function forgetAll(store: Store | undefined = storage()): void {
  keepers.clear();
  if (store === undefined) return;
  const names = Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
  for (const name of names) if (name.startsWith(PREFIX)) store.removeItem(name);
}

function storage(): Store | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
