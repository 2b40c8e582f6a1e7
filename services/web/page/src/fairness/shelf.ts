// Where records of rounds lie while the tab is open: one bounded shelf for all tables, in the tab's own storage.

const PREFIX = "pitboss.deck.";
/** Records that are kept, over all tables; the oldest make room. */
export const MOST_RECORDS = 120;

export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** The records of one viewer. What is put last is kept longest. */
export class Shelf {
  /** Names of the stored records, the oldest first. */
  private readonly names: string[];
  private last: number;
  private readonly prefix: string;
  private readonly store: Store | undefined;

  constructor(viewer: string, store: Store | undefined) {
    this.prefix = `${PREFIX}${viewer} `; // no subject has a space
    this.store = store;
    const ages = namesIn(store, this.prefix).map((name) => [ageOf(store?.getItem(name) ?? ""), name] as const);
    ages.sort(([one], [other]) => one - other);
    this.names = ages.map(([, name]) => name);
    this.last = ages.at(-1)?.[0] ?? 0;
  }

  /** Return the text of a record, undefined where there is none. */
  get(name: string): string | undefined {
    try {
      const text = this.store?.getItem(this.prefix + name) ?? undefined;
      return text?.slice(text.indexOf(" ") + 1);
    } catch {
      return undefined;
    }
  }

  /** Keep a record; the oldest make room for it. Returns whether it is kept. */
  put(name: string, text: string): boolean {
    if (this.store === undefined) return false;
    const whole = this.prefix + name;
    this.last += 1;
    const at = this.names.indexOf(whole);
    if (at >= 0) this.names.splice(at, 1);
    while (this.names.length >= MOST_RECORDS) this.drop();
    for (;;) {
      try {
        this.store.setItem(whole, `${String(this.last)} ${text}`);
        this.names.push(whole);
        return true;
      } catch {
        // Full, or not allowed: an older record goes for the newest, as long as there is one.
        if (this.names.length === 0) {
          this.store.removeItem(whole); // what stands there is older than what could not be kept
          return false;
        }
        this.drop();
      }
    }
  }

  private drop(): void {
    const oldest = this.names.shift();
    if (oldest !== undefined) this.store?.removeItem(oldest);
  }
}

/** Forget the records of all viewers. */
export function clear(store: Store | undefined): void {
  for (const name of namesIn(store, PREFIX)) store?.removeItem(name);
}

/** Return the storage of this tab, undefined where it is not allowed. */
export function storage(): Store | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

function namesIn(store: Store | undefined, prefix: string): string[] {
  if (store === undefined) return [];
  return Array.from({ length: store.length }, (_, at) => store.key(at) ?? "").filter((name) => name.startsWith(prefix));
}

function ageOf(text: string): number {
  return Number.parseInt(text, 10) || 0;
}
