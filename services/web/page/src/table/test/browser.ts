// The browser of the tests, and the stage in it.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { build } from "esbuild";

import type { Browser, BrowserType, Page } from "../../../../../../protos/typescript/node_modules/playwright-core/index.js";

const CLIENT = new URL("../../../../../../protos/typescript/", import.meta.url);
/** The packages of the client's own tests: the browser, and what drives it. */
const need = createRequire(new URL("package.json", CLIENT));
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"];
/** No inline script or style, as the page's own policy says. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'";
const HTML = '<!doctype html><html><head><title>table</title><meta name="viewport" content="width=device-width,initial-scale=1">'
  + '<link rel="stylesheet" href="/stage.css"></head><body><main id="content"><div class="room"><h1>Table</h1><div class="stage" id="root"></div></div></main>'
  + '<script type="module" src="/stage.js"></script></body></html>';

export interface Stage {
  readonly browser: Browser;
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Bundle the stage, serve it, and start the browser. */
export async function opened(): Promise<Stage> {
  const stage = new URL("stage.tsx", import.meta.url).pathname;
  const made = await build({
    entryPoints: [stage], bundle: true, format: "esm", write: false, outdir: "out", jsx: "automatic", jsxImportSource: "preact",
    alias: { "@pitboss/client/web": new URL("dist/web.js", CLIENT).pathname }, nodePaths: [new URL("node_modules", CLIENT).pathname],
  });
  const text = (end: string): string => made.outputFiles.find((one) => one.path.endsWith(end))?.text ?? "";
  const css = `${text(".css")}\nh1{position:absolute;clip-path:inset(50%);margin:0}`;
  const server: Server = createServer((request, response) => {
    const found = { "/stage.js": ["text/javascript", text(".js")], "/stage.css": ["text/css", css] }[request.url ?? ""] ?? ["text/html", HTML];
    response.setHeader("content-type", `${found[0] ?? ""}; charset=utf-8`);
    response.setHeader("content-security-policy", POLICY);
    response.end(found[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { chromium } = need("playwright-core") as { chromium: BrowserType };
  const browser = await chromium.launch({ executablePath: await program(), args: ARGUMENTS, headless: true, timeout: 120_000 });
  return {
    browser,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}

/** The browser that is named, or that of the client's package, which `npm run browser` unpacks. */
async function program(): Promise<string> {
  const named = process.env["PITBOSS_CHROMIUM"];
  if (named !== undefined && existsSync(named)) return named;
  const found = (await import(need.resolve("@sparticuz/chromium"))) as { default: { executablePath: () => Promise<string> } };
  return found.default.executablePath();
}

/** Open the stage at a size, in the dark or the light. */
export async function visited(stage: Stage, width: number, height: number, dark = false, moves = false): Promise<Page> {
  const context = await stage.browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: moves ? "no-preference" : "reduce", bypassCSP: false,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(stage.address);
  await page.waitForFunction("window.show !== undefined");
  return page;
}
