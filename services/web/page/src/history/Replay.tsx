// A past round, step by step forwards and backwards, as its player saw it.

import { type GetGameResponse, type PastRound, pastRound } from "@pitboss/client/web";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { Notice, Wait } from "../app/parts.js";
import { told } from "../app/refusals.js";
import { useSite } from "../app/site.js";
import { keeperOf } from "../fairness/keeper.js";
import { Panel } from "../fairness/Panel.js";
import { Table } from "../table/index.js";
import { chips, say } from "../words/language.js";
import { evidenceOf } from "./evidence.js";
import { type Frame, frames, stepFor, stepOf } from "./frames.js";
import { heading, type HistoryWord, historyWord, place } from "./words.js";

import "./history.css";

const PLAY_MS = 1_500;

interface Recalled {
  readonly round: PastRound;
  readonly described: GetGameResponse | undefined;
}

export interface ReplayProps {
  readonly tableId: string;
  readonly round: string;
  /** The step of the address, counted from 1. */
  readonly step: string | undefined;
}

/** Load a round and show it. */
export function Replay({ tableId, round, step }: ReplayProps) {
  const { house, words, language } = useSite();
  const [found, setFound] = useState<Recalled | "missing">();
  const [refused, setRefused] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const end = new AbortController();
    const load = async (): Promise<void> => {
      const roundNumber = /^[1-9]\d{0,17}$/.test(round) ? BigInt(round) : 0n;
      const past = roundNumber ? await pastRound(house, { tableId, roundNumber, language }, end.signal) : undefined;
      const view = past?.steps.find((one) => one.view?.table !== undefined)?.view;
      const described = view?.table && (await house.describe(view.table.game, view.houseRules, view.table.rulesVersion));
      if (!end.signal.aborted) setFound(past === undefined ? "missing" : { round: past, described });
    };
    setFound(undefined);
    setRefused(undefined);
    load().catch((thrown: unknown) => {
      if (!end.signal.aborted) setRefused(thrown);
    });
    return () => {
      end.abort();
    };
  }, [house, tableId, round, tries]);
  if (refused !== undefined) {
    return (
      <Notice kind="bad">
        <p>{told(refused, words)}</p>
        <button type="button" onClick={() => { setTries((before) => before + 1); }}>{words.again}</button>
      </Notice>
    );
  }
  if (found === undefined) return <Wait rows={6} />;
  if (found === "missing") return <Notice kind="plain"><p>{historyWord("missing", language)}</p><Back /></Notice>;
  return <Steps tableId={tableId} number={round} first={step} {...found} />;
}

function Back() {
  const { language } = useSite();
  return <a href="/history">{historyWord("history", language)}</a>;
}

/** The step that is shown, and what moves it: keys, buttons, the list, or time. */
function useStep(shown: readonly Frame[], first: string | undefined, base: string) {
  const count = shown.length;
  const [step, setStep] = useState(() => stepOf(first, count));
  const [isPlaying, setPlaying] = useState(false);
  const go = (to: number): void => {
    setPlaying(false);
    setStep(to);
  };
  const toggle = (): void => {
    if (!isPlaying && step === count - 1) setStep(0);
    setPlaying(!isPlaying);
  };
  useEffect(() => {
    history.replaceState(null, "", `${base}/${step + 1}`);
  }, [base, step]);
  useEffect(() => {
    if (!isPlaying) return;
    if (step >= count - 1) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => { setStep(step + 1); }, PLAY_MS);
    return () => { clearTimeout(timer); };
  }, [isPlaying, step, count]);
  useLayoutEffect(() => { // a key means what is drawn, not what was drawn before
    const pressed = (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("input, select, textarea, dialog")) return;
      const to = stepFor(event.key, step, count);
      if (to !== undefined) go(to);
      else if (event.key === " " && !target?.closest("button, a, summary")) toggle();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => { removeEventListener("keydown", pressed); };
  });
  return { step, isPlaying, go, toggle };
}

