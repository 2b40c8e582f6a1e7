// A whole round of two players, by any client: the twenty lines of the README.

import type { House, WatchTableResponse } from "../dist/index.js";
import { moves } from "../dist/index.js";

/** Play a round at a table and return the last result that the first player sees. */
export async function playRound(table: string, players: readonly [House, House]): Promise<WatchTableResponse> {
  const [first] = players;
  for (const player of players) await player.takeSeat(table, 500);
  await first.setSeed(table, "my own luck");
  for await (const seen of first.watch(table)) {
    if (seen.view?.round?.waitingFor.length) break; // the house has started the round
  }
  for (const player of players) await player.act(table, moves.action("bet_multiple", { multiple: 2 }));
  for (const player of players) {
    await player.act(table, moves.action("reveal"));
    await player.leave(table); // when the round is settled
  }
  for await (const seen of first.watch(table)) {
    if (seen.view?.lastResult?.roundNumber) return seen;
  }
  throw new Error("the watch has ended before the round");
}
