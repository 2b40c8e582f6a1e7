// The contract as types, and what all clients share; `@pitboss/client/web` and `@pitboss/client/node` connect.

export { Code } from "@connectrpc/connect";
export { Caller, type CallerOptions, requestId, type WatchOptions } from "./caller.js";
export { FAMILY_HEADER, type Ways } from "./dealers.js";
export { type Command, House } from "./house.js";
export { type PastRound, type PastStep, pastRound, playedRounds } from "./history.js";
export { Lobby } from "./lobby.js";
export * as moves from "./moves.js";
export { Refused, refusal } from "./refused.js";
export * as rules from "./rules.js";
export type { Token } from "./tokens.js";
export * from "./gen/pitboss/v1/actions_pb.js";
export type { PlayedRound } from "./gen/pitboss/v1/back_office_pb.js";
export * from "./gen/pitboss/v1/catalogue_pb.js";
export * from "./gen/pitboss/v1/dealer_pb.js";
export * from "./gen/pitboss/v1/facts_pb.js";
export * from "./gen/pitboss/v1/table_pb.js";
export * from "./gen/pitboss/v1/wallet_pb.js";
