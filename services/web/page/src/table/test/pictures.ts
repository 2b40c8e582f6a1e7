// Takes pictures of tables: `node test/pictures.ts RECORDED_FOLDER PICTURES_FOLDER [game …]`; with DARK=1 in the dark,
// with TONGUE=zh-Hans in another language, with SMALL=1 at sizes for a page of documentation.

import { mkdirSync, readdirSync, readFileSync } from "node:fs";

import { opened, visited } from "./browser.ts";
import { moments, type Recorded } from "./moments.ts";

const SIZES = process.env["SMALL"] === undefined ? { desktop: [1280, 800], phone: [390, 844] } : { desktop: [1100, 700], phone: [390, 700] };
const [from = "", to = "", ...only] = process.argv.slice(2);
mkdirSync(to, { recursive: true });
const stage = await opened();
try {
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    const page = await visited(stage, width ?? 0, height ?? 0, process.env["DARK"] !== undefined);
    page.on("console", (message) => { if (message.type() === "error") process.stdout.write(`${message.text()}\n`); });
    page.on("pageerror", (error) => { process.stdout.write(`${error.stack ?? ""}\n`); });
    for (const name of readdirSync(from)) {
      const game = name.replace(".json", "");
      if (only.length > 0 && !only.includes(game)) continue;
      const { game: described, steps } = JSON.parse(readFileSync(`${from}/${name}`, "utf8")) as Recorded;
      for (const [moment, at] of Object.entries(moments(steps))) {
        const asked = JSON.stringify({ game: described, steps: steps.slice(Math.max(0, at - 5), at + 1), at: Math.min(at, 5), language: process.env["TONGUE"] ?? "en" });
        await page.evaluate(`window.show(${asked})`);
        await page.screenshot({ path: `${to}/${game}-${moment}-${size}.png` });
      }
    }
  }
} finally {
  await stage.close();
}
