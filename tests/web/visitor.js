// What a visitor who knows no rules would press next at the table, of what it offers at this moment.
// Returns the thing's name and a point on it that nothing covers, or null while nothing is asked of the visitor.
(random) => {
  const CLAIMS = ["slap", "call_nickname"];
  const table = document.querySelector(".stage > .table");
  if (table === null || table.querySelector(".bar:not([data-busy='true'])") === null) return null;
  const enabled = (one) => one.getAttribute("aria-disabled") !== "true";
  const pick = (all) => all[Math.floor(random * all.length)];
  const buttons = [...table.querySelectorAll(".bar [data-action]")].filter(enabled);
  const named = (name) => buttons.find((one) => one.dataset.action === name);
  const cards = [...table.querySelectorAll("button.choice:not([aria-pressed='true'])")].filter(enabled);
  const spots = [...table.querySelectorAll("button[data-spot]")];
  const chosen = () => {
    const done = named("done");
    if (spots.length > 0 && (done === undefined || random < 0.5)) return pick(spots);
    if (done !== undefined) return done;
    // What costs nothing and keeps the hand; somebody who always passes would not be playing.
    for (const name of ["check", "call", "stand", "reveal", "run_once", "collect"]) if (named(name)) return named(name);
    if (named("pass") && random < 0.4) return named("pass");
    // A claim that is wrong costs a card: it is tried now and then.
    if (buttons.length > 0 && buttons.every((one) => CLAIMS.includes(one.dataset.action)) && random > 0.1) return undefined;
    const plays = buttons.filter((one) => !["hint", "clear", "fold", "pass", "all_in"].includes(one.dataset.action));
    if (plays.length > 0) return pick(plays);
    if (named("hint") && random < 0.5) return named("hint");
    if (cards.length > 0) return pick(cards);
    return named("pass") ?? named("hint") ?? pick(buttons);
  };
  const found = chosen();
  if (found === undefined) return null;
  // As one scrolls until a thing is seen; of a card in a fan the left edge shows.
  for (const block of ["nearest", "center"]) {
    found.scrollIntoView({ block });
    const box = found.getBoundingClientRect();
    for (const share of [0.5, 0.25, 0.12, 0.06]) {
      const at = { x: box.left + box.width * share, y: box.top + box.height / 2 };
      if (found.contains(document.elementFromPoint(at.x, at.y))) {
        return { name: found.dataset.action ?? found.dataset.spot ?? found.dataset.card, ...at };
      }
    }
  }
  const box = found.getBoundingClientRect();
  const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return { name: `covered: ${found.outerHTML.slice(0, 120)} by ${over?.outerHTML.slice(0, 120)}`, x: -1, y: -1 };
}