function Steps({ tableId, number, first, round, described }: Recalled & { tableId: string; number: string; first: string | undefined }) {
  const { words, language } = useSite();
  const shown = useMemo(() => frames(round), [round]);
  const { step, isPlaying, go, toggle } = useStep(shown, first, `/history/${tableId}/${number}`);
  const evidence = useMemo(() => evidenceOf(keeperOf(tableId).record(number), round), [tableId, number, round]);
  const frame = shown[step];
  const word = (name: HistoryWord): string => historyWord(name, language);
  const title = heading(say(described?.game?.name, language), chips(round.roundNumber, language), language);
  useEffect(() => {
    document.title = `${title} · ${words.house}`;
  }, [title]);
  const ownSeat = frame?.view?.ownSeat ?? round.seat;
  return (
    <section class="replay">
      <header class="where">
        <p><Back /></p>
        <h1>{title}</h1>
        <p class="muted">{word("asSeen")}</p>
      </header>
      <div class="replay-board">
        {frame?.view !== undefined && described !== undefined ? (
          <Table
            key={number}
            view={frame.view}
            events={frame.events}
            described={described}
            me={{ playerId: "", seat: ownSeat }}
            language={language}
            link="still"
            clockOffsetMs={0}
            still
            onAct={async () => { /* nothing can be done in a replay */ }}
          />
        ) : (
          <Notice kind="plain">{word("hidden")}</Notice>
        )}
      </div>
      <div class="replay-side">
        <Controls step={step} count={shown.length} isPlaying={isPlaying} go={go} toggle={toggle} />
        <Scrubber shown={shown} step={step} go={go} />
      </div>
      <Panel evidence={evidence} language={language} busy={false} />
    </section>
  );
}

interface Moves {
  readonly step: number;
  readonly go: (step: number) => void;
}

function Controls({ step, count, isPlaying, go, toggle }: Moves & { count: number; isPlaying: boolean; toggle: () => void }) {
  const { language } = useSite();
  const word = (name: HistoryWord): string => historyWord(name, language);
  const button = (sign: string, name: HistoryWord, to: number, isOff: boolean) => (
    <button type="button" aria-label={word(name)} title={word(name)} aria-disabled={isOff} onClick={() => { go(to); }}>{sign}</button>
  );
  return (
    <div class="replay-controls">
      <div role="group" aria-label={word("replay")}>
        {button("|◀", "first", 0, step === 0)}
        {button("◀", "back", Math.max(0, step - 1), step === 0)}
        <button type="button" class="main" aria-label={word(isPlaying ? "pause" : "play")} title={word(isPlaying ? "pause" : "play")} onClick={toggle}>
          {word(isPlaying ? "pause" : "play")}
        </button>
        {button("▶", "next", Math.min(count - 1, step + 1), step === count - 1)}
        {button("▶|", "last", count - 1, step === count - 1)}
      </div>
      <p class="muted" role="status">{place(step + 1, count, language)}</p>
      <p class="muted replay-keys">{word("keys")}</p>
    </div>
  );
}

/** The list of what happened; a click goes there. */
function Scrubber({ shown, step, go }: Moves & { shown: readonly Frame[] }) {
  const { language } = useSite();
  const current = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = current.current;
    const list = button?.closest("ol");
    // Only the list scrolls: the page stays where its reader is.
    if (button && list) list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
  }, [step]);
  return (
    <ol class="replay-steps" aria-label={historyWord("steps", language)}>
      {shown.map((frame, at) => (
        <li key={at}>
          <button
            type="button"
            ref={at === step ? current : null}
            {...(at === step && { "aria-current": "step" as const })}
            onClick={() => { go(at); }}
          >
            <span class="replay-number">{at + 1}</span>
            <span>{frame.words.map((line, row) => <span key={row} class="replay-line">{line}</span>)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
