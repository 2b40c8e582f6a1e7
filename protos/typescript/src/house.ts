// One caller's way to the house: everything that a front end calls.

import type { DescMethodUnary, DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";

import { Caller, requestId, type WatchOptions } from "./caller.js";
import type { Action } from "./gen/pitboss/v1/actions_pb.js";
import { BackOfficeService, type ListPlayedRoundsRequestSchema, type PlayedRound } from "./gen/pitboss/v1/back_office_pb.js";
import { CatalogueService, type GameSummary, type GetGameResponse, type HouseRuleValue, type Template } from "./gen/pitboss/v1/catalogue_pb.js";
import type { ListTemplatesRequestSchema } from "./gen/pitboss/v1/catalogue_pb.js";
import * as dealer from "./gen/pitboss/v1/dealer_pb.js";
import type { TableSummary, TableView } from "./gen/pitboss/v1/table_pb.js";
import {
  type GetBalanceResponse,
  type ListStatementLinesRequestSchema,
  type StatementLine,
  WalletService,
  type WatchWalletResponse,
} from "./gen/pitboss/v1/wallet_pb.js";
import { Lobby } from "./lobby.js";
import { houseRules, type Plain } from "./rules.js";

const { method: table } = dealer.DealerService;
const { method: catalogue } = CatalogueService;
const { method: wallet } = WalletService;
const PAGE = 100;

/** The id of a command that is sent again; without one, a command makes its own. */
export interface Command {
  readonly requestId?: string;
}

/** The fields of a request that its method does not name itself. */
type More<S extends DescMessage, Named extends string> = Omit<MessageInitShape<S>, Named | "$typeName" | "requestId">;

export class House extends Caller {
  // -- games and tables ------------------------------------------------------------------------------------------

  /** List all games of the house. */
  async games(): Promise<GameSummary[]> {
    return await this.all(catalogue.listGames, {}, (page) => page.games);
  }

  /** Return a game's full description: rules in words, words, limits, payouts, fees. */
  async game(game: string, rules: Readonly<Record<string, Plain>> = {}): Promise<GetGameResponse> {
    return await this.call(catalogue.getGame, { game, houseRules: houseRules(rules) });
  }

  /** Return a game's full description at a table: with its house rules, by its version of the game's rules. */
  async describe(
    game: string,
    rules: Readonly<Record<string, HouseRuleValue>>,
    rulesVersion: number,
  ): Promise<GetGameResponse> {
    return await this.call(catalogue.getGame, { game, houseRules: rules, rulesVersion });
  }

  /** List the templates from which tables are opened. */
  async listTemplates(wanted: MessageInitShape<typeof ListTemplatesRequestSchema> = {}): Promise<Template[]> {
    return await this.all(catalogue.listTemplates, { ...wanted, pageSize: PAGE }, (page) => page.templates);
  }

  /** List tables; `wanted`: game, family, stake, openSeatsOnly, currency, includeTest. */
  async tables(wanted: MessageInitShape<typeof dealer.ListTablesRequestSchema> = {}): Promise<TableSummary[]> {
    return await this.all(table.listTables, { ...wanted, pageSize: PAGE }, (page) => page.tables);
  }

  /** Return a table as this caller may see it. */
  async table(tableId: string): Promise<TableView> {
    const answer = await this.call(table.getTable, { tableId });
    if (answer.view === undefined) throw new TypeError("the house has answered without a view");
    return answer.view;
  }

  /** Open a table from the standard template of a game, or from the one named by `templateId`. */
  async createTable(
    game: string,
    rules: Readonly<Record<string, Plain>> = {},
    more: More<typeof dealer.CreateTableRequestSchema, "game" | "houseRules"> & Command = {},
  ): Promise<dealer.CreateTableResponse> {
    return await this.call(table.createTable, command({ ...more, game, houseRules: houseRules(rules) }));
  }

  /** Close a table between rounds; a player closes only its own, while nobody sits there. */
  async closeTable(tableId: string, reason: string, given: Command = {}): Promise<dealer.CloseTableResponse> {
    return await this.call(table.closeTable, command({ ...given, tableId, reason }));
  }

  /** Watch the open tables that fit; yields the same `Lobby` after each change. */
  async *watchLobby(
    wanted: MessageInitShape<typeof dealer.WatchLobbyRequestSchema> = {},
    options: WatchOptions = {},
  ): AsyncGenerator<Lobby, void, undefined> {
    const lobby = new Lobby();
    for await (const message of this.stream(table.watchLobby, () => wanted, options)) {
      if (lobby.take(message)) yield lobby;
    }
  }

  // -- waits and invitations -----------------------------------------------------------------------------------------

  /** Wait for a seat at any public table of a game and stake (0: any); `watchWait` shows the place and the offer. */
  async waitForAnySeat(
    game: string,
    more: More<typeof dealer.WaitForAnySeatRequestSchema, "game"> & Command = {},
  ): Promise<dealer.WaitForAnySeatResponse> {
    return await this.call(table.waitForAnySeat, command({ ...more, game }));
  }

  /** Wait no longer for a seat at any table. */
  async stopWaiting(given: Command = {}): Promise<dealer.StopWaitingResponse> {
    return await this.call(table.stopWaiting, command({ ...given }));
  }

  /** Watch the own wait for a seat at any table; yields undefined while there is none. */
  async *watchWait(options: WatchOptions = {}): AsyncGenerator<dealer.SeatWait | undefined, void, undefined> {
    for await (const message of this.stream(table.watchSeatWait, () => ({}), options)) yield message.wait;
  }

  /** Make an invitation to a private table; the answer alone holds its code. */
  async invite(
    tableId: string,
    more: More<typeof dealer.CreateInvitationRequestSchema, "tableId"> & Command = {},
  ): Promise<dealer.CreateInvitationResponse> {
    return await this.call(table.createInvitation, command({ uses: 1, ...more, tableId }));
  }

  /** Use an invitation: from then on the caller may enter the table. */
  async acceptInvitation(tableId: string, code: string, given: Command = {}): Promise<dealer.AcceptInvitationResponse> {
    return await this.call(table.acceptInvitation, command({ ...given, tableId, code }));
  }

  /** Revoke an invitation. */
  async revokeInvitation(
    tableId: string,
    invitationId: string,
    given: Command = {},
  ): Promise<dealer.RevokeInvitationResponse> {
    return await this.call(table.revokeInvitation, command({ ...given, tableId, invitationId }));
  }

  /** List the invitations to a table that can be used, without their codes. */
  async invitations(tableId: string): Promise<dealer.ListInvitationsResponse> {
    return await this.call(table.listInvitations, { tableId });
  }

  // -- seats and play ----------------------------------------------------------------------------------------------

  /** Take a seat, the lowest open one if none is named. */
  async takeSeat(
    tableId: string,
    buyIn: number | bigint,
    given: Command & { readonly seat?: number } = {},
  ): Promise<dealer.TakeSeatResponse> {
    return await this.call(table.takeSeat, command({ ...given, tableId, buyIn: BigInt(buyIn) }));
  }

  /** Take any open seat of a game and stake (0: any) at tables of these templates (none: the standard one). */
  async takeAnySeat(
    game: string,
    buyIn: number | bigint,
    more: More<typeof dealer.TakeAnySeatRequestSchema, "game" | "buyIn"> & Command = {},
  ): Promise<dealer.TakeAnySeatResponse> {
    return await this.call(table.takeAnySeat, command({ ...more, game, buyIn: BigInt(buyIn) }));
  }

  /** Wait for a seat; the views that follow show the place in line, and when a seat is held. */
  async joinLine(tableId: string, given: Command = {}): Promise<dealer.JoinWaitingListResponse> {
    return await this.call(table.joinWaitingList, command({ ...given, tableId }));
  }

  /** Wait no longer for a seat of a table. */
  async leaveLine(tableId: string, given: Command = {}): Promise<dealer.LeaveWaitingListResponse> {
    return await this.call(table.leaveWaitingList, command({ ...given, tableId }));
  }

  /** Add chips; in an open round they count from the next one on. */
  async addChips(tableId: string, amount: number | bigint, given: Command = {}): Promise<dealer.AddChipsResponse> {
    return await this.call(table.addChips, command({ ...given, tableId, amount: BigInt(amount) }));
  }

  /** Set the level to which the seat is topped up before each round; 0: none. */
  async setTopUp(tableId: string, level: number | bigint, given: Command = {}): Promise<dealer.SetTopUpResponse> {
    return await this.call(table.setTopUp, command({ ...given, tableId, level: BigInt(level) }));
  }

  /** Leave now, or, from an open round, when it is settled. */
  async leave(tableId: string, given: Command = {}): Promise<dealer.LeaveSeatResponse> {
    return await this.call(table.leaveSeat, command({ ...given, tableId }));
  }

  /** Keep the seat and be dealt in no more, from the next round on. */
  async sitOut(tableId: string, given: Command = {}): Promise<dealer.SitOutResponse> {
    return await this.call(table.sitOut, command({ ...given, tableId }));
  }

  /** Be dealt in again, from the next round on. */
  async sitIn(tableId: string, given: Command = {}): Promise<dealer.SitInResponse> {
    return await this.call(table.sitIn, command({ ...given, tableId }));
  }

  /** Start a round, where the house rule `start` is `manual`. */
  async startRound(tableId: string, given: Command = {}): Promise<dealer.StartRoundResponse> {
    return await this.call(table.startRound, command({ ...given, tableId }));
  }

  /** Act for the caller's seat; `expectedVersion` is that of the view on which the player decided. */
  async act(
    tableId: string,
    action: Action,
    given: Command & { readonly expectedVersion?: bigint } = {},
  ): Promise<dealer.ActResponse> {
    return await this.call(table.act, command({ ...given, tableId, action }));
  }

  /** Set the caller's seed for the next round. */
  async setSeed(tableId: string, seed: string, given: Command = {}): Promise<dealer.SetSeedResponse> {
    return await this.call(table.setSeed, command({ ...given, tableId, seed }));
  }

  /** Return the proof of a card that this caller has seen. */
  async cardProof(tableId: string, roundNumber: bigint, card: string): Promise<dealer.GetCardProofResponse> {
    return await this.call(table.getCardProof, { tableId, roundNumber, card });
  }

  /** Watch a table; a broken stream is resumed from the last version seen. */
  async *watch(
    tableId: string,
    options: WatchOptions & { readonly afterVersion?: bigint } = {},
  ): AsyncGenerator<dealer.WatchTableResponse, void, undefined> {
    let afterVersion = options.afterVersion ?? 0n;
    for await (const message of this.stream(table.watchTable, () => ({ tableId, afterVersion }), options)) {
      afterVersion = message.view?.version ?? afterVersion;
      yield message;
    }
  }

  // -- money and history -------------------------------------------------------------------------------------------

  /** Return the balance of the caller's wallet, in chips. */
  async balance(currency = ""): Promise<bigint> {
    return (await this.call(wallet.getBalance, { currency })).balance;
  }

  /** Return the balance of the caller's wallet together with its chips at tables. */
  async wallet(currency = ""): Promise<GetBalanceResponse> {
    return await this.call(wallet.getBalance, { currency });
  }

  /** Put money into a wallet (staff only). Returns the new balance, in chips. */
  async deposit(
    player: string,
    amount: number | bigint,
    given: Command & { readonly currency?: string; readonly reason?: string } = {},
  ): Promise<bigint> {
    return (await this.call(wallet.deposit, command({ ...given, player, amount: BigInt(amount) }))).balance;
  }

  /** Watch a wallet: its balance, the chips at tables, and each line that changed it, once. */
  async *watchWallet(
    wanted: { readonly currency?: string; readonly player?: string; readonly afterSequence?: bigint } = {},
    options: WatchOptions = {},
  ): AsyncGenerator<WatchWalletResponse, void, undefined> {
    let seen = wanted;
    for await (const message of this.stream(wallet.watchWallet, () => seen, options)) {
      seen = { ...seen, afterSequence: message.sequence };
      yield message;
    }
  }

  /** List the open tables at which the caller sits. */
  async myTables(): Promise<TableSummary[]> {
    return await this.tables({ mine: true });
  }

  /** List the caller's rounds at all tables that have ended, the newest first, `most` at most. */
  async myRounds(
    most = PAGE,
    wanted: MessageInitShape<typeof ListPlayedRoundsRequestSchema> = {},
  ): Promise<PlayedRound[]> {
    const request = { ...wanted, pageSize: Math.min(most, PAGE) };
    return await this.all(BackOfficeService.method.listPlayedRounds, request, (page) => page.rounds, most);
  }

  /** List what changed the caller's wallet, the newest first, `most` at most. */
  async myStatement(
    most = PAGE,
    wanted: MessageInitShape<typeof ListStatementLinesRequestSchema> = {},
  ): Promise<StatementLine[]> {
    const request = { ...wanted, pageSize: Math.min(most, PAGE) };
    return await this.all(wallet.listStatementLines, request, (page) => page.lines, most);
  }

  /** Return the rows of all pages, the first `most` at most. */
  private async all<I extends DescMessage, O extends DescMessage, T>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I> & object,
    rows: (page: MessageShape<O>) => T[],
    most = Infinity,
  ): Promise<T[]> {
    const found: T[] = [];
    for (let pageToken = ""; ;) {
      const page = await this.call(method, { ...request, pageToken });
      found.push(...rows(page));
      pageToken = (page as { nextPageToken?: string }).nextPageToken ?? "";
      if (!pageToken || found.length >= most) return found.slice(0, most);
    }
  }
}

/** Give a command its id, unless its caller has. */
function command<T extends Command>(request: T): T & { requestId: string } {
  return { ...request, requestId: request.requestId ?? requestId() };
}
