// What the page of the browser's test runs; `window` gets its functions.

import { connect, Refused } from "../dist/web.js";
import { playRound } from "./round.ts";

interface Asked {
  readonly origin: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly table: string;
}

const house = (asked: Asked, name: string, language = "", patienceMs = 60_000) =>
  connect(asked.origin, { token: asked.tokens[name] ?? "", language, patienceMs });

Object.assign(window, {
  async round(asked: Asked): Promise<number> {
    const seen = await playRound(asked.table, [house(asked, "jon"), house(asked, "kim")]);
    return seen.view?.lastResult?.seats.length ?? 0;
  },
  async refusal(asked: Asked): Promise<Record<string, unknown>> {
    try {
      await house(asked, "jon", "zh-Hans").takeSeat(asked.table, 1);
    } catch (thrown) {
      if (thrown instanceof Refused) return { reason: thrown.reason, text: thrown.text, locale: thrown.locale };
      throw thrown;
    }
    return {};
  },
  async resumed(asked: Asked): Promise<number> {
    const versions: bigint[] = [];
    Object.assign(window, { versions });
    for await (const seen of house(asked, "jon").watch(asked.table)) {
      versions.push(seen.view?.version ?? 0n);
      if (seen.view?.seats.some((seat) => seat.chips === 500n)) break;
    }
    return versions.length;
  },
  async reason(asked: Asked): Promise<string> {
    try {
      await house(asked, "jon", "", 1_000).balance();
    } catch (thrown) {
      if (thrown instanceof Refused) return thrown.reason;
      throw thrown;
    }
    return "";
  },
});
