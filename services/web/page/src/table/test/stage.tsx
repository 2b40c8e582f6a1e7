// A page that shows recorded views in the table's renderer, for pictures and tests in a browser; no house is needed.

import { type GetGameResponse, GetGameResponseSchema, type TableEvent, TableEventSchema, type TableView, TableViewSchema } from "@pitboss/client/web";
import { render } from "preact";

import "../../styles/tokens.css";
import "../../styles/page.css";
import { fromJson, type JsonValue } from "../../../../../../protos/typescript/node_modules/@bufbuild/protobuf/dist/esm/index.js";
import type { Language } from "../../words/language.js";
import { Table } from "../index.js";
import { millis } from "../time.js";

export interface Step {
  readonly view: JsonValue;
  readonly events: readonly JsonValue[];
}

export interface Shown {
  readonly game: JsonValue;
  readonly steps: readonly Step[];
  readonly at: number;
  readonly language: Language;
  readonly seat?: number;
  /** Whether nothing moves; so where it is not said. */
  readonly still?: boolean;
}

/** What was asked for by clicks and keys, as names with arguments. */
const acted: unknown[] = [];

function show(asked: Shown): void {
  const steps = asked.steps.slice(0, asked.at + 1);
  const view: TableView = fromJson(TableViewSchema, steps[asked.at]?.view ?? {});
  const events: TableEvent[] = steps.slice(-6).flatMap((one) => one.events.map((event) => fromJson(TableEventSchema, event)));
  const described: GetGameResponse = fromJson(GetGameResponseSchema, asked.game);
  const server = millis(view.clock?.serverTime) ?? 0;
  document.documentElement.lang = asked.language;
  render(
    <Table view={view} events={events} described={described} me={{ playerId: "", seat: view.ownSeat }} language={asked.language} link="live"
      clockOffsetMs={server + Number(view.round?.turnMs ?? 0n) / 3 - Date.now()} still={asked.still ?? true}
      onAct={(action) => { acted.push({ name: action.kind.case, values: plain(action.kind.value) }); return Promise.resolve(); }}
      onSit={() => undefined} />,
    document.getElementById("root") ?? document.body,
  );
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, one: unknown) => (key === "$typeName" ? undefined : typeof one === "bigint" ? Number(one) : one)));
}

Object.assign(window, { show, acted });
