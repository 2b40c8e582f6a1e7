// Routing of calls to dealers: each dealer serves some families of games and refuses tables of the others.

import type { DescMethod } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";

import { CatalogueService } from "./gen/pitboss/v1/catalogue_pb.js";
import { DealerService } from "./gen/pitboss/v1/dealer_pb.js";

/** Header by which a shared address routes a call to the dealer of a family. */
export const FAMILY_HEADER = "x-pitboss-family";
const MOST_KNOWN = 10_000;

/** The transports of a house: one for all, or one for each family and one for wallets. */
export interface Ways {
  readonly first: Transport;
  readonly families?: ReadonlyMap<string, Transport>;
  readonly wallets?: Transport;
}

/** The route of one call: where it goes, and the family that it is sent to (empty: unknown). */
export interface Way {
  readonly transport: Transport;
  readonly family: string;
}

/** The family of a table or a game is learned from the first refusal and remembered; it never changes. */
export class Dealers {
  private readonly known = new Map<string, string>();

  constructor(private readonly ways: Ways) {}

  way(method: DescMethod, request: object): Way {
    const service = method.parent.typeName;
    if (service === CatalogueService.typeName) return { transport: this.ways.first, family: "" };
    if (service !== DealerService.typeName) return { transport: this.ways.wallets ?? this.ways.first, family: "" };
    const family = this.known.get(subject(request)) ?? "";
    return { transport: this.ways.families?.get(family) ?? this.ways.first, family };
  }

  /** Learn from a refusal. Returns whether the request should be sent to another dealer. */
  elsewhere(way: Way, request: object, reason: string, metadata: Readonly<Record<string, string>>): boolean {
    const family = metadata["family"] ?? "";
    if (reason !== "WRONG_FAMILY" || !family || family === way.family) return false;
    this.keep(subject(request), family);
    return true;
  }

  /** Learn from an answer which family a new table belongs to. */
  answered(way: Way, answer: object): void {
    const table = text(answer, "tableId");
    if (table && way.family) this.keep(table, way.family);
  }

  private keep(name: string, family: string): void {
    const oldest = this.known.keys().next().value;
    if (this.known.size >= MOST_KNOWN && oldest !== undefined) this.known.delete(oldest);
    this.known.set(name, family);
  }
}

/** Return a field of a message that holds text, empty where there is none. */
export function text(message: object, field: string): string {
  const value: unknown = (message as Record<string, unknown>)[field];
  return typeof value === "string" ? value : "";
}

/** Return the subject of a request: its table, or else its game. */
function subject(request: object): string {
  return text(request, "tableId") || text(request, "game");
}
