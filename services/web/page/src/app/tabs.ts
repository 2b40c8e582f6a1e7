// What tabs of this browser tell each other of sign-ins: who has signed out, and what a renewal has brought. A tab that
// was duplicated holds the same refresh token as the first, and a provider takes a second use of it for a theft.

import type { Session } from "./session.js";

type Message =
  | { readonly kind: "out"; readonly sub: string }
  | { readonly kind: "asked"; readonly of: string }
  | { readonly kind: "renewed"; readonly of: string; readonly session: Session };

const NAME = "pitboss.session";
const LOCK = "pitboss.renewal";
/** Other tabs answer at once; where there is none, a renewal begins so much later. */
const ANSWER_MS = 200;

/** The link to the other tabs. Where the browser has none, each tab is by itself. */
export class Tabs {
  private readonly channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(NAME);
  private readonly hearers = new Set<(message: Message) => void>();
  private last: { readonly of: string; readonly session: Session } | undefined;

  constructor() {
    this.channel?.addEventListener("message", (event: MessageEvent<Message>) => {
      const message = event.data;
      if (message.kind === "asked" && message.of === this.last?.of) this.tell({ kind: "renewed", ...this.last });
      for (const hear of this.hearers) hear(message);
    });
  }

  /** Call a function when a person signs out in another tab. Returns what ends that. */
  onOut(sub: string, then: () => void): () => void {
    return this.hear((message) => {
      if (message.kind === "out" && message.sub === sub) then();
    });
  }

  /** Tell the other tabs that a person has signed out; this tab forgets what its renewals have brought. */
  signedOut(sub: string): void {
    this.last = undefined;
    this.tell({ kind: "out", sub });
  }

  /** Return what a refresh token is worth: another tab's renewal with it, or that of `renew`, which one tab calls at a time. */
  async renewal(refresh: string, renew: () => Promise<Session>): Promise<Session> {
    const of = await digest(refresh);
    return await alone(async () => {
      const found = this.last?.of === of ? this.last.session : await this.asked(of);
      if (found !== undefined) return found;
      const session = await renew();
      this.last = { of, session };
      this.tell({ kind: "renewed", of, session });
      return session;
    });
  }

  /** Forget what renewals have brought, and close the link. */
  close(): void {
    this.last = undefined;
    this.channel?.close();
  }

  private async asked(of: string): Promise<Session | undefined> {
    if (this.channel === undefined) return undefined;
    return await new Promise((resolve) => {
      const end = this.hear((message) => {
        if (message.kind === "renewed" && message.of === of) done(message.session);
      });
      const late = setTimeout(() => { done(undefined); }, ANSWER_MS);
      const done = (session: Session | undefined): void => {
        clearTimeout(late);
        end();
        resolve(session);
      };
      this.tell({ kind: "asked", of });
    });
  }

  private hear(hearer: (message: Message) => void): () => void {
    this.hearers.add(hearer);
    return () => { this.hearers.delete(hearer); };
  }

  private tell(message: Message): void {
    this.channel?.postMessage(message);
  }
}

/** Run a piece of work while no other tab runs it. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  const locks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
  return locks === undefined ? await work() : await locks.request(LOCK, work);
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
