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
/** The browser's tests bundle what they need themselves. */
const bundled = names.filter((one) => one !== "stage.test.ts");
mkdirSync(OUT, { recursive: true });
await build({
  entryPoints: bundled.map((one) => `${HERE}${one}`), outdir: OUT, outExtension: { ".js": ".mjs" }, bundle: true, format: "esm", platform: "node",
  jsx: "automatic", jsxImportSource: "preact", loader: { ".css": "empty" },
  alias: { "@pitboss/client/web": `${CLIENT}dist/web.js` }, nodePaths: [`${CLIENT}node_modules`],
});
const files = names.map((one) => (bundled.includes(one) ? `${OUT}${basename(one, ".ts")}.mjs` : `${HERE}${one}`));
const done = spawnSync(process.execPath, ["--test", "--test-timeout=240000", ...files], { stdio: "inherit" });
process.exit(done.status ?? 1);
