// Builds the page into dist: one script, one style sheet, each named by its content so that browsers may keep it.

import { readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";

import { build } from "esbuild";

const OUT = "dist";

await rm(OUT, { recursive: true, force: true });
const made = await build({
  entryPoints: { page: "src/main.tsx" },
  outdir: OUT,
  entryNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2023",
  minify: true,
  sourcemap: false,
  metafile: true,
  loader: { ".svg": "file", ".woff2": "file" },
  define: { "process.env.NODE_ENV": '"production"' },
});
const named = Object.entries(made.metafile.outputs).find(([, one]) => one.entryPoint === "src/main.tsx");
if (named === undefined) throw new Error("esbuild has made no page");
const [script, { cssBundle }] = named;
if (cssBundle === undefined) throw new Error("esbuild has made no style sheet");
const html = (await readFile("src/index.html", "utf8"))
  .replace("page.css", basename(cssBundle))
  .replace("page.js", basename(script));
await writeFile(`${OUT}/index.html`, html);
for (const name of ["icon.svg", "icon-turn.svg"]) await writeFile(`${OUT}/${name}`, await readFile(`src/${name}`));
