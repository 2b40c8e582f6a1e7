// A game: its rules in words, what it pays, the ways to play it, and its open tables.

import type { GetGameResponse, HouseRuleField, HouseRuleValue, Template, Text } from "@pitboss/client/web";
import { useEffect, useState } from "preact/hooks";

import { Notice, Shown, Wait } from "../app/parts.js";
import { useLoaded } from "../app/loaded.js";
import { told } from "../app/refusals.js";
import { go } from "../app/router.js";
import { type Site, useSite } from "../app/site.js";
import { chips, say, titled } from "../words/language.js";
import { PlayButton } from "./play-button.js";
import { boundsOf, opened } from "./seating.js";
import { Tables } from "./tables.js";
import { useTables } from "./watch.js";

/** Return hundredths of a percent as a percentage. */
function percent(bps: number, site: Site): string {
  return new Intl.NumberFormat(site.language, { style: "percent", maximumFractionDigits: 2 }).format(bps / 10_000);
}

function feeOf(game: GetGameResponse, site: Site): string {
  const { words, language } = site;
  const fee = game.feeBps > 0 ? words.fee(percent(game.feeBps, site)) : "";
  const rate = percent(game.rakeBps, site);
  const capped = game.rakeCap > 0n ? words.rake(rate, chips(game.rakeCap, language)) : words.rakeOpen(rate);
  return [fee, game.rakeBps > 0 ? capped : ""].filter(Boolean).join(" ") || words.noFee;
}

/** Return the value of a house rule in words; empty where it is a table or is not set. */
function valueOf(field: HouseRuleField, value: HouseRuleValue | undefined, site: Site): string {
  const unit = say(field.unitLabel, site.language);
  switch (value?.kind.case) {
    case "integer":
      if (value.kind.value === 0n && field.kind.case === "integer" && field.kind.value.zero) {
        return say(field.kind.value.zero, site.language);
      }
      return `${chips(value.kind.value, site.language)} ${unit}`.trim();
    case "number":
      return `${chips(value.kind.value, site.language)} ${unit}`.trim();
    case "flag":
      return value.kind.value ? "✓" : "✗";
    case "choice": {
      const { value: word } = value.kind;
      const known = field.kind.case === "choice" ? field.kind.value.choices.find((one) => one.word === word) : undefined;
      return say(known?.label, site.language) || word;
    }
    case "list":
      return value.kind.value.values.map((one) => chips(one, site.language)).join(", ");
    default:
      return say(field.absent, site.language);
  }
}

/** Show a game. */
export function GamePage({ game }: { game: string }) {
  const site = useSite();
  const { house, words, language } = site;
  const described = useLoaded(async () => {
    const [about, templates] = await Promise.all([house.game(game), house.listTemplates({ game })]);
    return { about, templates };
  }, [house, game]);
  const tables = useTables(game);
  const name = described.state === "there" ? say(described.value.about.game?.name, language) : "";
  useEffect(() => {
    if (name) document.title = `${name} · ${words.house}`;
  }, [name, words]);
  return (
    <>
      <p>
        <a href="/">{`← ${words.backToGames}`}</a>
      </p>
      <Shown of={described} rows={10}>
        {({ about, templates }) => (
          <div class="game">
            <article>
              <h1>{name}</h1>
              {about.game?.switchedOff ? (
                <Notice kind="plain">{words.switchedOff}</Notice>
              ) : (
                <p class="row">
                  <PlayButton game={game} label={words.play} name={words.playGame(name)} />
                </p>
              )}
              <h2>{words.rules}</h2>
              {say(about.rules, language).split(/\n+/).map((part, at) => (
                <p key={at} class="prose">{part}</p>
              ))}
              <p>{feeOf(about, site)}</p>
              {about.greatestWin && <p>{`${words.greatestWin}: ${say(about.greatestWin, language)}`}</p>}
              {about.payouts.length > 0 && <Payouts about={about} />}
              <details>
                <summary>{words.houseRules}</summary>
                <dl class="rules">
                  {about.fields.filter((field) => field.kind.case !== "table").map((field) => (
                    <div key={field.key}>
                      <dt>{say(field.label, language)}</dt>
                      <dd>{valueOf(field, about.houseRules[field.key], site)}</dd>
                    </div>
                  ))}
                </dl>
              </details>
            </article>
            <aside>
              <h2>{words.ways}</h2>
              <ul class="tables">
                {templates.map((one) => (
                  <Way key={`${one.templateId}-${one.version}`} template={one} game={about.game?.name} />
                ))}
              </ul>
              <h2>{words.openTables}</h2>
              {tables.refused !== undefined && <Notice kind="bad">{told(tables.refused, words)}</Notice>}
              {!tables.isThere && tables.refused === undefined ? <Wait /> : <Tables tables={tables} names={new Map([[game, about.game?.name]])} />}
            </aside>
          </div>
        )}
      </Shown>
    </>
  );
}

function Payouts({ about }: { about: GetGameResponse }) {
  const { words, language } = useSite();
  const named = (bet: string): string => say(about.vocabulary.find((one) => one.word === bet)?.text, language) || bet;
  return (
    <>
      <h2>{words.pays}</h2>
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">{words.bet}</th>
              <th scope="col">{words.wins}</th>
              <th scope="col">{words.paysColumn}</th>
            </tr>
          </thead>
          <tbody>
            {about.payouts.map((one, at) => (
              <tr key={at}>
                <td>{named(one.bet)}</td>
                <td>{say(one.wins, language)}</td>
                <td>{one.pays}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** A template: its stake and buy-in, and a button that opens a table from it. */
function Way({ template, game }: { template: Template; game: Text | undefined }) {
  const site = useSite();
  const { words, language } = site;
  const [isPrivate, setPrivate] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { least, most } = boundsOf(template);
  const title = titled(template.title, game, language);
  return (
    <li class="way">
      <strong>{title}</strong>
      <span class="facts">
        <span>{`${words.stake} ${chips(template.stake, language)}`}</span>
        <span>{words.buyInOf(chips(least, language), chips(most, language))}</span>
      </span>
      {template.notice && <span class="muted">{say(template.notice, language)}</span>}
      <label class="check">
        <input type="checkbox" checked={isPrivate} onChange={(event) => { setPrivate(event.currentTarget.checked); }} />
        {words.openPrivate}
      </label>
      <button
        type="button"
        disabled={isBusy}
        aria-label={words.openThis(title)}
        onClick={() => {
          setBusy(true);
          opened(site, template, isPrivate ? { private: true } : {})
            .then((tableId) => { go(`/tables/${tableId}`); }, site.report)
            .finally(() => { setBusy(false); });
        }}
      >
        {words.openTable}
      </button>
    </li>
  );
}
