// The console's keys and buttons; the pages themselves come from the server, and htmx renews parts of them.

import "htmx.org";

import { drawAgainWithLetters } from "../app/letters.js";

import "./console.css";

drawAgainWithLetters();

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, select, textarea") !== null;
}

function follow(selector: string): boolean {
  const link = document.querySelector<HTMLElement>(selector);
  link?.click();
  return link !== null;
}

/** Keys: `/` leads to the search, arrows step through a round, `p` prints it. */
document.addEventListener("keydown", (pressed) => {
  if (typing(pressed.target) || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
  const { key } = pressed;
  const done =
    key === "/" ? (document.querySelector<HTMLElement>("#search")?.focus(), true)
    : key === "ArrowLeft" ? follow(".still .back")
    : key === "ArrowRight" ? follow(".still .on") || (document.querySelector(".still") === null && follow(".steps a.when"))
    : false;
  if (done) pressed.preventDefault();
});

for (const button of document.querySelectorAll<HTMLElement>("button.print")) {
  button.hidden = false;
  button.addEventListener("click", () => { print(); });
}
