/** Refusal, common to all sites, to remove an attempt that has not ended. */
import { Fault } from "../base/index.ts";
import type { AttemptToken } from "./site.ts";

/** The fault `attemptNotEnded`. */
export function attemptNotEnded(token: AttemptToken): Fault {
  return new Fault({
    kind: "refused",
    code: "attemptNotEnded",
    what: `cannot remove ${token}`,
    why: "it has not ended",
    remedy: "cancel it, and remove it when it has ended",
  });
}
