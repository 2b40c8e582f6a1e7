// What a seat chooses between rounds, for all rounds to come: whether it straddles.

import { moves } from "@pitboss/client/web";
import { useState } from "preact/hooks";

import type { Model } from "./model.js";
import type { TableProps } from "./props.js";
import type { Words } from "./words.js";

interface BetweenProps {
  readonly props: TableProps;
  readonly model: Model;
  readonly words: Words;
}

export function Between({ props, model, words }: BetweenProps) {
  const [busy, setBusy] = useState(false);
  const { view, link } = props;
  const seat = model.ownPlace?.seat;
  const rule = view.houseRules["straddle"]?.kind;
  if (seat === undefined || model.running || link !== "live" || rule?.case !== "choice" || rule.value === "off") return null;
  const active = view.carried?.straddles.includes(seat) ?? false;
  const change = (): void => {
    if (busy) return;
    setBusy(true);
    void props.onAct(moves.action("straddle", { active: !active })).finally(() => { setBusy(false); });
  };
  return (
    <div class="bar between">
      <button type="button" class="act" data-action="straddle" aria-pressed={active} aria-disabled={busy} onClick={change}>
        <span aria-hidden="true">{active ? "☑" : "☐"}</span><span class="label">{words.word("active")}</span>
      </button>
    </div>
  );
}
