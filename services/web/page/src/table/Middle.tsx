// What lies in the middle of the table: one drawing for each family of games.

import type { ComponentChildren } from "preact";

import { BankMiddle } from "./Banker.js";
import { Hand } from "./Card.js";
import { suitSign } from "./cards.js";
import type { Group, Model } from "./model.js";
import type { TableProps } from "./props.js";
import type { Words } from "./words.js";

export interface MiddleProps {
  readonly props: TableProps;
  readonly model: Model;
  readonly words: Words;
}

export function Middle(given: MiddleProps) {
  const family = given.props.view.table?.family ?? "";
  if (given.props.view.round === undefined) return null;
  switch (family) {
    case "banker":
      return <BankMiddle {...given} />;
    case "tricks":
      return <TrickMiddle {...given} />;
    case "climbing":
      return <ClimbingMiddle {...given} />;
    case "survival":
      return <SurvivalMiddle {...given} />;
    case "poker":
      return <PokerMiddle {...given} />;
    default:
      return <><Zones groups={given.model.common} model={given.model} words={given.words} /><Pots {...given} /></>;
  }
}

const BOARD = 5;

/** The board keeps its place before it is dealt. */
function PokerMiddle(given: MiddleProps) {
  const { model, words } = given;
  const board = model.common.find((one) => one.zone === "board")?.cards ?? [];
  const others = model.common.filter((one) => one.zone !== "board");
  return (
    <>
      {words.has("board") && (
        <div class="board">
          {board.length > 0 && <Hand cards={board} words={words} best={model.best} label={words.word("board")} />}
          {Array.from({ length: Math.max(0, BOARD - board.length) }, (_, at) => <span key={at} class="card gap" aria-hidden="true" />)}
        </div>
      )}
      <Zones groups={others} model={model} words={words} />
      <Pots {...given} />
    </>
  );
}

interface ZonesProps {
  readonly groups: readonly Group[];
  readonly model: Model;
  readonly words: Words;
}

/** Groups of cards of the table, each with its name and what it is worth. */
export function Zones({ groups, model, words }: ZonesProps) {
  return (
    <>
      {groups.map((one) => (
        <figure class="zone" key={one.zone} data-zone={one.zone}>
          <Hand cards={one.cards} words={words} best={model.best} label={words.word(one.zone)} />
          <figcaption>
            {words.word(one.zone)}
            {model.commonHands.filter((hand) => hand.zone === one.zone && hand.words !== undefined).map((hand) => (
              <strong key="hand">{words.say(hand.words)}</strong>
            ))}
          </figcaption>
        </figure>
      ))}
    </>
  );
}

export function Pots({ props, words }: MiddleProps) {
  const { round, carriedPot } = props.view;
  const pots = round?.pots ?? [];
  const total = round?.betting?.total ?? 0n;
  const main = pots.reduce((sum, one) => sum + one, 0n);
  return (
    <dl class="pots">
      {pots.length > 0 && pots.map((amount, at) => (
        <Fact key={at} name={words.own(at === 0 ? "pot" : "sidePot")} chips>{words.chips(amount)}</Fact>
      ))}
      {total > main && <Fact name={words.own("total")} chips>{words.chips(total)}</Fact>}
      {carriedPot > 0n && pots.length === 0 && <Fact name={words.own("carried")} chips>{words.chips(carriedPot)}</Fact>}
    </dl>
  );
}

export function Fact({ name, chips = false, large = false, children }: { name: string; chips?: boolean; large?: boolean; children: ComponentChildren }) {
  return (
    <div class={large ? "fact large" : "fact"}>
      <dt>{name}</dt>
      <dd key={chips && typeof children === "string" ? children : "fact"}>{chips && <i class="chip" aria-hidden="true" />}{children}</dd>
    </div>
  );
}

/** The trumps, large. */
function Trump({ word, words, name }: { word: string; words: Words; name: string }) {
  const sign = suitSign(word);
  return (
    <Fact name={name} large>
      {sign !== "" && <span class={`sign suit-${word[0] ?? ""}`} aria-hidden="true">{sign}</span>}
      <span class="small">{words.word(word)}</span>
    </Fact>
  );
}

