/** Hindrances of a reservation, and effects of a slot on other jobs, in words. */
import { counted, formatDuration, roughTimeText, some, utcText } from "../base/index.ts";
import { admissionText } from "./admission-text.ts";
import type { DelayFacts, ReservationHindrance, WantedSlot } from "./reservation.ts";
import { resourceAmountText, resourceText } from "./slot-resource.ts";
import { ticketHindranceText } from "./ticket-text.ts";

/** Why something cannot be priced. */
export const UNCOUNTED = "its cost exceeds 2.5 billion SU, the largest amount that can be counted exactly";

/** `8 processors for 2 h`. */
export function sizeOf({
  procs,
  resource,
  durationMs,
}: Pick<WantedSlot, "procs" | "resource" | "durationMs">): string {
  const what = resource === undefined ? counted(procs, "processor") : resourceText(resource);
  return `${what} for ${roughTimeText(durationMs)}`;
}

/** The rule that is in the way, as the why of a sentence: what it allows, and what was asked for. */
export function hindranceText(hindrance: ReservationHindrance): string {
  switch (hindrance.kind) {
    case "mayNotReserve":
      return whoMayText(hindrance);
    case "startsInPast":
      return (
        `it would begin at ${utcText(hindrance.startMs)}, which is in the ` +
        `past (now ${utcText(hindrance.nowMs)})`
      );
    case "tooSoon":
      return (
        `it would begin at ${utcText(hindrance.startMs)}, ` +
        `and the earliest permitted start is ${utcText(hindrance.earliestMs)}`
      );
    case "tooFarAhead":
      return (
        `it would end at ${utcText(hindrance.endMs)}, ` +
        `and the latest permitted end is ${utcText(hindrance.latestMs)}`
      );
    case "tooLong":
      return (
        `it would last ${formatDuration(hindrance.durationMs)}, ` +
        `and the longest permitted reservation is ${formatDuration(hindrance.longestMs)}`
      );
    case "uncounted":
      return `for ${sizeOf(hindrance)}, ${UNCOUNTED}`;
    case "noVirtual":
      return "virtual reservations are disabled there: no job may hold processors idle until its start";
    case "gpusNotReservable":
      return "its batch system reserves processors, and no GPUs";
    case "limitTooLong":
      return (
        `its job would need a time limit of ${formatDuration(hindrance.wallTimeMs)}, ` +
        `and the longest permitted limit is ${formatDuration(hindrance.mostMs)}`
      );
    case "overPolicy":
      return admissionText(hindrance.refusal, utcText);
    case "ticketRefused":
      return `ticket ${hindrance.ticket} is not accepted: ${ticketHindranceText(hindrance.why).why}`;
    case "tooManyWasted":
      return (
        `${counted(hindrance.wasted, "reservation")} without a price were ` +
        "unused or cancelled within a week, " +
        `and the limit is ${hindrance.most}`
      );
    default: {
      const { atMs, procs, mostProcs, resource, of } = hindrance;
      const amountOf = (amount: number) => resource && resourceAmountText({ ...resource, amount });
      const much = resource && resourceText({ ...resource, amount: procs });
      const unit = of === "gpus" ? "GPU" : "processor";
      const would = `at ${utcText(atMs)} ${much ?? counted(procs, unit)} would be`;
      const most = amountOf(mostProcs) ?? mostProcs;
      return `${would} ${heldBy[hindrance.kind]}, and the limit is ${most}`;
    }
  }
}

function whoMayText({ consumer, consumers }: HindranceOf<"mayNotReserve">): string {
  if (consumers.length === 0) return "reservations are disabled there";
  return `${consumer} may not reserve there; ${some(consumers)} may`;
}

type HindranceOf<Kind extends ReservationHindrance["kind"]> = Extract<ReservationHindrance, { kind: Kind }>;
type ShareKind = Extract<ReservationHindrance, { readonly mostProcs: number }>["kind"];

const heldBy: Readonly<Record<ShareKind, string>> = {
  tooMuchReserved: "reserved",
  consumerTooMuchReserved: "reserved by one consumer",
  farTooMuchReserved: "reserved that far ahead",
  tooMuchOffered: "held by one consumer's open offers",
};

/** Remedy for a hindrance. */
export function hindranceRemedy(hindrance: ReservationHindrance): string {
  switch (hindrance.kind) {
    case "mayNotReserve":
    case "noVirtual":
      return "submit a job to its queue, or ask the site's administrator";
    case "gpusNotReservable":
      return "reserve processors alone at this site, or choose a managed or simulated site with GPUs";
    case "startsInPast":
      return "request a start in the future";
    case "tooSoon":
    case "tooFarAhead":
      return "`stint quote` lists the permitted starts";
    case "uncounted":
      return "request fewer processors or less time";
    case "limitTooLong":
      return "request less time, or another site";
    case "tooLong":
      return "request less time; a reservation can be extended before it ends";
    case "tooManyWasted":
      return "reserve again in a few days, or choose a slot with a price";
    case "overPolicy":
      return "request less, or another start; `stint usage` shows the limits";
    case "ticketRefused":
      return ticketHindranceText(hindrance.why).remedy;
    case "tooMuchOffered":
      return "accept or withdraw the open offers, or request less, or another start";
    default:
      return hindrance.resource === undefined
        ? `request fewer ${hindrance.of === "gpus" ? "GPUs" : "processors"}, or another start`
        : "request less of it, or another start";
  }
}

/** Effect of a slot on waiting jobs: `delays 14 queued jobs by 3.2 h in total, …`. */
export function delayText({ jobs, totalMs, worstMs, ownJobs }: DelayFacts): string {
  if (jobs === 0) return "delays nobody";
  const own = ownJobs === 0 ? "" : `, ${ownJobs === jobs ? "all" : ownJobs} of your own department`;
  if (jobs === 1) {
    const whose = ownJobs === 0 ? "" : " of your own department";
    return `delays 1 queued job${whose} by ${roughTimeText(totalMs)}`;
  }
  const total = `delays ${jobs} queued jobs by ${roughTimeText(totalMs)} in total${own}`;
  return `${total}; the worst one by ${roughTimeText(worstMs)}`;
}
