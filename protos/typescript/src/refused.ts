// What the house answers to a call that it does not do.

import { Code, ConnectError } from "@connectrpc/connect";

import { explained } from "./codes.js";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  LocalizedMessageSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";
import type { Status } from "./gen/google/rpc/status_pb.js";

/**
 * The house refuses a call.
 *
 * `message` is for developers; `text` is for the player, in the language `locale` of those that were asked for. Both are
 * empty where none was asked for, or where no house answered.
 */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(
    readonly code: Code,
    /** A word of the house's closed list, such as `INSUFFICIENT_FUNDS`; failures of gRPC itself have one too. */
    readonly reason: string,
    message: string,
    /** What machines need, such as `least` and `greatest`. */
    readonly metadata: Readonly<Record<string, string>> = {},
    readonly text = "",
    readonly locale = "",
    /** The pause that the house asks for before the next try; undefined where it asks for none. */
    readonly retryAfterMs?: number,
    /** Which fields of the request were wrong, by path, and what would be right. */
    readonly fields: Readonly<Record<string, string>> = {},
    /** The same for the player, where the house has words for it. */
    readonly fieldTexts: Readonly<Record<string, string>> = {},
    /** The id of the refused command: after `UNAVAILABLE` the same command with it answers what became of it. */
    readonly requestId = "",
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Return the same refusal for one command of several that it ends. */
  of(requestId: string): Refused {
    const { code, reason, message, metadata, text, locale, retryAfterMs, fields, fieldTexts } = this;
    const cause = { cause: this };
    return new Refused(code, reason, message, metadata, text, locale, retryAfterMs, fields, fieldTexts, requestId, cause);
  }
}

/** Browsers report a house that cannot be reached, or a line that is cut, as a `TypeError` of fetch. */
function reached(error: ConnectError): ConnectError {
  const isCut = error.cause instanceof TypeError && error.details.length === 0;
  return isCut ? new ConnectError(error.rawMessage, Code.Unavailable, undefined, undefined, error.cause) : error;
}

const CODES: ReadonlyMap<number, Code> = new Map(
  Object.values(Code).flatMap((code): [number, Code][] => (typeof code === "number" ? [[code, code]] : [])),
);

/** Make a refusal of the status that a message of a stream holds. */
export function refusalIn(status: Status | undefined, requestId = ""): Refused {
  const error = new ConnectError(status?.message ?? "", CODES.get(status?.code ?? 0) ?? Code.Unknown);
  error.details = (status?.details ?? []).map(({ typeUrl, value }) => ({
    type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
    value,
  }));
  return refusal(error, requestId);
}

/** Make a refusal of whatever a call has thrown. */
export function refusal(thrown: unknown, requestId = ""): Refused {
  if (thrown instanceof Refused) return thrown;
  const error = reached(ConnectError.from(thrown, Code.Unavailable));
  const info = error.findDetails(ErrorInfoSchema)[0];
  const words = error.findDetails(LocalizedMessageSchema)[0];
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  const violations = error.findDetails(BadRequestSchema).flatMap((one) => one.fieldViolations);
  const told = info?.reason
    ? { reason: info.reason, message: error.rawMessage }
    : explained(error.code, error.rawMessage);
  return new Refused(
    error.code,
    told.reason,
    told.message,
    { ...info?.metadata },
    words?.message ?? "",
    words?.locale ?? "",
    delay ? Number(delay.seconds) * 1000 + delay.nanos / 1e6 : undefined,
    Object.fromEntries(violations.map((one) => [one.field, one.description])),
    Object.fromEntries(
      violations.flatMap((one) => (one.localizedMessage?.message ? [[one.field, one.localizedMessage.message]] : [])),
    ),
    requestId,
    { cause: thrown },
  );
}
