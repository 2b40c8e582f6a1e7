// A session of play: one caller's commands and followed tables over a stream, resumed after a break. For Node: browsers
// cannot send a stream over gRPC-Web.

import { create } from "@bufbuild/protobuf";

import { PATIENCE_MS, requestId } from "./caller.js";
import type { Dealers, Way } from "./dealers.js";
import type { Action } from "./gen/pitboss/v1/actions_pb.js";
import {
  ActRequestSchema,
  type ActResponse,
  DealerService,
  WatchTableRequestSchema,
  type WatchTableResponse,
} from "./gen/pitboss/v1/dealer_pb.js";
import type { Command } from "./house.js";
import { Line } from "./line.js";
import type { Refused } from "./refused.js";
import type { Tokens } from "./tokens.js";
import { Followed, Sent } from "./waits.js";

/** How a table is followed. */
export interface FollowOptions {
  /** The last version seen; the events after it come first. */
  readonly afterVersion?: bigint;
  /** So long without an answer the session tries to get through again; `Infinity`: without end. */
  readonly patienceMs?: number;
}

/**
 * One caller's play at all its tables: one stream, or one for each family that has dealers of its own.
 *
 * Many commands may be under way at once; those at one table are done in the order in which they were sent. After a
 * break every command without an answer is sent again with its own id, and each followed table goes on after the last
 * version received. So no command is done twice, and no event is missed or seen twice.
 */
export class Session {
  private readonly open = new Map<string, Line>();

  constructor(
    private readonly dealers: Dealers,
    readonly tokens: Tokens,
    readonly headers: (way: Way, token: string) => Headers,
    private readonly patienceMs: number,
  ) {}

  /** Act for the caller's seat, as `House.act` does. Throws `Refused`. */
  async act(
    tableId: string,
    action: Action,
    given: Command & { readonly expectedVersion?: bigint } = {},
  ): Promise<ActResponse> {
    const request = create(ActRequestSchema, { ...given, requestId: given.requestId ?? requestId(), tableId, action });
    return await new Promise<ActResponse>((resolve, reject) => {
      this.line(request).send(new Sent(request, this.patienceMs, resolve, reject));
    });
  }

  /** Follow a table, as `House.watch` does; a slow reader gets the newest view with all events in between. */
  async *follow(tableId: string, options: FollowOptions = {}): AsyncGenerator<WatchTableResponse, void, undefined> {
    const request = create(WatchTableRequestSchema, { tableId, afterVersion: options.afterVersion ?? 0n });
    const followed = new Followed(request, options.patienceMs ?? PATIENCE_MS);
    this.line(request).send(followed);
    try {
      for (;;) yield await followed.next();
    } finally {
      this.line(request).forget(followed);
    }
  }

  /** End the streams. A command that still waits may have been done; its answer is not waited for. */
  close(): void {
    for (const line of this.open.values()) line.close();
  }

  /** Move what a dealer refused because of its family to the right one; returns whether it was moved. */
  elsewhere(way: Way, one: Sent | Followed, refused: Refused): boolean {
    if (!this.dealers.elsewhere(way, one.request, refused.reason, refused.metadata)) return false;
    this.line(one.request).send(one);
    return true;
  }

  /** Return the line on which a request goes: that of its table's family, as far as it is known. */
  private line(request: object): Line {
    const way = this.dealers.way(DealerService.method.play, request);
    const line = this.open.get(way.family) ?? new Line(way, this);
    this.open.set(way.family, line);
    return line;
  }
}
