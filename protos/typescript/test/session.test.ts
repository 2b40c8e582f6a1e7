// Sessions of play in Node, over gRPC, against a real house.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { moves, NodeHouse, Refused } from "../dist/node.js";
import { caller, running, token } from "./house.ts";

const BET = moves.action("place_bet", { spot: "spade", amount: 1 });

/** Return tables with betting windows that stay open, at all of which a player sits. */
async function betting(player: string, count: number): Promise<string[]> {
  await caller("boss").deposit(player, 1_000, { reason: "a test" });
  const house = caller(player);
  const found: string[] = [];
  for (let number = 0; number < count; number++) {
    const { tableId } = await caller("boss").createTable("suit_betting", { start: "manual", bet_seconds: 600 });
    await house.takeSeat(tableId, 100);
    await house.startRound(tableId);
    found.push(tableId);
  }
  return found;
}

/** Pass calls on, and cut each stream after so many messages; `opened` is called with each new one. */
function cut(after: number, opened: () => void): Transport {
  const real = createGrpcTransport({ baseUrl: `http://${running.gateway}` });
  return {
    unary: real.unary.bind(real),
    async stream(method, signal, timeoutMs, header, input) {
      opened();
      const answer = await real.stream(method, signal, timeoutMs, header, input);
      return { ...answer, message: first(answer.message, after) };
    },
  };
}

async function* first<T>(messages: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  let left = count;
  for await (const one of messages) {
    yield one;
    if (--left === 0) throw new ConnectError("the line was cut", Code.Unavailable);
  }
}

test("a session acts at many tables over one stream, and refusals do not end it", async () => {
  const tables = await betting("lee", 2);
  const session = caller("lee", { language: "zh-Hans" }).session();
  const sent = Array.from({ length: 10 }, (_, number) => session.act(tables[number % 2] ?? "", BET));
  const versions = (await Promise.all(sent)).map((one) => one.version);
  for (const place of [0, 1]) {
    const own = versions.filter((_, number) => number % 2 === place);
    assert.deepEqual(own, own.map((_, number) => (own[0] ?? 0n) + BigInt(number)));
  }
  const [table = ""] = tables;
  await assert.rejects(session.act(table, moves.action("fold"), { requestId: "mine" }), (thrown) => {
    assert.ok(thrown instanceof Refused);
    assert.deepEqual([thrown.reason, thrown.requestId, thrown.locale], ["ILLEGAL_ACTION", "mine", "zh-Hans"]);
    assert.match(thrown.text, /[\u4e00-\u9fff]/);
    return true;
  });
  await assert.rejects(async () => {
    for await (const message of session.follow("no-table")) assert.ok(message.view);
  }, /TABLE_NOT_FOUND|no table/);
  assert.ok((await session.act(table, BET)).version > 0n);
  session.close();
});

test("a session whose stream breaks again and again loses and doubles nothing", async () => {
  const [table = ""] = await betting("moe", 1);
  let streams = 0;
  const house = new NodeHouse({ first: cut(2, () => streams++) }, { token: token("moe") });
  const session = house.session();
  const before = (await house.table(table)).version;
  const events: bigint[] = [];
  const reading = (async () => {
    for await (const message of session.follow(table, { afterVersion: before })) {
      events.push(...message.events.map((one) => one.version));
      if (events.length >= 12) break;
    }
  })();
  const answers = [];
  for (let part = 0; part < 3; part++) {
    answers.push(...(await Promise.all(Array.from({ length: 4 }, () => session.act(table, BET)))));
  }
  await reading;
  const wanted = Array.from({ length: 12 }, (_, number) => before + 1n + BigInt(number));
  assert.deepEqual(answers.map((one) => one.version), wanted);
  assert.deepEqual(events, wanted);
  assert.ok(streams > 2, `${streams} streams`);
  session.close();
  await assert.rejects(session.act(table, BET, { requestId: "late" }), /closed/);
});
