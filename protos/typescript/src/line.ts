// The stream of play to the dealers of one family: what waits on it, and how it is opened again after a break.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";

import { MOST_ELSEWHERE, pause, sleep, UNKNOWN } from "./caller.js";
import type { Way } from "./dealers.js";
import { DealerService, type PlayRequestSchema, type PlayResponse } from "./gen/pitboss/v1/dealer_pb.js";
import { Refused, refusal, refusalIn } from "./refused.js";
import type { Tokens } from "./tokens.js";
import { Followed, Sent, type Step } from "./waits.js";

/** Steps in one message. */
const MOST_STEPS = 64;

/** What a line needs of its session. */
export interface Lines {
  readonly tokens: Tokens;
  headers(way: Way, token: string): Headers;
  /** Move what a dealer refused because of its family to another line; returns whether it did. */
  elsewhere(way: Way, one: Sent | Followed, refused: Refused): boolean;
}

/** One stream, opened when something is sent, and again after a break while something waits. */
export class Line {
  private readonly waiting = new Map<string, Sent | Followed>();
  private unsent: Step[] = [];
  private wake: (() => void) | undefined;
  private running = false;
  private answered = false;
  private readonly ended = new AbortController();

  constructor(
    private readonly way: Way,
    private readonly lines: Lines,
  ) {}

  /** Send a command, or follow a table. Throws for one that is under way or followed already. */
  send(one: Sent | Followed): void {
    if (this.ended.signal.aborted) throw closed();
    if (this.waiting.has(one.key)) throw new RangeError(`${one.key} is under way on this session; await its end`);
    this.waiting.set(one.key, one);
    this.push(one.step());
  }

  /** Forget what nobody waits for any more; a table is followed no longer. */
  forget(one: Sent | Followed): void {
    if (!this.drop(one) || one instanceof Sent) return;
    this.push({ kind: { case: "unfollow", value: one.request.tableId } });
  }

  /** End the stream. */
  close(): void {
    this.ended.abort();
    this.failAll(closed());
  }

  private drop(one: Sent | Followed): boolean {
    return this.waiting.get(one.key) === one && this.waiting.delete(one.key);
  }

  private push(step: Step): void {
    this.unsent.push(step);
    this.wake?.();
    if (this.running || this.waiting.size === 0) return;
    this.running = true;
    this.run().catch((thrown: unknown) => {
      this.failAll(refusal(thrown)); // what the caller's function that signs in has thrown
    });
  }

  /** Keep a stream open while something waits on it. */
  private async run(): Promise<void> {
    let failures = 0;
    let renewed = false;
    try {
      while (this.waiting.size > 0 && !this.ended.signal.aborted) {
        const token = await this.lines.tokens.current();
        const refused = await this.once(token);
        if (this.answered) {
          failures = 0;
          renewed = false;
        }
        if (refused.code === Code.Unauthenticated && !renewed && (await this.lines.tokens.renewed(token))) {
          renewed = true;
          continue;
        }
        if (!UNKNOWN.has(refused.code) && refused.code !== Code.Internal && refused.retryAfterMs === undefined) {
          this.failAll(refused);
          return;
        }
        failures += 1;
        for (const one of [...this.waiting.values()]) if (one.isOver()) this.end(one, refused);
        await sleep(pause(failures, refused));
      }
    } finally {
      this.running = false; // in the same turn as the last look at what waits: a later command opens the stream anew
    }
  }

  /** Serve one stream until it ends; return why it did. */
  private async once(token: string): Promise<Refused> {
    const own = new AbortController();
    const whole = AbortSignal.any([own.signal, this.ended.signal]);
    this.answered = false;
    this.unsent = [...this.waiting.values()].map((one) => one.step());
    try {
      const headers = this.lines.headers(this.way, token);
      const requests = this.requests(whole);
      const answer = await this.way.transport.stream(DealerService.method.play, whole, undefined, headers, requests);
      for await (const message of answer.message) {
        this.answered = true;
        this.take(message);
      }
      return new Refused(Code.Unavailable, "UNAVAILABLE", "the stream has ended");
    } catch (thrown) {
      return refusal(thrown);
    } finally {
      own.abort();
      this.wake?.();
    }
  }

  /** Yield what is ready, all of it in as few messages as possible, until the stream ends. */
  private async *requests(signal: AbortSignal): AsyncGenerator<MessageInitShape<typeof PlayRequestSchema>, void> {
    while (!signal.aborted) {
      if (this.unsent.length > 0) {
        yield { steps: this.unsent.splice(0, MOST_STEPS) };
      } else {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    }
  }

  private failAll(refused: Refused): void {
    for (const one of [...this.waiting.values()]) this.end(one, refused);
  }

  private end(one: Sent | Followed, refused: Refused): void {
    this.drop(one);
    one.fail(one instanceof Sent ? refused.of(one.request.requestId) : refused);
  }

  private take(message: PlayResponse): void {
    for (const answer of message.answers) {
      const sent = this.waiting.get(Sent.keyOf(answer.requestId));
      if (sent instanceof Sent && this.drop(sent)) sent.resolve(answer);
    }
    for (const table of message.tables) {
      const followed = this.waiting.get(Followed.keyOf(table.view?.table?.tableId ?? ""));
      if (followed instanceof Followed) followed.take(table);
    }
    for (const { requestId, tableId, status } of message.refusals) {
      const one = this.waiting.get(requestId ? Sent.keyOf(requestId) : Followed.keyOf(tableId));
      if (one !== undefined) this.refused(one, refusalIn(status, requestId));
    }
  }

  /** Pass a refusal on, or send again what may succeed later or elsewhere. */
  private refused(one: Sent | Followed, refused: Refused): void {
    this.drop(one);
    if (one.moves < MOST_ELSEWHERE && this.lines.elsewhere(this.way, one, refused)) {
      one.moves += 1;
      return;
    }
    const delayMs = one.delayMs(refused);
    if (delayMs === undefined) {
      one.fail(refused);
      return;
    }
    this.waiting.set(one.key, one);
    setTimeout(() => {
      if (this.waiting.get(one.key) === one) this.push(one.step());
    }, delayMs);
  }
}

function closed(): Refused {
  return new Refused(Code.Canceled, "CANCELLED", "the session was closed");
}
