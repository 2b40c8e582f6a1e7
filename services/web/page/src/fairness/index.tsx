// Fairness at a table: what is seen is noted as it comes, and checked when a round ends or when the viewer asks.

import type { House, TableEvent, TableView } from "@pitboss/client/web";
import { useEffect, useState } from "preact/hooks";

import type { Me } from "../table/props.js";
import type { Language } from "../words/language.js";
import { keeperOf } from "./keeper.js";
import { Panel } from "./Panel.js";
import { askProofs, type Proofs } from "./proofs.js";
import { SeedForm } from "./SeedForm.js";
import { fairnessWords } from "./words/index.js";

export interface FairnessProps {
  readonly house: House;
  readonly view: TableView;
  readonly events: readonly TableEvent[];
  readonly me: Me;
  readonly language: Language;
  /** Shows why the house has refused something. */
  readonly onRefused: (thrown: unknown) => void;
}

/** Draw the fairness of the round that runs, or of the last one. */
export function Fairness({ house, view, events, me, language, onRefused }: FairnessProps) {
  const words = fairnessWords(language);
  const table = view.table?.tableId ?? "";
  const round = view.table?.roundNumber ?? 0n;
  const keeper = keeperOf(table);
  keeper.note(view, events);
  const record = keeper.record(round);
  const [found, setFound] = useState<{ readonly round: bigint; readonly proofs: Proofs } | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [, setSeeds] = useState(0);
  const own = found?.round === round ? found.proofs : undefined;
  const check = (): void => {
    setBusy(true);
    askProofs(house, record).then(
      (proofs) => {
        setFound({ round, proofs });
        setBusy(false);
      },
      (thrown: unknown) => {
        setBusy(false);
        onRefused(thrown);
      },
    );
  };
  const isOver = record.ended && me.seat !== undefined && record.seen.length > 0;
  useEffect(() => {
    if (isOver) check();
  }, [table, round, isOver]);
  const seed = async (text: string): Promise<void> => {
    if (me.seat === undefined) return;
    try {
      await keeper.noteSeed(round, me.seat, text, await house.setSeed(table, text));
      setSeeds((before) => before + 1);
    } catch (thrown) {
      onRefused(thrown);
    }
  };
  return (
    <Panel
      evidence={{ record, proofs: own?.proofs }}
      language={language}
      busy={busy}
      onCheck={me.seat !== undefined && record.roots.length > 0 ? check : undefined}
      note={own?.gone === true ? words.noProof : keeper.isUnkept ? words.notStored : undefined}
    >
      {me.seat !== undefined && <SeedForm words={words} taken={keeper.record(round + 1n).seed?.text ?? ""} onSeed={seed} />}
    </Panel>
  );
}
