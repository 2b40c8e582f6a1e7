// The client in Node, over gRPC, against a real house.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Code, ConnectError, createRouterTransport, type Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { ErrorInfoSchema, RetryInfoSchema } from "../dist/gen/google/rpc/error_details_pb.js";
import { connect, DealerService, House, moves, Refused, requestId, rules } from "../dist/node.js";
import { caller, opened, running, token } from "./house.ts";
import { playRound } from "./round.ts";

async function refused(call: Promise<unknown>): Promise<Refused> {
  try {
    await call;
  } catch (thrown) {
    assert.ok(thrown instanceof Refused, String(thrown));
    return thrown;
  }
  throw new assert.AssertionError({ message: "the call was not refused" });
}

test("two players play a round through the gateway", async () => {
  const table = await opened("ann", "bob");
  const seen = await playRound(table, [caller("ann"), caller("bob")]);
  assert.equal(seen.view?.lastResult?.seats.length, 2);
});

test("each process can be called at its own address", async () => {
  await opened("cid");
  const cid = connect(running.dealer, { token: token("cid"), wallets: running.settlement });
  assert.ok((await cid.balance()) >= 10_000n);
  assert.ok((await cid.games()).some((game) => game.game === "texas_holdem"));
});

test("a refusal has reason, metadata, fields and the player's text", async () => {
  const table = await opened("dee");
  const dee = caller("dee", { language: "zh-Hant" });
  const little = await refused(dee.takeSeat(table, 1));
  assert.equal(little.reason, "AMOUNT_OUT_OF_RANGE");
  assert.ok(Number(little.metadata["least"]) > 1, JSON.stringify(little.metadata));
  assert.equal(little.locale, "zh-Hant");
  assert.match(little.text, /[\u4e00-\u9fff]/);
  assert.ok(little.requestId);
  const wrong = await refused(dee.createTable("texas_holdem", { big_blind: 20, colour: "red" }));
  assert.ok(wrong.fields["house_rules.colour"], JSON.stringify(wrong.fields));
});

type Fault = (what: "answer" | "message") => boolean;

/** Pass calls on, and lose answers or break streams as `fault` says; the requests go into `seen`. */
function faulty(fault: Fault, seen: unknown[]): Transport {
  const real = createGrpcTransport({ baseUrl: `http://${running.gateway}` });
  return {
    async unary(method, signal, timeoutMs, header, input) {
      seen.push(input);
      const answer = await real.unary(method, signal, timeoutMs, header, input);
      if (fault("answer")) throw new ConnectError("the answer was lost", Code.Unavailable);
      return answer;
    },
    async stream(method, signal, timeoutMs, header, input) {
      const answer = await real.stream(method, signal, timeoutMs, header, noted(input, seen));
      return { ...answer, message: broken(answer.message, fault) };
    },
  };
}

async function* noted<T>(messages: AsyncIterable<T>, seen: unknown[]): AsyncGenerator<T> {
  for await (const one of messages) {
    seen.push(one);
    yield one;
  }
}

async function* broken<T>(messages: AsyncIterable<T>, fault: Fault): AsyncGenerator<T> {
  for await (const one of messages) {
    yield one;
    if (fault("message")) throw new ConnectError("the line was cut", Code.Unavailable);
  }
}

test("a command whose answer was lost is sent again with its own id and done once", async () => {
  await opened("eve");
  const seen: { requestId?: string }[] = [];
  let lost = 0;
  const boss = new House({ first: faulty(() => lost++ < 2, seen) }, { token: token("boss") });
  const before = await caller("eve").balance();
  assert.equal(await boss.deposit("eve", 100), before + 100n);
  assert.equal(seen.length, 3);
  assert.equal(new Set(seen.map((one) => one.requestId)).size, 1);
  assert.equal(await caller("eve").balance(), before + 100n);
});

test("an id that a caller keeps returns the first answer", async () => {
  await opened("eve");
  const id = requestId();
  const boss = caller("boss");
  const after = await boss.deposit("eve", 5, { requestId: id });
  assert.equal(await boss.deposit("eve", 5, { requestId: id }), after);
  assert.equal((await refused(boss.deposit("eve", 6, { requestId: id }))).reason, "REQUEST_CONFLICT");
});

test("a watch that breaks goes on from the last version, without a gap", async () => {
  const table = await opened("fay");
  const fay = caller("fay");
  const seen: { afterVersion?: bigint }[] = [];
  const watcher = new House({ first: faulty((what) => what === "message", seen) }, { token: token("fay") });
  const versions: bigint[] = [];
  const events: bigint[] = [];
  for await (const message of watcher.watch(table)) {
    versions.push(message.view?.version ?? -1n);
    events.push(...message.events.map((one) => one.version));
    if (versions.length === 1) await fay.takeSeat(table, 500);
    else if (versions.length === 2) await fay.addChips(table, 50);
    else break;
  }
  assert.deepEqual(seen.slice(1).map((one) => one.afterVersion), versions.slice(0, seen.length - 1));
  assert.deepEqual(events, [...events].sort((a, b) => Number(a - b)));
  assert.equal(new Set(events).size, events.length);
  assert.ok(events.length >= 2);
});

