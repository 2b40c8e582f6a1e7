// Calls to the house: each with the caller's token and a deadline, sent again where no answer came.

import {
  create,
  type DescMessage,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";

import { Dealers, FAMILY_HEADER, text, type Way, type Ways } from "./dealers.js";
import { Refused, refusal } from "./refused.js";
import { type Token, Tokens } from "./tokens.js";

export const CALL_MS = 10_000;
/** For so long one call is sent again, all tries and pauses included: longer than a process takes to restart. */
export const CALL_PATIENCE_MS = 60_000;
/** So long a watch tries to get through again, unless its caller says otherwise. */
export const PATIENCE_MS = 600_000;
/** For so long in all one call waits where the house says that its caller asks too often. */
export const MOST_LIMIT_MS = 1_000;
/** Dealers that one call is sent to because another one does not serve its family. */
export const MOST_ELSEWHERE = 4;
const PAUSE_MS = 200;
const MOST_PAUSE_MS = 5_000;

/** Codes after which the same request is sent again; a server that stops cancels the calls that it has not taken. */
const AWAY: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Canceled]);
/** Codes after which nobody knows whether a command was done; its request id makes a further try harmless. */
export const UNKNOWN: ReadonlySet<Code> = new Set([...AWAY, Code.DeadlineExceeded]);

/** How a caller calls. */
export interface CallerOptions {
  /** A token, or a function that signs in and returns one. */
  readonly token: Token;
  /** en, zh-Hant or zh-Hans, or a list such as `zh-TW, en;q=0.5`: the language of `Refused.text`. */
  readonly language?: string;
  /** So long a call is sent again while the house is away. */
  readonly patienceMs?: number;
  /** A watch without a message for so long is opened again; 0: never. For transports that send no pings. */
  readonly silentMs?: number;
}

/** How a watch is kept. */
export interface WatchOptions {
  /** So long without an answer the watch tries to get through again; `Infinity`: without end. */
  readonly patienceMs?: number;
  /** Ends the watch. */
  readonly signal?: AbortSignal;
  /** Called with false when the watch breaks, and with true when a message arrives after that. */
  readonly onLink?: (live: boolean) => void;
}

/** One caller, known by its token, the dealers that its calls may go to, and the language that it reads. */
export class Caller {
  protected readonly tokens: Tokens;
  protected readonly dealers: Dealers;

  constructor(
    ways: Ways,
    protected readonly options: CallerOptions,
  ) {
    this.tokens = new Tokens(options.token);
    this.dealers = new Dealers(ways);
  }

