// Bundles the tests of this folder and runs them in Node: `node src/table/test/run.ts [name …]`, by default all.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { basename } from "node:path";

import { build } from "esbuild";

const HERE = new URL(".", import.meta.url).pathname;
const OUT = new URL("../../../node_modules/.cache/table/", import.meta.url).pathname;
const CLIENT = new URL("../../../../../../protos/typescript/", import.meta.url).pathname;

const wanted = process.argv.slice(2);
const names = readdirSync(HERE).filter((one) => one.endsWith(".test.ts") && (wanted.length === 0 || wanted.includes(basename(one, ".test.ts"))));
mkdirSync(OUT, { recursive: true });
await build({
  entryPoints: names.map((one) => `${HERE}${one}`), outdir: OUT, outExtension: { ".js": ".mjs" }, bundle: true, format: "esm", platform: "node",
  jsx: "automatic", jsxImportSource: "preact", loader: { ".css": "empty" },
  alias: { "@pitboss/client/web": `${CLIENT}dist/web.js` }, nodePaths: [`${CLIENT}node_modules`],
});
const files = names.map((one) => `${OUT}${basename(one, ".ts")}.mjs`);
const done = spawnSync(process.execPath, ["--test", "--test-timeout=120000", ...files], { stdio: "inherit" });
process.exit(done.status ?? 1);
