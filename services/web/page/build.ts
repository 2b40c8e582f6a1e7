// Builds the page into dist: one script, one style sheet, each named by its content so that browsers may keep it.

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { build } from "esbuild";

const OUT = "dist";

await rm(OUT, { recursive: true, force: true });
const made = await build({
  entryPoints: { page: "src/main.tsx", "font-hant": "src/styles/font-hant.css", "font-hans": "src/styles/font-hans.css" },
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
/** Return the name that the build has given to a style sheet of its own. */
function sheet(source: string): string {
  const found = Object.entries(made.metafile.outputs).find(([, one]) => one.entryPoint === source);
  if (found === undefined) throw new Error(`esbuild has made nothing of ${source}`);
  return basename(found[0]);
}

const named = Object.entries(made.metafile.outputs).find(([, one]) => one.entryPoint === "src/main.tsx");
if (named === undefined) throw new Error("esbuild has made no page");
const [script, { cssBundle }] = named;
if (cssBundle === undefined) throw new Error("esbuild has made no style sheet");
const html = (await readFile("src/index.html", "utf8"))
  .replace("page.css", basename(cssBundle))
  .replace("page.js", basename(script))
  .replace("font-hant.css", sheet("src/styles/font-hant.css"))
  .replace("font-hans.css", sheet("src/styles/font-hans.css"));
await writeFile(`${OUT}/index.html`, html);
for (const name of ["icon.svg", "icon-turn.svg"]) await writeFile(`${OUT}/${name}`, await readFile(`src/${name}`));
// The licence of a font goes where the font goes.
for (const name of ["noto-sans-tc", "noto-sans-sc"]) {
  const licence = fileURLToPath(import.meta.resolve(`@fontsource-variable/${name}/package.json`)).replace("package.json", "LICENSE");
  await writeFile(`${OUT}/${name}-licence.txt`, await readFile(licence));
}

// The console's script and style sheet, for the process that renders its pages.
const CONSOLE = "../../console/dist";
await rm(CONSOLE, { recursive: true, force: true });
await build({
  entryPoints: { console: "src/console/console.ts" },
  outdir: CONSOLE,
  entryNames: "[name]-[hash]",
  bundle: true,
  format: "esm",
  target: "es2023",
  minify: true,
  sourcemap: false,
});

// Compressed once, so that serving costs nothing. A small file would not become smaller.
const LEAST_BYTES = 512;
for (const name of await readdir(OUT)) {
  const bytes = await readFile(`${OUT}/${name}`);
  if (bytes.length < LEAST_BYTES || name.endsWith(".woff2")) continue;
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  await writeFile(`${OUT}/${name}.br`, brotliCompressSync(bytes, options));
  await writeFile(`${OUT}/${name}.gz`, gzipSync(bytes, { level: 9 }));
}
