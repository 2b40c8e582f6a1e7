// Rounds of the past: pages of the caller's results, and one round step by step as the caller saw it.

import { fromJson, type MessageInitShape } from "@bufbuild/protobuf";

import type { Caller } from "./caller.js";
import { AuditService, type RecalledRound, type RecalledStep } from "./gen/pitboss/v1/audit_pb.js";
import {
  BackOfficeService,
  type ListPlayedRoundsRequestSchema,
  type ListPlayedRoundsResponse,
} from "./gen/pitboss/v1/back_office_pb.js";
import { type TableView, TableViewSchema } from "./gen/pitboss/v1/table_pb.js";

/** A step of a past round. */
export interface PastStep extends Omit<RecalledStep, "view" | "$typeName"> {
  /** The table as the caller saw it then; undefined in a round whose seed was never revealed. */
  readonly view: TableView | undefined;
}

/** A past round as the caller saw it. */
export interface PastRound extends Omit<RecalledRound, "steps" | "$typeName"> {
  readonly steps: readonly PastStep[];
}

/** Return a page of the caller's ended rounds; `nextPageToken` leads to the next one. */
export async function playedRounds(
  house: Caller,
  wanted: MessageInitShape<typeof ListPlayedRoundsRequestSchema>,
): Promise<ListPlayedRoundsResponse> {
  return await house.call(BackOfficeService.method.listPlayedRounds, wanted);
}

/** Return a past round; undefined where the caller took no part in it, or it is not over. Throws `Refused`. */
export async function pastRound(
  house: Caller,
  wanted: { readonly tableId: string; readonly roundNumber: bigint; readonly language: string },
  signal?: AbortSignal,
): Promise<PastRound | undefined> {
  let whole: RecalledRound | undefined;
  for (let pageToken = ""; ;) {
    const page: { rounds: RecalledRound[] } = { rounds: [] };
    const request = (): typeof wanted & { pageToken: string } => {
      page.rounds = []; // a broken stream is read from its beginning again
      return { ...wanted, pageToken };
    };
    for await (const part of house.stream(AuditService.method.recallRounds, request, signal && { signal })) {
      page.rounds.push(...part.rounds);
      pageToken = part.nextPageToken;
      if (part.rounds.length === 0) break; // the last message holds no round, but the token of the next page
    }
    for (const part of page.rounds) whole = whole === undefined ? part : joined(whole, part);
    if (!pageToken) break;
  }
  return whole && { ...whole, steps: whole.steps.map(read) };
}

function joined(whole: RecalledRound, part: RecalledRound): RecalledRound {
  return { ...whole, steps: [...whole.steps, ...part.steps], proofs: [...whole.proofs, ...part.proofs] };
}

function read(step: RecalledStep): PastStep {
  const { view } = step;
  if (view === undefined || Object.keys(view).length === 0) return { ...step, view: undefined };
  return { ...step, view: fromJson(TableViewSchema, view, { ignoreUnknownFields: true }) };
}
