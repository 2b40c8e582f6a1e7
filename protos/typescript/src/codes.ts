// Reasons for failures that no house explains: gRPC itself, or something on the way, ended the call.

import { Code } from "@connectrpc/connect";

const REASONS: ReadonlyMap<Code, string> = new Map([
  [Code.Canceled, "UNAVAILABLE"],
  [Code.InvalidArgument, "INVALID_ARGUMENT"],
  [Code.DeadlineExceeded, "DEADLINE_EXCEEDED"],
  [Code.NotFound, "NOT_FOUND"],
  [Code.PermissionDenied, "PERMISSION_DENIED"],
  [Code.ResourceExhausted, "TOO_MANY_REQUESTS"],
  [Code.Unavailable, "UNAVAILABLE"],
  [Code.Unauthenticated, "UNAUTHENTICATED"],
  [Code.Unimplemented, "NOT_FOUND"],
]);

/** Return the reason and the message of a failure without a reason of its own. */
export function explained(code: Code, message: string): { reason: string; message: string } {
  if (code === Code.ResourceExhausted && message.includes("Received message larger than max")) {
    return { reason: "MALFORMED_REQUEST", message: `the request is longer than the house accepts: ${message}` };
  }
  if (code === Code.Unimplemented) {
    return { reason: "NOT_FOUND", message: `the house has no such method: ${message}` };
  }
  return { reason: REASONS.get(code) ?? "INTERNAL", message };
}
