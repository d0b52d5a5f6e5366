/**
 * Denials in the log, limited so that they cannot fill it: some per minute are recorded, the others counted.
 */
import type { BrokerApi } from "../runtime/index.ts";
import type { Denial } from "./identity.ts";

/** Limit per minute; more says nothing new, and each costs a write. */
const DENIALS_PER_MINUTE = 60;
const minuteMs = 60_000;

/** Dependencies beside the broker. */
export interface DenialLogOptions {
  /** Unix time. */
  readonly nowMs: () => number;
  /** Called where a denial could not be recorded. */
  readonly onError: (error: unknown) => void;
}

/** Records denials; the next record includes the number of those only counted before. */
export function denialLog(
  brokerApi: BrokerApi,
  { nowMs, onError }: DenialLogOptions,
): (denial: Denial) => void {
  let minuteFromMs = Number.NEGATIVE_INFINITY;
  let recorded = 0;
  let unrecorded = 0;
  return ({ method, route, owner = null, why }) => {
    const now = nowMs();
    if (Math.abs(now - minuteFromMs) >= minuteMs) {
      minuteFromMs = now;
      recorded = 0;
    }
    if (recorded >= DENIALS_PER_MINUTE) {
      unrecorded++;
      return;
    }
    recorded++;
    // The answer does not wait for it: who is denied gets nothing that the log would have to know first.
    brokerApi.ask({ kind: "noteDenial", who: owner, method, route, why, unrecorded }).catch(onError);
    unrecorded = 0;
  };
}
