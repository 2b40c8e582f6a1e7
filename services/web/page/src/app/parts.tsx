// Small parts that every view uses: notices, waits, and dialogs for chips.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { chips } from "../words/language.js";
import type { Loaded } from "./loaded.js";
import { told } from "./refusals.js";
import { useSite } from "./site.js";

/** Nothing is drawn for a short wait. */
const QUIET_MS = 300;
/** After so long a wait is explained in words. */
const LONG_MS = 3_000;

/** What went wrong, or what one has to know; announced by screen readers. */
export function Notice(given: { kind: "bad" | "plain"; children: ComponentChildren }) {
  return (
    <div class={`notice ${given.kind}`} role={given.kind === "bad" ? "alert" : "status"}>
      {given.children}
    </div>
  );
}

/** A wait: nothing at first, then a skeleton, then words. */
export function Wait({ rows = 3 }: { rows?: number }) {
  const { words } = useSite();
  const [stage, setStage] = useState(0);
  useEffect(() => {
    const timers = [QUIET_MS, LONG_MS].map((ms, at) =>
      setTimeout(() => {
        setStage(at + 1);
      }, ms),
    );
    return () => {
      timers.forEach(clearTimeout);
    };
  }, []);
  return (
    <div class="wait" aria-busy="true">
      <p class={stage === 2 ? "" : "unseen"} role="status">
        {stage === 2 ? words.waitsFor : stage === 1 ? words.loading : ""}
      </p>
      {stage > 0 && Array.from({ length: rows }, (_, at) => <div key={at} class="bone" />)}
    </div>
  );
}

/** What was asked of the house: its wait, its refusal with a way to ask again, or what `children` makes of it. */
export function Shown<T>(given: { of: Loaded<T>; rows?: number; children: (value: T) => ComponentChildren }) {
  const { words } = useSite();
  if (given.of.state === "loading") return <Wait rows={given.rows ?? 3} />;
  if (given.of.state === "there") return <>{given.children(given.of.value)}</>;
  return (
    <Notice kind="bad">
      <p>{told(given.of.thrown, words)}</p>
      <button type="button" onClick={given.of.again}>
        {words.again}
      </button>
    </Notice>
  );
}

export interface ChipsAsked {
  readonly title: string;
  readonly confirm: string;
  readonly least: bigint;
  readonly most: bigint;
  readonly first: bigint;
  readonly balance: bigint;
  /** Throws what the house refuses with; the dialog stays open then and shows it. */
  readonly onGiven: (amount: bigint) => Promise<void>;
  readonly onEnd: () => void;
}

/** Ask for an amount of chips between two bounds. */
export function ChipsDialog(asked: ChipsAsked) {
  const { words, language } = useSite();
  const [amount, setAmount] = useState(String(asked.first));
  const [refused, setRefused] = useState("");
  const [isSending, setSending] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const most = asked.balance >= asked.least && asked.balance < asked.most ? asked.balance : asked.most;
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const send = async (): Promise<void> => {
    setSending(true);
    try {
      await asked.onGiven(BigInt(amount || "0"));
      asked.onEnd();
    } catch (thrown) {
      setRefused(told(thrown, words));
      setSending(false);
    }
  };
  const typed = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) setAmount(event.target.value);
  };
  return (
    <dialog ref={dialog} aria-label={asked.title} onClose={asked.onEnd}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <h2>{asked.title}</h2>
        <label>
          {words.amount}
          <input type="number" inputMode="numeric" min={Number(asked.least)} max={Number(most)} step={1} required value={amount} onInput={typed} />
        </label>
        <input type="range" aria-label={words.amount} min={Number(asked.least)} max={Number(most)} value={amount} onInput={typed} />
        <p class="row">
          <button type="button" onClick={() => { setAmount(String(asked.least)); }}>
            {`${words.least} ${chips(asked.least, language)}`}
          </button>
          <button type="button" onClick={() => { setAmount(String(most)); }}>
            {`${words.most} ${chips(most, language)}`}
          </button>
        </p>
        <p class="muted">{words.balance(chips(asked.balance, language))}</p>
        {refused && <Notice kind="bad">{refused}</Notice>}
        <p class="row">
          <button type="submit" class="main" disabled={isSending}>
            {asked.confirm}
          </button>
          <button type="button" onClick={asked.onEnd}>
            {words.cancel}
          </button>
        </p>
      </form>
    </dialog>
  );
}
