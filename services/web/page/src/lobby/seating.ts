// How a visitor comes to a seat: any free one of a game, or one at a table that is opened for it.

import type { House, TableSummary, Template } from "@pitboss/client/web";

import { reasonOf } from "../app/refusals.js";
import type { Site } from "../app/site.js";

/** Stakes of a buy-in that nobody has named. */
const STAKES = 50n;
/** Where a template leaves its bounds open: 20 and 100 stakes. */
const LEAST_STAKES = 20n;
const MOST_STAKES = 100n;

/** The most chips that the house counts anywhere. */
const MOST_CHIPS = 10n ** 15n;

export interface Bounds {
  readonly least: bigint;
  readonly most: bigint;
}

/** Return the bounds of a buy-in at tables of a template. */
export function boundsOf(template: Template): Bounds {
  const least = template.leastBuyIn || template.stake * LEAST_STAKES;
  const most = template.greatestBuyIn || template.stake * MOST_STAKES;
  return { least, most };
}

/** Return the bounds of a buy-in at a table; a table without a greatest buy-in takes what a wallet can hold. */
export function boundsAt(table: TableSummary): Bounds {
  return { least: table.leastBuyIn, most: table.greatestBuyIn || MOST_CHIPS };
}

/** Return a usual buy-in: 50 stakes, within the bounds, and what the wallet holds. */
export function usual(stake: bigint, { least, most }: Bounds, balance: bigint | undefined): bigint {
  const inside = clamped(stake * STAKES, least, most);
  return balance === undefined || balance < least ? inside : clamped(inside, least, balance);
}

function clamped(amount: bigint, least: bigint, most: bigint): bigint {
  return amount < least ? least : amount > most ? most : amount;
}

/** Return the template from which a game is played at once. */
export async function standardOf(house: House, game: string): Promise<Template> {
  const found = await house.listTemplates({ game });
  const standard = found.find((one) => one.standard) ?? found[0];
  if (standard === undefined) throw new RangeError(`there is no template of ${game}`);
  return standard;
}

/** At tables of guests a round begins this many seconds after enough players have come: nobody else is awaited. */
const SOON_SECONDS = 1;

/** Open a table; visitors with play money open test tables. Returns its id. */
export async function opened(site: Site, template: Template, more: { private?: boolean } = {}): Promise<string> {
  const { house, currency, visitor } = site;
  const named = template.standard ? {} : { templateId: template.templateId };
  const rules = template.standard && visitor.test ? { ready_countdown_s: SOON_SECONDS } : {};
  const made = await house.createTable(template.game, rules, { ...named, ...more, currency, test: visitor.test });
  return made.tableId;
}

/**
 * Take any free seat of a game. Returns the table's id, undefined where none is free.
 *
 * Visitors with play money sit down with players of the house: at a table where nobody else sits, or at one of their own.
 */
export async function seated(site: Site, game: string): Promise<string | undefined> {
  const { house, currency, visitor, wallet } = site;
  const mine = (await house.myTables()).find((table) => table.game === game);
  if (mine !== undefined) return mine.tableId;
  const template = await standardOf(house, game);
  const bounds = boundsOf(template);
  if (visitor.test) {
    // Test tables have no least buy-in: a guest brings what it has.
    const buyIn = usual(template.stake, { ...bounds, least: bounds.least && 1n }, wallet?.balance);
    const all = await house.tables({ game, includeTest: true, openSeatsOnly: true });
    const kept = all.find((one) => one.test && one.housePlayers > 0 && one.housePlayers === one.seatsTaken);
    const tableId = kept?.tableId ?? (await opened(site, template));
    await house.takeSeat(tableId, kept === undefined ? buyIn : usual(kept.stake, boundsAt(kept), wallet?.balance));
    return tableId;
  }
  const buyIn = usual(template.stake, bounds, wallet?.balance);
  try {
    return (await house.takeAnySeat(game, buyIn, { currency })).tableId;
  } catch (thrown) {
    if (reasonOf(thrown) !== "TABLE_FULL") throw thrown;
    return undefined;
  }
}
