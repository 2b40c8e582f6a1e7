// One line about a round's fairness, which opens into the rules that were checked.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Language } from "../words/language.js";
import { canHash } from "./bytes.js";
import { checked, countSeen, type Evidence, type State, type Step, verdict } from "./check.js";
import { type Deck, deckOf } from "./file.js";
import { fairnessWords, line, sentence } from "./words/index.js";

import "./fairness.css";

const SIGNS: Readonly<Record<State, string>> = { good: "✓", bad: "✗", open: "○" };

export interface PanelProps {
  readonly evidence: Evidence;
  readonly language: Language;
  readonly busy: boolean;
  /** Asks the house for the proofs; absent where they are there. */
  readonly onCheck?: (() => void) | undefined;
  /** Why there are no proofs, in words. */
  readonly note?: string | undefined;
  readonly children?: ComponentChildren;
}

/** Draw the line and the rules of one round. */
export function Panel({ evidence, language, busy, onCheck, note, children }: PanelProps) {
  const words = fairnessWords(language);
  const { record } = evidence;
  const [deck, setDeck] = useState<Deck | undefined>(undefined);
  const [steps, setSteps] = useState<readonly Step[]>([]);
  useEffect(() => {
    setDeck(undefined);
  }, [record.table, record.round]);
  useEffect(() => {
    let isWanted = true;
    if (canHash()) {
      void checked({ ...evidence, deck }).then((found) => {
        if (isWanted) setSteps(found);
      });
    }
    return () => {
      isWanted = false;
    };
  }, [record, evidence.proofs, evidence.said?.commitment, evidence.said?.digest, deck]);
  const choose = (file: File | undefined): void => {
    if (file !== undefined) void deckOf(file, record.table, record.round).then(setDeck);
  };
  const state = verdict(steps);
  const said = canHash() ? line(steps, countSeen(record), words) : words.cannotHash;
  return (
    <details class="fairness" data-state={state}>
      <summary>
        <span class="fairness-sign" aria-hidden="true">{SIGNS[state]}</span>
        <span class="fairness-title">{words.title}</span>
        <span class="fairness-line" role="status">{busy ? words.checking : said}</span>
      </summary>
      <div class="fairness-inside">
        {!evidence.unkept?.length && <p class="fairness-muted">{words.where}</p>}
        <ol class="fairness-steps">
          {steps.map((step) => (
            <li key={step.rule} data-rule={step.rule} data-state={step.state} data-reason={step.reason}>
              <p class="fairness-rule">
                <span class="fairness-sign" aria-hidden="true">{SIGNS[step.state]}</span>
                <strong>{words.rules[step.rule]}</strong>
                <span class="fairness-muted">{words.states[step.state]}</span>
              </p>
              <p>{sentence(step, words)}</p>
              {step.hash !== undefined && <p class="fairness-hash"><span>{words.value}</span> <code>{step.hash}</code></p>}
            </li>
          ))}
        </ol>
        {note && <p>{note}</p>}
        {onCheck && (
          <button type="button" disabled={busy} onClick={onCheck}>
            {evidence.proofs === undefined ? words.check : words.again}
          </button>
        )}
        {record.ended && (
          <label class="fairness-file">
            <span>{words.file}</span>
            <input
              type="file"
              accept=".json,.jsonl,application/json"
              onChange={(event) => {
                choose(event.currentTarget.files?.[0]);
              }}
            />
            <span class="fairness-muted">{words.fileHow}</span>
          </label>
        )}
        {children}
      </div>
    </details>
  );
}
