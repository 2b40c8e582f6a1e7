// Connect from a browser, over gRPC-Web, through the house's gateway.

import { createGrpcWebTransport } from "@connectrpc/connect-web";

import type { CallerOptions } from "./caller.js";
import { House } from "./house.js";

export * from "./index.js";

/** Browsers send no pings: a watch that was silent for so long is opened again, from the last version seen. */
export const SILENT_MS = 60_000;

/** Connect to the gateway at an origin such as `https://play.example.org`; nothing is sent before the first call. */
export function connect(origin: string, options: CallerOptions): House {
  return new House({ first: createGrpcWebTransport({ baseUrl: origin }) }, { silentMs: SILENT_MS, ...options });
}