function TrickMiddle(given: MiddleProps) {
  const { props, model, words } = given;
  const facts = props.view.round?.facts;
  const trick = facts?.familyFacts.case === "trickGame" ? facts.familyFacts.value : undefined;
  const name = (seat: number): string => model.places.find((one) => one.seat === seat)?.name ?? "";
  const last = props.view.round?.zones.filter((one) => one.name === "last_trick") ?? [];
  const down = props.view.round?.zones.filter((one) => one.name === "trick" && one.cards.includes("??")) ?? [];
  const played = facts?.trick ?? [];
  return (
    <>
      <dl class="pots">
        {facts?.trump !== undefined && <Trump word={facts.trump} words={words} name={words.word("trump")} />}
        {trick?.bid !== undefined && trick.bid > 0 && (
          <Fact name={words.word("bid")}>{[words.chips(trick.bid), suitSign(trick.bidTrump ?? ""), trick.bidder === undefined ? "" : name(trick.bidder)].join(" ")}</Fact>
        )}
        {trick?.named !== undefined && <Fact name={words.word("named")}>{words.word(trick.named)}</Fact>}
        {trick?.call !== undefined && <Fact name={words.word("call")}>{words.word(trick.call)}</Fact>}
        {trick?.matchRound !== undefined && <Fact name={words.word("match_round")}>{words.chips(trick.matchRound)}</Fact>}
      </dl>
      {(played.length > 0 || model.running) && (
        <ol class="trick" aria-label={words.word("trick")}>
          {played.map((one) => (
            <li key={one.seat}><Hand cards={[one.card]} words={words} /><span class="name">{name(one.seat)}</span></li>
          ))}
          {played.length === 0 && down.map((one) => (
            <li key={one.owner}><Hand cards={one.cards} words={words} /><span class="name">{name(one.owner ?? -1)}</span></li>
          ))}
        </ol>
      )}
      <div class="aside">
        <Zones groups={model.common} model={model} words={words} />
        {last.length > 0 && (
          <figure class="zone last">
            <Hand cards={last.flatMap((one) => one.cards)} words={words} />
            <figcaption>{words.word("last_trick")}</figcaption>
          </figure>
        )}
      </div>
      <Pots {...given} />
    </>
  );
}

function ClimbingMiddle(given: MiddleProps) {
  const { props, model, words } = given;
  const { round } = props.view;
  const played = round?.zones.filter((one) => one.name === "played" && one.cards.length > 0) ?? [];
  const name = (seat: number | undefined): string => model.places.find((one) => one.seat === seat)?.name ?? "";
  return (
    <>
      <dl class="pots">
        {round?.facts?.multiplier !== undefined && <Fact name={words.own("multiple")} large>{`×${words.chips(round.facts.multiplier)}`}</Fact>}
      </dl>
      <ol class="trick">
        {played.map((one) => (
          <li key={one.owner}><Hand cards={one.cards} words={words} /><span class="name">{name(one.owner)}</span></li>
        ))}
      </ol>
      <div class="aside"><Zones groups={model.common} model={model} words={words} /></div>
      <Pots {...given} />
    </>
  );
}

/** Of the cards on the table the last ones count. */
const SHOWN = 5;

function SurvivalMiddle(given: MiddleProps) {
  const { props, model, words } = given;
  const facts = props.view.round?.facts;
  const survival = facts?.familyFacts.case === "survival" ? facts.familyFacts.value : undefined;
  const pile = model.common.filter((one) => one.zone !== "pile").map((one) => (one.zone === "table" ? { ...one, cards: one.cards.slice(-SHOWN) } : one));
  const top = model.common.find((one) => one.zone === "pile")?.cards.slice(-3) ?? [];
  return (
    <>
      {facts?.count !== undefined && <output class="total" aria-label={words.word("count")}>{words.chips(facts.count)}</output>}
      {top.length > 0 && <figure class="zone"><Hand cards={top} words={words} /><figcaption>{words.word("pile")}</figcaption></figure>}
      <Zones groups={pile} model={model} words={words} />
      <dl class="pots">
        {survival?.direction !== undefined && <Fact name={words.word("direction")}>{survival.direction > 0 ? "↻" : "↺"}</Fact>}
        {survival?.stock !== undefined && <Fact name={words.word("stock")}>{words.chips(survival.stock)}</Fact>}
        {survival?.table !== undefined && <Fact name={words.word("table")}>{words.chips(survival.table)}</Fact>}
        {survival?.flips !== undefined && <Fact name={words.word("flips")}>{words.chips(survival.flips)}</Fact>}
        {survival?.battles !== undefined && <Fact name={words.word("battles")}>{words.chips(survival.battles)}</Fact>}
      </dl>
      <Pots {...given} />
    </>
  );
}
