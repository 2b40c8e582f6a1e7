// The wallet: its balance, the chips at tables, and what has changed it, the newest first.

import { useEffect, useState } from "preact/hooks";
import type { StatementLine } from "@pitboss/client/web";

import { Notice, Wait } from "../app/parts.js";
import { told } from "../app/refusals.js";
import { useSite } from "../app/site.js";
import { change, chips } from "../words/language.js";
import { moment, momentWhole } from "../words/moments.js";

const MOST_LINES = 200;

/** Show the wallet and follow its changes. */
export function Wallet() {
  const { house, words, language, currency, wallet } = useSite();
  const [lines, setLines] = useState<readonly StatementLine[]>();
  const [refused, setRefused] = useState("");
  useEffect(() => {
    const end = new AbortController();
    const follow = async (): Promise<void> => {
      const found = await house.myStatement(MOST_LINES, { currency });
      setLines(found);
      const afterSequence = found[0]?.sequence ?? 0n;
      for await (const seen of house.watchWallet({ currency, afterSequence }, { signal: end.signal })) {
        setLines((before = []) => [...seen.lines.toReversed(), ...before].slice(0, MOST_LINES));
      }
    };
    follow().catch((thrown: unknown) => {
      if (!end.signal.aborted) setRefused(told(thrown, words));
    });
    return () => {
      end.abort();
    };
  }, [house, currency]);
  return (
    <section>
      <h1>{words.wallet}</h1>
      <p class="sums">
        <strong class="chips large">{wallet === undefined ? "…" : chips(wallet.balance, language)}</strong>
        {wallet !== undefined && wallet.reserved > 0n && (
          <span class="muted">{`+ ${chips(wallet.reserved, language)} ${words.atTables}`}</span>
        )}
      </p>
      <h2>{words.statement}</h2>
      {refused && <Notice kind="bad">{refused}</Notice>}
      {lines === undefined && !refused && <Wait rows={5} />}
      {lines?.length === 0 && <p class="empty">{words.noLines}</p>}
      {lines !== undefined && lines.length > 0 && (
        <div class="wide">
          <table>
            <thead>
              <tr>
                <th scope="col">{words.when}</th>
                <th scope="col">{words.what}</th>
                <th scope="col" class="number">{words.change}</th>
                <th scope="col" class="number">{words.after}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={String(line.sequence)}>
                  <td title={momentWhole(line.entryTime, language)}>{moment(line.entryTime, language)}</td>
                  <td>
                    {words.kinds[line.kind] ?? line.kind}
                    {line.reason && <small class="muted">{line.reason}</small>}
                  </td>
                  <td class="number">{change(line.amount, language)}</td>
                  <td class="number">{chips(line.balanceAfter, language)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
