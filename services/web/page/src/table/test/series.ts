// Takes a series of pictures of what moves between two steps of a recorded game:
// `node src/table/test/series.ts RECORDED_FOLDER PICTURES_FOLDER GAME STEP`; with STILL=1 where less motion is wished for.

import { mkdirSync, readFileSync } from "node:fs";

import { opened, visited } from "./browser.ts";
import type { Recorded } from "./moments.ts";

const HELD = `document.getAnimations().forEach((one) => { one.finish(); });
  document.addEventListener("animationstart", ({ target }) => {
    for (const one of target.getAnimations()) { one.pause(); one.currentTime = MOMENT; }
  });`;
const PACE_MS = 350;
const MOMENTS_MS = [0, 80, 160, 240, 400];
const [from = "", to = "", game = "", step = "1"] = process.argv.slice(2);
const STILL = process.env["STILL"] !== undefined;
mkdirSync(to, { recursive: true });
const stage = await opened();
try {
  const { game: described, steps } = JSON.parse(readFileSync(`${from}/${game}.json`, "utf8")) as Recorded;
  for (const at of MOMENTS_MS) {
    const page = await visited(stage, 1280, 800, false, !STILL);
    for (const shown of [Number(step) - 1, Number(step)]) {
      const asked = { game: described, steps: steps.slice(0, shown + 1), at: shown, language: "en", still: STILL };
      await page.evaluate(`window.show(${JSON.stringify(asked)})`);
      // Every animation is held at its moment, so that pictures do not depend on how quick the machine is.
      if (shown < Number(step)) await page.evaluate(HELD.replace("MOMENT", String(at)));
    }
    await page.waitForTimeout(2 * PACE_MS);
    await page.screenshot({ path: `${to}/${game}-${step}-${at}.png` });
    await page.context().close();
  }
} finally {
  await stage.close();
}