test("a watch ends by its signal, and when its reader leaves it", async () => {
  const table = await opened();
  const end = new AbortController();
  await assert.rejects(async () => {
    for await (const message of caller("gus").watch(table, { signal: end.signal })) {
      assert.ok(message.view);
      end.abort(new Error("enough"));
    }
  }, /enough|abort/);
  for await (const message of caller("gus").watch(table)) {
    assert.ok(message.view);
    break;
  }
});

test("a token is asked for again when the house refuses it", async () => {
  let asked = 0;
  const spoilt = `${token("hal").slice(0, -8)}AAAAAAAA`;
  const hal = caller("hal", {
    token: async () => {
      asked += 1;
      await Promise.resolve();
      return asked === 1 ? spoilt : token("hal");
    },
  });
  const all = await Promise.all([hal.balance(), hal.balance(), hal.games()]);
  assert.equal(all.length, 3);
  assert.equal(asked, 2, "of many calls refused at once, one signs in again");
  assert.equal((await refused(caller("hal", { token: spoilt }).balance())).reason, "UNAUTHENTICATED");
});

test("a house that is away is waited for, as long as the caller's patience lasts", async () => {
  const nobody = connect("127.0.0.1:1", { token: token("ann"), patienceMs: 300 });
  assert.equal((await refused(nobody.balance())).reason, "UNAVAILABLE");
});

test("a rate limit is thrown at once, unless it asks for a second at most", async () => {
  for (const [pausesMs, tries] of [[[50, 50], 3], [[1_001], 1], [[3_600_000], 1], [[600, 600], 2]] as const) {
    let asked = 0;
    const transport = createRouterTransport(({ service }) => {
      service(DealerService, {
        getTable() {
          const ms = pausesMs[asked++];
          if (ms === undefined) return { view: { version: 7n } };
          const retryDelay = { seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1e6 };
          const details = [
            { desc: ErrorInfoSchema, value: { reason: "TOO_MANY_REQUESTS" } },
            { desc: RetryInfoSchema, value: { retryDelay } },
          ];
          throw new ConnectError("slow down", Code.ResourceExhausted, undefined, details);
        },
      });
    });
    const house = new House({ first: transport }, { token: "t" });
    if (tries > pausesMs.length) {
      assert.equal((await house.table("a")).version, 7n);
    } else {
      const { reason, retryAfterMs } = await refused(house.table("a"));
      assert.deepEqual([reason, retryAfterMs], ["TOO_MANY_REQUESTS", pausesMs.at(-1)]);
    }
    assert.equal(asked, tries);
  }
});

test("the family of a table is learned from a refusal and remembered", async () => {
  const asked: (string | null)[] = [];
  const transport = createRouterTransport(({ service }) => {
    service(DealerService, {
      getTable(_, context) {
        const family = context.requestHeader.get("x-pitboss-family");
        asked.push(family);
        if (family === "showdown") return { view: { version: 7n } };
        const details = [{ desc: ErrorInfoSchema, value: { reason: "WRONG_FAMILY", metadata: { family: "showdown" } } }];
        throw new ConnectError("another dealer", Code.FailedPrecondition, undefined, details);
      },
    });
  });
  const house = new House({ first: transport }, { token: "t" });
  for (let time = 0; time < 2; time++) assert.equal((await house.table("a")).version, 7n);
  assert.deepEqual(asked, [null, "showdown", "showdown"]);
});

test("the lobby and the wallet are watched", async () => {
  const table = await opened("ida");
  const ida = caller("ida");
  for await (const lobby of ida.watchLobby({ game: "tongbi_san_gong" })) {
    if (lobby.tables.has(table)) break;
  }
  for await (const seen of ida.watchWallet()) {
    assert.ok(seen.balance >= 10_000n);
    break;
  }
  assert.ok((await ida.myStatement(3)).length > 0);
});

test("actions are made by their names", () => {
  assert.deepEqual(moves.action("raise", { to: 40 }).kind.value, moves.action("raise", { to: 40n }).kind.value);
  assert.equal(moves.action("pass").kind.case, "pass");
  assert.throws(() => moves.action("cheat"), /no action 'cheat'/);
  assert.throws(() => moves.action("raise", { by: 1 }), /no argument 'by'/);
});

test("house rules are plain values", () => {
  const given = { big_blind: 20, rake: 0.5, betting: "no_limit", open: true, multiples: [1, 2], pays: { flush: 5 } };
  assert.deepEqual(rules.plain(rules.houseRules(given)), { ...given, big_blind: 20n });
});
