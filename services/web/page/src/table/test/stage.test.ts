// The table in a real browser: nothing overlaps or is cut off, all is named and acts, by mouse and by keys.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import type { Page } from "../../../../../../protos/typescript/node_modules/playwright-core/index.js";
import { opened, type Stage, visited } from "./browser.ts";
import { moments, type Recorded } from "./moments.ts";

const FOLDER = process.env["PITBOSS_RECORDED"] ?? "";
const AXE = readFileSync(new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const SIZES = { desktop: [1280, 800], phone: [390, 844] } as const;
/** Games drawn otherwise than the first of their family: open cards at the seats, tiles. */
const UNLIKE_THEIR_FAMILY = ["seven_card_stud", "tui_tong_zi"];
let stage: Stage;

before(async () => { stage = await opened(); });
after(async () => { await stage.close(); });

interface Acted {
  readonly name: string;
  readonly values: Readonly<Record<string, unknown>>;
}

function recorded(game: string): Recorded {
  return JSON.parse(readFileSync(`${FOLDER}/${game}.json`, "utf8")) as Recorded;
}

/** Return the first game of each family by name, and those that are drawn otherwise. */
function ofEachFamily(): readonly string[] {
  const games = readdirSync(FOLDER).map((name) => name.replace(".json", "")).sort();
  const family = (game: string): string => (recorded(game).game as { game: { family: string } }).game.family;
  const first = new Map(games.toReversed().map((game) => [family(game), game]));
  return [...first.values(), ...UNLIKE_THEIR_FAMILY];
}

async function show(page: Page, found: Recorded, at: number, language = "en"): Promise<void> {
  const steps = found.steps.slice(Math.max(0, at - 5), at + 1);
  await page.evaluate(`window.show(${JSON.stringify({ game: found.game, steps, at: steps.length - 1, language })})`);
}

/** Boxes that overlap, and what reaches over the page's side, as texts. */
const LAYOUT = `(() => {
  const box = (one) => one.getBoundingClientRect();
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const parts = [...document.querySelectorAll(".seats > li > .box, .own > .box, .middle > *")];
  const found = [];
  parts.forEach((one, at) => parts.slice(at + 1).forEach((other) => {
    if (over(box(one), box(other))) found.push(one.className + " over " + other.className + ": " + one.textContent + " | " + other.textContent);
  }));
  for (const one of document.querySelectorAll(".seat .card")) {
    const { right, bottom } = box(one);
    const around = box(one.closest(".box"));
    if (right > around.right + 2 || bottom > around.bottom + 2) found.push("out of its box: " + one.getAttribute("aria-label"));
  }
  for (const one of document.querySelectorAll(".table .name, .table .net, .table .pays")) {
    const text = document.createRange();
    text.selectNodeContents(one);
    if (text.getBoundingClientRect().height > 40) found.push("broken in two: " + one.textContent);
  }
  for (const one of document.querySelectorAll(".table *")) {
    const { left, right, width } = box(one);
    if (width > 0 && (left < -1 || right > innerWidth + 1)) found.push("cut off: " + one.className + " " + one.textContent);
  }
  return found;
})()`;

/** Words in small Latin letters on a table in Chinese: names of players begin with a large one. */
const UNTRANSLATED = `(document.querySelector(".table").innerText.match(/\\b[a-z][a-z_]{2,}/g) ?? [])`;

for (const [size, [width, height]] of Object.entries(SIZES)) {
  test(`nothing overlaps, is cut off or stays untranslated: every game, ${size}`, async () => {
    const page = await visited(stage, width, height);
    const faults: string[] = [];
    for (const name of readdirSync(FOLDER)) {
      const found = recorded(name.replace(".json", ""));
      for (const [moment, at] of Object.entries(moments(found.steps))) {
        await show(page, found, at);
        faults.push(...(await page.evaluate<string[]>(LAYOUT)).map((one) => `${name} ${moment}: ${one}`));
        if (size !== "phone") continue;
        await show(page, found, at, "zh-Hant");
        faults.push(...(await page.evaluate<string[]>(UNTRANSLATED)).map((one) => `${name} ${moment}: "${one}" is not translated`));
      }
    }
    await page.context().close();
    assert.deepEqual(faults, []);
  });

  test(`axe finds nothing, in the light and in the dark: each family, ${size}`, async () => {
    const faults: string[] = [];
    for (const dark of [false, true]) {
      const page = await visited(stage, width, height, dark);
      await page.evaluate(AXE);
      for (const game of ofEachFamily()) {
        const found = recorded(game);
        for (const [moment, at] of Object.entries(moments(found.steps))) {
          if (moment === "other" || (dark && moment === "end")) continue;
          await show(page, found, at, dark ? "zh-Hant" : "en");
          const broken = await page.evaluate<string[]>(
            "axe.run().then((found) => found.violations.flatMap((one) => one.nodes.map((node) => one.id + ' ' + node.html + ' ' + node.failureSummary)))",
          );
          faults.push(...broken.map((one) => `${game} ${moment}: ${one}`));
        }
      }
      await page.context().close();
    }
    assert.deepEqual(faults, []);
  });
}

async function acted(game: string, wanted: (action: string) => boolean, act: (page: Page) => Promise<void>): Promise<Acted> {
  const found = recorded(game);
  const at = found.steps.findIndex(({ view }) => view.round?.options?.some((one) => wanted((one as { action: string }).action)));
  assert.ok(at >= 0, `${game} has no such option`);
  const page = await visited(stage, 1280, 800);
  await show(page, found, at);
  await act(page);
  const [last] = (await page.evaluate<Acted[]>("window.acted")).slice(-1);
  await page.context().close();
  assert.ok(last !== undefined, "something was sent");
  return last;
}

test("a key calls", async () => {
  const done = await acted("texas_holdem", (one) => one === "call", (page) => page.keyboard.press("c"));
  assert.equal(done.name, "call");
});

test("a second press before the answer is drawn sends nothing; where no new view follows the buttons come back", async () => {
  const found = recorded("texas_holdem");
  const at = found.steps.findIndex((one) => JSON.stringify(one.view).includes('"action":"call"'));
  const page = await visited(stage, 1280, 800);
  await show(page, found, at);
  const sent = await page.evaluate<number>(`(async () => {
    const call = document.querySelector("[data-action=call]");
    call.click();
    call.click();
    for (let at = 0; at < 50; at += 1) await Promise.resolve(); // the answer is there, and no time has passed
    call.click();
    return window.acted.length;
  })()`);
  assert.equal(sent, 1);
  await page.locator(".bar[data-busy=false] [data-action=call]").click();
  assert.equal((await page.evaluate<Acted[]>("window.acted")).length, 2);
  await page.context().close();
});

test("all-in asks once", async () => {
  const done = await acted("texas_holdem", (one) => one === "all_in", async (page) => {
    await page.keyboard.press("a");
    assert.deepEqual(await page.evaluate("window.acted"), []);
    await page.keyboard.press("a");
  });
  assert.equal(done.name, "allIn");
});

test("a hint and Enter play a set that the options allow", async () => {
  const done = await acted("big_two", (one) => one === "play", async (page) => {
    await page.keyboard.press("h");
    await page.keyboard.press("Enter");
  });
  assert.equal(done.name, "play");
  assert.ok((done.values["cards"] as string[]).length >= 1);
});

test("a card is chosen by a click and played by its button", async () => {
  const done = await acted("whist", (one) => one === "play", async (page) => {
    await page.locator("button.choice:not([aria-disabled=true])").first().click({ position: { x: 6, y: 12 } });
    await page.locator(".plays [data-action=play]").click();
  });
  assert.equal((done.values["cards"] as string[]).length, 1);
});

test("a tap on a spot puts chips down", async () => {
  const done = await acted("suit_betting", (one) => one === "place_bet", async (page) => {
    await page.locator("input[type=number]").fill("7");
    await page.locator("[data-spot=heart]").click();
  });
  assert.deepEqual([done.name, done.values["spot"], done.values["amount"]], ["placeBet", "heart", 7]);
});

test("a digit puts chips on the spot of that number", async () => {
  const done = await acted("suit_betting", (one) => one === "place_bet", (page) => page.keyboard.press("2"));
  assert.deepEqual([done.name, done.values["spot"]], ["placeBet", "heart"]);
});

test("four colours of suits are chosen and kept", async () => {
  const found = recorded("texas_holdem");
  const page = await visited(stage, 1280, 800);
  await show(page, found, 0);
  await page.locator(".suits").click();
  assert.equal(await page.locator(".table").getAttribute("data-suits"), "four");
  assert.equal(await page.evaluate("localStorage.getItem('pitboss.suits')"), "four");
  await page.context().close();
});

test("an amount is written and sent by Enter, within its bounds", async () => {
  const done = await acted("texas_holdem", (one) => one === "raise", async (page) => {
    await page.keyboard.press("r");
    await page.keyboard.type("99999999");
    await page.keyboard.press("Enter");
  });
  assert.equal(done.name, "raise");
  assert.ok((done.values["to"] as number) < 99_999);
});

test("arrow keys go along the hand", async () => {
  const found = recorded("whist");
  const page = await visited(stage, 1280, 800);
  await show(page, found, moments(found.steps)["own"] ?? 0);
  const cards = page.locator(".own button.choice");
  await cards.first().focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await cards.nth(1).evaluate((one) => one === document.activeElement), true);
  await page.context().close();
});