  /**
   * Call any method of the contract. Throws `Refused`.
   *
   * A command whose answer was lost is sent again with its own request id, any call while the house is away: with
   * growing pauses, or those that the house asks for, until the caller's patience ends. A rate limit is thrown at once,
   * with the pause that the house asks for, unless all such pauses of the call last a second at most.
   */
  async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    given: MessageInitShape<I>,
    signal?: AbortSignal,
  ): Promise<MessageShape<O>> {
    const request = create(method.input, given);
    const until = Date.now() + (this.options.patienceMs ?? CALL_PATIENCE_MS);
    let failures = 0;
    let moves = 0;
    let renewed = false;
    let limitMs = 0;
    for (;;) {
      const way = this.dealers.way(method, request);
      const token = await this.tokens.current();
      try {
        const answer = await way.transport.unary(method, signal, CALL_MS, this.headers(way, token), request);
        this.dealers.answered(way, answer.message);
        return answer.message;
      } catch (thrown) {
        signal?.throwIfAborted();
        const refused = refusal(thrown, text(request, "requestId"));
        if (!renewed && refused.code === Code.Unauthenticated && (await this.tokens.renewed(token))) {
          renewed = true;
          continue;
        }
        if (moves < MOST_ELSEWHERE && this.dealers.elsewhere(way, request, refused.reason, refused.metadata)) {
          moves += 1;
          continue;
        }
        failures += 1;
        if (refused.code === Code.ResourceExhausted) limitMs += refused.retryAfterMs ?? 0;
        const delayMs = limitMs > MOST_LIMIT_MS ? undefined : delay(refused, failures);
        if (delayMs === undefined || Date.now() + delayMs > until) throw refused;
        await sleep(delayMs, signal);
      }
    }
  }

  /**
   * Yield the messages of a stream; a broken one is opened again with the request that `request` then returns.
   *
   * After `patienceMs` without an answer it throws `Refused`, as it does when the house refuses. When the token expires,
   * the stream continues with the one that the caller's function returns.
   */
  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: () => MessageInitShape<I>,
    options: WatchOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    let failures = 0;
    let awaySince = 0;
    let renewed = false;
    for (;;) {
      const asked = request();
      const way = this.dealers.way(method, asked);
      const token = await this.tokens.current();
      let refused: Refused | undefined;
      try {
        for await (const message of this.messages(method, way, token, asked, options.signal)) {
          if (failures > 0) options.onLink?.(true);
          failures = 0;
          renewed = false;
          yield message;
        }
      } catch (thrown) {
        options.signal?.throwIfAborted();
        refused = refusal(thrown);
        if (this.dealers.elsewhere(way, asked, refused.reason, refused.metadata)) continue;
        if (!renewed && refused.code === Code.Unauthenticated && (await this.tokens.renewed(token))) {
          renewed = true;
          continue;
        }
        if (!UNKNOWN.has(refused.code) && refused.retryAfterMs === undefined) throw refused;
      }
      failures += 1;
      if (failures === 1) {
        awaySince = Date.now();
        options.onLink?.(false);
      }
      if (refused !== undefined && Date.now() - awaySince >= (options.patienceMs ?? PATIENCE_MS)) throw refused;
      await sleep(pause(failures, refused), options.signal);
    }
  }

  /** Yield the messages of one stream, the first within `CALL_MS`; ends a silent one as `silentMs` says. */
  private async *messages<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    way: Way,
    token: string,
    request: MessageInitShape<I>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const own = new AbortController();
    const whole = signal === undefined ? own.signal : AbortSignal.any([own.signal, signal]);
    const silentMs = this.options.silentMs ?? 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const within = (ms: number): void => {
      clearTimeout(timer);
      if (ms > 0) {
        timer = setTimeout(() => {
          own.abort();
        }, ms);
      }
    };
    within(CALL_MS);
    try {
      const headers = this.headers(way, token);
      const answer = await way.transport.stream(method, whole, undefined, headers, once(request));
      for await (const message of answer.message) {
        within(silentMs);
        yield message;
      }
    } catch (thrown) {
      if (!own.signal.aborted) throw thrown;
      throw new Refused(Code.DeadlineExceeded, "DEADLINE_EXCEEDED", "the house was silent for too long");
    } finally {
      clearTimeout(timer);
      own.abort(); // a watch that its reader has left ends at the house too
    }
  }

  protected headers(way: Way, token: string): Headers {
    const headers = new Headers({ authorization: `Bearer ${token}` });
    if (way.family) headers.set(FAMILY_HEADER, way.family);
    if (this.options.language) headers.set("accept-language", this.options.language);
    return headers;
  }
}

/** Return a new id for a command; keep it to send the same command again. */
export function requestId(): string {
  // `randomUUID` exists in pages of secure origins only.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the milliseconds before the next try of a refused call, undefined where a further try is of no use. */
function delay(refused: Refused, failures: number): number | undefined {
  if (refused.retryAfterMs !== undefined) return pause(1, refused);
  return (refused.requestId ? UNKNOWN : AWAY).has(refused.code) ? pause(failures) : undefined;
}

/**
 * Return the milliseconds to wait after a number of failures in a row: longer each time, up to a bound, and partly by
 * chance, so that many watchers of a house that comes back do not come all at once.
 */
export function pause(failures: number, refused?: Refused): number {
  if (refused?.retryAfterMs !== undefined) return refused.retryAfterMs * (1 + 0.2 * Math.random());
  return Math.min(PAUSE_MS * failures, MOST_PAUSE_MS) * (0.5 + 0.5 * Math.random());
}

export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const ended = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", ended);
      resolve();
    }, ms);
    signal?.addEventListener("abort", ended, { once: true });
  });
}

async function* once<T>(value: T): AsyncGenerator<T, void, undefined> {
  await Promise.resolve();
  yield value;
}
