// How a round ended: who won what with which hand, who pays whom, and when the next round starts.

import type { Claim, Party } from "@pitboss/client/web";

import { type Model, type Place, resultOf } from "./model.js";
import type { TableProps } from "./props.js";
import { Countdown } from "./Ring.js";
import { startLeft } from "./time.js";
import type { Words } from "./words.js";

interface ResultProps {
  readonly props: TableProps;
  readonly model: Model;
  readonly words: Words;
}

export function Result({ props, model, words }: ResultProps) {
  const { view } = props;
  const settled = resultOf(view);
  if (!model.ended && !model.voided) return null;
  const changed = model.places.filter((one) => one.net !== undefined && (one.net !== 0n || one.winner));
  const poker = view.table?.family === "poker";
  const listed = poker ? changed.filter((one) => one.winner) : changed;
  const ranked = [...listed].sort((one, other) => Number((other.net ?? 0n) - (one.net ?? 0n)));
  return (
    <section class="result" aria-label={words.own("results")} aria-live="polite">
      {model.voided && <p class="voided">{words.own("voided")}{view.lastResult?.voidReason && <q>{view.lastResult.voidReason}</q>}</p>}
      {settled === undefined && <PotLines props={props} model={model} words={words} />}
      <ol class="nets">
        {ranked.map((one) => <NetLine key={one.seat} place={one} words={words} />)}
        {ranked.length === 0 && settled !== undefined && <li data-sign="even">{words.own("even")}</li>}
      </ol>
      {settled !== undefined && !poker && <Claims claims={settled.claims} model={model} words={words} />}
      <Countdown label={words.own("nextRound")} left={() => startLeft(view, Date.now() + props.clockOffsetMs)} />
    </section>
  );
}

/** Before the first round: what is waited for. */
export function Waiting({ props, words }: { props: TableProps; words: Words }) {
  return (
    <div>
      <p class="countdown">{words.own("waiting")}</p>
      <Countdown label={words.own("nextRound")} left={() => startLeft(props.view, Date.now() + props.clockOffsetMs)} />
    </div>
  );
}

function NetLine({ place, words }: { place: Place; words: Words }) {
  const net = place.net ?? 0n;
  const hand = place.hands.find((one) => one.words !== undefined);
  return (
    <li data-sign={net > 0n ? "won" : net < 0n ? "lost" : "even"}>
      <span class="name">{place.name}</span>
      {net !== 0n && <b class="net">{words.change(net)}</b>}
      {net === 0n && place.winner && <span class="tag">{words.own("winner")}</span>}
      {hand?.words !== undefined && net > 0n && <span class="hand-words">{words.say(hand.words)}</span>}
    </li>
  );
}

/** The pots of a round that is not settled yet. */
function PotLines({ props, model, words }: ResultProps) {
  const name = (seat: number): string => model.places.find((one) => one.seat === seat)?.name ?? "";
  return (
    <ol class="nets">
      {props.view.round?.potResults.map((pot) => pot.shares.map((share) => (
        <li key={`${pot.pot}-${share.seat}-${share.half}`} data-sign="won">
          <span class="name">{name(share.seat)}</span>
          <span>{words.own(pot.pot === 0 ? "pot" : "sidePot")} {words.chips(pot.amount)}</span>
          {share.words !== undefined && <span class="hand-words">{words.say(share.words)}</span>}
        </li>
      )))}
    </ol>
  );
}

/** Who pays whom: one line for each who is paid. */
function Claims({ claims, model, words }: { claims: readonly Claim[]; model: Model; words: Words }) {
  const paid = new Map<string, readonly Claim[]>();
  for (const one of claims) {
    const key = partyName(one.payee, model, words);
    paid.set(key, [...(paid.get(key) ?? []), one]);
  }
  if (claims.length === 0) return null;
  return (
    <ul class="claims">
      {[...paid].map(([payee, found]) => (
        <li key={payee}>
          {summed(found, model, words).map(([payer, amount]) => <span key={payer}>{payer} <b>{words.chips(amount)}</b></span>)}
          <span aria-hidden="true">→</span>
          <strong>{payee}</strong>
        </li>
      ))}
    </ul>
  );
}

function summed(claims: readonly Claim[], model: Model, words: Words): readonly (readonly [string, bigint])[] {
  const sums = new Map<string, bigint>();
  for (const one of claims) {
    const payer = partyName(one.payer, model, words);
    sums.set(payer, (sums.get(payer) ?? 0n) + one.amount);
  }
  return [...sums];
}

function partyName(party: Party | undefined, model: Model, words: Words): string {
  switch (party?.kind.case) {
    case "seat": {
      const { value } = party.kind;
      return model.places.find((one) => one.seat === value)?.name ?? words.chips(value);
    }
    case "carriedPot":
      return words.own("carried");
    case "pot":
      return words.own(party.kind.value === 0 ? "pot" : "sidePot");
    default:
      return words.own("house");
  }
}
