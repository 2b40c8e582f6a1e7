// What waits on a stream of play: commands for their answers, and followed tables for their readers.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";

import { MOST_LIMIT_MS, pause, UNKNOWN } from "./caller.js";
import type {
  ActRequest,
  ActResponse,
  PlayStepSchema,
  WatchTableRequest,
  WatchTableResponse,
} from "./gen/pitboss/v1/dealer_pb.js";
import type { Refused } from "./refused.js";

/** Messages of a table that wait to be read; after that the newest view takes the place of the one before. */
const MOST_KEPT = 16;

export type Step = MessageInitShape<typeof PlayStepSchema>;

/** A command that waits for its answer. */
export class Sent {
  readonly key: string;
  moves = 0;
  private failures = 0;
  private limitMs = 0;
  private readonly until: number;

  constructor(
    readonly request: ActRequest,
    patienceMs: number,
    readonly resolve: (answer: ActResponse) => void,
    readonly fail: (refused: Refused) => void,
  ) {
    this.key = Sent.keyOf(request.requestId);
    this.until = Date.now() + patienceMs;
  }

  /** What tells this command from all that waits. */
  static keyOf(requestId: string): string {
    return `the command ${requestId}`;
  }

  step(): Step {
    return { kind: { case: "act", value: this.request } };
  }

  /** Return the pause before the command is sent again after a refusal, undefined where that is of no use. */
  delayMs(refused: Refused): number | undefined {
    this.failures += 1;
    if (refused.code === Code.ResourceExhausted) this.limitMs += refused.retryAfterMs ?? 0;
    if (!isPassing(refused) || this.limitMs > MOST_LIMIT_MS) return undefined;
    const ms = pause(this.failures, refused);
    return Date.now() + ms > this.until ? undefined : ms;
  }

  /** Return whether the caller's patience has ended. */
  isOver(): boolean {
    return Date.now() > this.until;
  }
}

/** A followed table: the messages that wait to be read, and the last version received. */
export class Followed {
  readonly key: string;
  moves = 0;
  private failures = 0;
  private awaySince: number | undefined;
  private readonly messages: WatchTableResponse[] = [];
  private failure: Error | undefined;
  private wake: (() => void) | undefined;

  constructor(
    readonly request: WatchTableRequest,
    private readonly patienceMs: number,
  ) {
    this.key = Followed.keyOf(request.tableId);
  }

  /** What tells this table from all that waits. */
  static keyOf(tableId: string): string {
    return `following the table ${tableId}`;
  }

  /** The step that follows the table from the last version received. */
  step(): Step {
    return { kind: { case: "follow", value: this.request } };
  }

  /** Keep a message for the reader. */
  take(message: WatchTableResponse): void {
    this.awaySince = undefined;
    this.failures = 0;
    this.request.afterVersion = message.view?.version ?? this.request.afterVersion;
    const last = this.messages.at(-1);
    if (last !== undefined && this.messages.length >= MOST_KEPT) {
      if (message.view !== undefined) last.view = message.view;
      last.events.push(...message.events);
      last.truncated ||= message.truncated;
    } else {
      this.messages.push(message);
    }
    this.wake?.();
  }

  fail(error: Error): void {
    this.failure = error;
    this.wake?.();
  }

  /** Return the next message. Throws `Refused`. */
  async next(): Promise<WatchTableResponse> {
    for (;;) {
      const message = this.messages.shift();
      if (message !== undefined) return message;
      if (this.failure !== undefined) throw this.failure;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** Return the pause before the table is followed again after a refusal, undefined where that is of no use. */
  delayMs(refused: Refused): number | undefined {
    this.failures += 1;
    return !isPassing(refused) || this.isOver() ? undefined : pause(this.failures, refused);
  }

  /** Return whether the house has been away for longer than the reader's patience. */
  isOver(): boolean {
    this.awaySince ??= Date.now();
    return Date.now() - this.awaySince >= this.patienceMs;
  }
}

/** Return whether the same step may succeed later. */
function isPassing(refused: Refused): boolean {
  return UNKNOWN.has(refused.code) || refused.retryAfterMs !== undefined;
}
