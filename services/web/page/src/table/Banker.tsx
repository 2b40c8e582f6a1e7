// A game against a bank: the bank's cards on top, and the spots with what each pays and what lies on it.

import type { GetGameResponse, SpotBet } from "@pitboss/client/web";

import { useBetting } from "./betting.js";
import { suitSign } from "./cards.js";
import { Fact, type MiddleProps, Pots, Zones } from "./Middle.js";
import { arranged } from "./model.js";

export function BankMiddle(given: MiddleProps) {
  const { props, model, words } = given;
  const facts = props.view.round?.facts;
  const bank = facts?.familyFacts.case === "bankerGame" ? facts.familyFacts.value : undefined;
  const banker = facts?.houseBanks === true ? words.own("house") : (model.places.find((one) => one.banker)?.name ?? "");
  return (
    <>
      <dl class="pots">
        {banker !== "" && words.has("banker") && <Fact name={words.word("banker")}>{banker}</Fact>}
        {bank?.left !== undefined && <Fact name={words.word("left")} chips>{words.chips(bank.left)}</Fact>}
        {bank?.pool !== undefined && <Fact name={words.word("pool")} chips large>{words.chips(bank.pool)}</Fact>}
      </dl>
      <div class="bankside"><Zones groups={arranged(model.common)} model={model} words={words} /></div>
      <Spots {...given} bets={bank?.spotBets ?? []} />
      {bank?.pool === undefined && <Pots {...given} />}
    </>
  );
}

const MOST_KEYS = 9;

/** The spots of a game: those that pay, in the order of the game's list, and others that somebody has bet on. */
export function spotsOf(described: GetGameResponse, bets: readonly SpotBet[], offered: readonly string[]): readonly string[] {
  const listed = described.payouts.map((one) => one.bet).filter((one) => offered.includes(one) || bets.some((bet) => bet.spot === one));
  const found = [...new Set([...listed, ...offered, ...bets.map((one) => one.spot)])];
  return found.every((one) => /^\d+$/.test(one)) ? found.sort((one, other) => Number(one) - Number(other)) : found;
}

/** What a spot pays, from the best to the least where that depends on the cards. */
export function paysOf(described: GetGameResponse, spot: string): string {
  const found = [...new Set(described.payouts.filter((one) => one.bet === spot).map((one) => one.pays))];
  return found.length > 2 ? `${found[0] ?? ""} … ${found.at(-1) ?? ""}` : found.join(", ");
}

function Spots({ props, model, words, bets }: MiddleProps & { bets: readonly SpotBet[] }) {
  const betting = useBetting();
  const { offered } = betting;
  const spots = spotsOf(props.described, bets, offered);
  const own = model.ownPlace?.seat;
  if (spots.length === 0 || (offered.length === 0 && spots.length === 1 && spots[0] === "ante")) return null;
  return (
    <ul class="spots" data-count={spots.length}>
      {spots.map((spot) => {
        const pays = paysOf(props.described, spot);
        const onIt = bets.filter((one) => one.spot === spot);
        const sum = onIt.reduce((total, one) => total + one.amount, 0n);
        const mine = onIt.find((one) => one.seat === own)?.amount ?? 0n;
        const inside = (
          <>
            <span class="spot-name">
              {suitSign(spot) !== "" && <span class={`sign suit-${spot[0] ?? ""}`} aria-hidden="true">{suitSign(spot)} </span>}
              {words.word(spot)}
            </span>
            {pays !== "" && <span class="pays">{pays}</span>}
            <span class="on-it">
              {mine > 0n && <span class="mine"><i class="chip own" aria-hidden="true" />{words.chips(mine)}</span>}
              {sum > mine && <span><i class="chip" aria-hidden="true" />{words.chips(sum - mine)}</span>}
            </span>
          </>
        );
        return (
          <li key={spot}>
            {offered.includes(spot)
              ? <button type="button" class="spot" data-spot={spot} onClick={() => { betting.onSpot(spot); }}>{inside}{keyOf(spot, offered)}</button>
              : <div class="spot">{inside}</div>}
          </li>
        );
      })}
    </ul>
  );
}

function keyOf(spot: string, offered: readonly string[]) {
  const at = offered.indexOf(spot) + 1;
  return at > MOST_KEYS ? null : <kbd aria-hidden="true">{at}</kbd>;
}
