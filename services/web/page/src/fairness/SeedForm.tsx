// The viewer's own text, which goes into the next round's deck.

import { useState } from "preact/hooks";

import type { FairnessWords } from "./words/index.js";

const MOST_LETTERS = 64;
const RANDOM_BYTES = 12;

interface SeedFormProps {
  readonly words: FairnessWords;
  /** The text that was taken for the next round; empty if none was. */
  readonly taken: string;
  readonly onSeed: (text: string) => Promise<void>;
}

/** Ask for the text and send it. */
export function SeedForm({ words, taken, onSeed }: SeedFormProps) {
  const [text, setText] = useState("");
  const draw = (): void => {
    const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
    setText(Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join(""));
  };
  return (
    <form
      class="fairness-seed"
      onSubmit={(event) => {
        event.preventDefault();
        if (text) void onSeed(text);
      }}
    >
      <label>
        <span>{words.seed}</span>
        <input
          value={text}
          maxLength={MOST_LETTERS}
          autocomplete="off"
          required
          onInput={(event) => {
            setText(event.currentTarget.value);
          }}
        />
      </label>
      <p class="fairness-muted">{words.seedHow}</p>
      <div class="fairness-buttons">
        <button type="button" onClick={draw}>{words.seedRandom}</button>
        <button type="submit">{words.seedSend}</button>
      </div>
      <p role="status">{taken && words.seedDone(taken)}</p>
    </form>
  );
}
