// Connect from Node, over gRPC.

import { readFileSync } from "node:fs";

import type { Transport } from "@connectrpc/connect";
import { createGrpcTransport, type GrpcTransportOptions } from "@connectrpc/connect-node";

import { CALL_PATIENCE_MS, type CallerOptions } from "./caller.js";
import type { Ways } from "./dealers.js";
import { House } from "./house.js";
import { Session } from "./session.js";

export * from "./index.js";
export { type FollowOptions, Session } from "./session.js";

/** Interval of pings on connections with open calls, and the timeout after which a house counts as gone. */
const PING_MS = 8_000;
const PING_TIMEOUT_MS = 5_000;

export interface NodeOptions extends CallerOptions {
  /** The address of settlement, if the first address does not serve wallets as well. */
  readonly wallets?: string;
  /** The file (PEM) of the authority that the house's certificates come from, where no public one does. */
  readonly caFile?: string;
}

/** A house with what only gRPC has: streams in both directions. */
export class NodeHouse extends House {
  /**
   * Open a session of play: actions and followed tables over one stream. It serves a caller that plays many tables, or
   * acts often. A command is sent again for `patienceMs` while the house is away.
   */
  session(patienceMs = this.options.patienceMs ?? CALL_PATIENCE_MS): Session {
    return new Session(this.dealers, this.tokens, (way, token) => this.headers(way, token), patienceMs);
  }
}

/**
 * Connect to the house at one address, such as `127.0.0.1:7480` or `https://play.example.org`, or at the dealers'
 * addresses by family. Nothing is sent before the first call.
 */
export function connect(address: string | Readonly<Record<string, string>>, options: NodeOptions): NodeHouse {
  const places = Object.entries(typeof address === "string" ? { "": address } : address);
  const opened = new Map<string, Transport>();
  const transport = (place: string): Transport => {
    const found = opened.get(place) ?? open(place, options.caFile);
    opened.set(place, found);
    return found;
  };
  const first = places[0]?.[1];
  if (first === undefined) throw new RangeError("no address is given; give one, or one for each family");
  const ways: Ways = {
    first: transport(first),
    families: new Map(places.filter(([family]) => family).map(([family, place]) => [family, transport(place)])),
    ...(options.wallets === undefined ? {} : { wallets: transport(options.wallets) }),
  };
  return new NodeHouse(ways, options);
}

function open(place: string, caFile: string | undefined): Transport {
  const baseUrl = /^https?:\/\//.test(place) ? place : `${caFile === undefined ? "http" : "https"}://${place}`;
  const options: GrpcTransportOptions = { baseUrl, pingIntervalMs: PING_MS, pingTimeoutMs: PING_TIMEOUT_MS };
  return createGrpcTransport(caFile === undefined ? options : { ...options, nodeOptions: { ca: readFileSync(caFile) } });
}
