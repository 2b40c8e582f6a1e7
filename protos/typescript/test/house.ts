// The house that a test runs against: its addresses and tokens, from a file that tests/gateway writes.

import { readFileSync } from "node:fs";

import { connect, type NodeHouse, type NodeOptions } from "../dist/node.js";

interface Running {
  readonly gateway: string;
  readonly dealer: string;
  readonly settlement: string;
  readonly tokens: Readonly<Record<string, string>>;
}

const path = process.env["PITBOSS_TEST_HOUSE"];
if (path === undefined) throw new Error("PITBOSS_TEST_HOUSE names no file; these tests are started by tests/gateway");
export const running = JSON.parse(readFileSync(path, "utf8")) as Running;

export function token(name: string): string {
  const found = running.tokens[name];
  if (found === undefined) throw new RangeError(`there is no token of ${name}`);
  return found;
}

export function caller(name: string, more: Partial<NodeOptions> = {}): NodeHouse {
  return connect(running.gateway, { token: token(name), ...more });
}

/** Open a table that starts by itself, and give these players money. */
export async function opened(...players: string[]): Promise<string> {
  const boss = caller("boss");
  for (const player of players) await boss.deposit(player, 10_000, { reason: "a test" });
  return (await boss.createTable("tongbi_san_gong", { base: 10, start_countdown_s: 1 })).tableId;
}
