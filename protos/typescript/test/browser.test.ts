// The client in a real browser, over gRPC-Web, against a real house.

import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect as connectTo, createServer as createLine, type Socket } from "node:net";
import { after, before, test } from "node:test";

import chromium from "@sparticuz/chromium";
import { build } from "esbuild";
import { type Browser, chromium as browsers, type Page } from "playwright-core";

import { caller, opened, running } from "./house.ts";

/** Not those of the package, which switch the same-origin policy off. */
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"];

let browser: Browser;
let server: Server;
let port = 0;

before(async () => {
  const made = await build({ entryPoints: ["test/page.ts"], bundle: true, format: "esm", write: false });
  const script = made.outputFiles[0]?.text ?? "";
  server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8");
    response.end(isScript ? script : '<!doctype html><title>test</title><script type="module" src="page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  const executablePath = process.env["PITBOSS_CHROMIUM"] ?? (await chromium.executablePath());
  browser = await browsers.launch({ executablePath, args: ARGUMENTS, headless: true, timeout: 120_000 });
});

after(async () => {
  await browser.close();
  server.close();
});

/** A line to the gateway that can be cut. */
class Line {
  connections = 0;
  private readonly sockets = new Set<Socket>();
  private readonly host: string;
  private readonly server = createLine((near) => {
    const [host = "", to = ""] = this.host.split(":");
    const far = connectTo(Number(to), host);
    this.connections += 1;
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });

  constructor(host: string) {
    this.host = host;
  }

  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return (this.server.address() as AddressInfo).port;
  }

  cut(): void {
    for (const one of this.sockets) one.destroy();
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}

async function visited(host: string): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(100_000);
  await page.goto(`http://${host}:${port}/`);
  await page.waitForFunction("window.round !== undefined");
  return page;
}

async function run<T>(host: string, name: string, table: string): Promise<T> {
  const page = await visited(host);
  try {
    const asked = { origin: `http://${running.gateway}`, tokens: running.tokens, table };
    return await page.evaluate(`window.${name}(${JSON.stringify(asked)})`);
  } finally {
    await page.close();
  }
}

test("a page plays a round through the gateway", async () => {
  assert.equal(await run("localhost", "round", await opened("jon", "kim")), 2);
});

test("a page reads a refusal's details", async () => {
  const found = await run<{ reason: string; text: string; locale: string }>("localhost", "refusal", await opened("jon"));
  assert.equal(found.reason, "AMOUNT_OUT_OF_RANGE");
  assert.equal(found.locale, "zh-Hans");
  assert.match(found.text, /[\u4e00-\u9fff]/);
});

test("the browser keeps a page of another origin from the house", async () => {
  assert.equal(await run("127.0.0.1", "reason", ""), "UNAVAILABLE");
});

test("a page's watch goes on when its connection was cut", async () => {
  const table = await opened("jon");
  const line = new Line(running.gateway);
  const page = await visited("localhost");
  try {
    const asked = { origin: `http://127.0.0.1:${await line.open()}`, tokens: running.tokens, table };
    const seen = page.evaluate<number>(`window.resumed(${JSON.stringify(asked)})`);
    seen.catch(() => undefined); // if the wait below fails, that is the failure, and not the page that is then closed
    await page.waitForFunction("window.versions?.length >= 1"); // more have come if, say, the count of spectators changed
    const before = line.connections;
    line.cut();
    await caller("jon").takeSeat(table, 500);
    assert.ok((await seen) >= 2);
    assert.ok(line.connections > before, "the page has connected again");
  } finally {
    await page.close();
    line.close();
  }
});
