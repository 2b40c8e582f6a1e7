// The moments of a recorded game that are worth a picture.

export interface Recorded {
  readonly game: unknown;
  readonly steps: readonly {
    readonly view: { readonly round?: RoundJson; readonly lastResult?: { readonly roundNumber?: string } };
    readonly events: readonly unknown[];
  }[];
}

interface RoundJson {
  readonly state?: string;
  readonly roundNumber?: string;
  readonly options?: readonly unknown[];
  readonly zones?: readonly { readonly cards?: readonly string[] }[];
}

/** Return the steps where most is seen: own turn with most cards on the table, somebody else's, and the settled end. */
export function moments(steps: Recorded["steps"]): Readonly<Record<string, number>> {
  const seen = (one: RoundJson | undefined): number => (one?.zones ?? []).flatMap((zone) => zone.cards ?? []).filter((card) => card !== "??").length;
  const best = (wanted: (round: RoundJson) => boolean): number =>
    steps.reduce((found, { view: { round } }, at) => (round !== undefined && wanted(round) && seen(round) >= seen(steps[found]?.view.round) ? at : found), -1);
  const running = (round: RoundJson): boolean => round.state === "ROUND_STATE_RUNNING";
  const own = best((round) => running(round) && (round.options?.length ?? 0) > 0);
  const other = best((round) => running(round) && (round.options?.length ?? 0) === 0);
  const end = steps.findLastIndex(({ view }) => view.round?.state === "ROUND_STATE_ENDED" && view.lastResult?.roundNumber === view.round.roundNumber);
  return Object.fromEntries(Object.entries({ own, other, end }).filter(([, at]) => at >= 0));
}
