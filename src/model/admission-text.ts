/**
 * Why the policies do not admit a request, in words.
 */
import { formatDuration, unreachable } from "../base/index.ts";
import { type AdmissionRefusal, type EpochWindow, WHOLE_SHARE } from "./policy.ts";

/** One sentence, without a full stop; `formatInstant` writes the instants of the question. */
export function admissionText(refusal: AdmissionRefusal, formatInstant: (atMs: number) => string): string {
  if (refusal.kind === "noPolicy") return `no policy gives ${refusal.consumer} a share of ${refusal.place}`;
  const wouldBe = percentText(refusal.wouldBeShare);
  const limit = percentText(refusal.limitShare);
  const from = formatInstant(refusal.fromMs);
  switch (refusal.kind) {
    case "burst":
      return `${refusal.level} would use ${wouldBe} from ${from}; its burst share is ${limit}`;
    case "epoch": {
      const use = `${wouldBe} of ${windowText(refusal.window)} from ${from}`;
      return `${refusal.level} would use ${use}; its epoch share is ${limit}`;
    }
    case "capacity":
      return `${wouldBe} of ${refusal.place} would be in use from ${from}`;
    default:
      return unreachable(refusal);
  }
}

/** `any 1h`; `the calendar month`. */
function windowText(window: EpochWindow): string {
  return window.kind === "sliding" ? `any ${formatDuration(window.lengthMs)}` : `the calendar ${window.unit}`;
}

/** `25 %`; exact, as shares are whole parts. */
function percentText(share: number): string {
  return `${share / (WHOLE_SHARE / 100)} %`;
}
