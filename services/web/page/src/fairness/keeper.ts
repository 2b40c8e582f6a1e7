// Keeps what this browser has seen of rounds, so that the house cannot tell it otherwise later. It lasts as long as the tab.

import type { SetSeedResponse, TableEvent, TableView } from "@pitboss/client/web";

import { type RoundRecord, unseen, withCommitment, withEvent, withSeed, withView } from "./record.js";
import { digest } from "./seeds.js";
import { clear, Shelf, storage, type Store } from "./shelf.js";

const STARTED = "RoundStarted";
/** Tables whose records are in memory at once. */
const MOST_TABLES = 20;

/** The records of one table. */
export class Keeper {
  private readonly records = new Map<string, RoundRecord>();
  private readonly table: string;
  private readonly shelf: Shelf;
  private lastVersion = -1n;
  /** Whether the newest record lasts as long as the page only, since the tab's storage does not take it. */
  isUnkept = false;

  constructor(table: string, shelf: Shelf) {
    this.table = table;
    this.shelf = shelf;
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
    this.isUnkept = !this.shelf.put(this.key(record.round), JSON.stringify(record));
  }

  private read(round: string): RoundRecord | undefined {
    try {
      const text = this.shelf.get(this.key(round));
      return text === undefined ? undefined : (JSON.parse(text) as RoundRecord);
    } catch {
      return undefined;
    }
  }

  private key(round: string): string {
    return `${this.table} ${round}`;
  }
}

const keepers = new Map<string, Keeper>();
let shelf: Shelf | undefined;
let seenBy = "";

/** Keep from now on what a viewer sees; records of another viewer of this tab are not shown to this one. */
export function showTo(viewer: string, store: Store | undefined = storage()): void {
  if (shelf !== undefined && seenBy === viewer) return;
  keepers.clear();
  seenBy = viewer;
  shelf = new Shelf(viewer, store);
}

/** Return the keeper of a table; it is one for all parts of the page. */
export function keeperOf(table: string): Keeper {
  const known = keepers.get(table);
  if (known !== undefined) return known;
  shelf ??= new Shelf("", undefined); // nobody is signed in: nothing outlasts the page
  const keeper = new Keeper(table, shelf);
  const [oldest] = keepers.keys();
  if (keepers.size >= MOST_TABLES && oldest !== undefined) keepers.delete(oldest);
  keepers.set(table, keeper);
  return keeper;
}

/** Forget the records of all tables and viewers, so that the next visitor of this tab has none of them. */
export function forgetAll(store: Store | undefined = storage()): void {
  keepers.clear();
  shelf = undefined;
  clear(store);
}
