/** Hindrances of a reservation, and effects of a slot on other jobs, in words. */
import { counted, formatDuration, roughTimeText, some, utcText } from "../base/index.ts";
import { admissionText } from "./admission-text.ts";
import type { DelayFacts, ReservationHindrance, WantedSlot } from "./reservation.ts";
import { resourceAmountText, resourceText } from "./slot-resource.ts";
import { ticketHindranceText } from "./ticket-text.ts";

/** Why something cannot be priced. */
export const UNCOUNTED = "what it would cost is more than can be counted exactly, which is 2.5 billion SU";

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
      return `it would begin at ${utcText(hindrance.startMs)}, and it is ${utcText(hindrance.nowMs)} already`;
    case "tooSoon":
      return (
        `it would begin at ${utcText(hindrance.startMs)}, ` +
        `and none may begin before ${utcText(hindrance.earliestMs)}`
      );
    case "tooFarAhead":
      return (
        `it would end at ${utcText(hindrance.endMs)}, ` +
        `and none may end after ${utcText(hindrance.latestMs)}`
      );
    case "tooLong":
      return (
        `it would last ${formatDuration(hindrance.durationMs)}, ` +
        `and none may last longer than ${formatDuration(hindrance.longestMs)}`
      );
    case "uncounted":
      return `for ${sizeOf(hindrance)}, ${UNCOUNTED}`;
    case "noVirtual":
      return "it allows no job to wait idle for its time";
    case "limitTooLong":
      return (
        `its job would need a limit of ${formatDuration(hindrance.wallTimeMs)}, ` +
        `and no job may have more than ${formatDuration(hindrance.mostMs)}`
      );
    case "overPolicy":
      return admissionText(hindrance.refusal, utcText);
    case "ticketRefused":
      return `ticket ${hindrance.ticket} is not taken: ${ticketHindranceText(hindrance.why).why}`;
    case "tooManyWasted":
      return (
        `${counted(hindrance.wasted, "reservation")} without a price went unused or cancelled in a week, ` +
        `and no more than ${hindrance.most} may`
      );
    default: {
      const { atMs, procs, mostProcs, resource } = hindrance;
      const amountOf = (amount: number) => resource && resourceAmountText({ ...resource, amount });
      const much = resource && resourceText({ ...resource, amount: procs });
      const would = `at ${utcText(atMs)} ${much ?? counted(procs, "processor")} would be`;
      const most = amountOf(mostProcs) ?? mostProcs;
      return `${would} ${heldBy[hindrance.kind]}, and no more than ${most} may be`;
    }
  }
}

function whoMayText({ consumer, consumers }: HindranceOf<"mayNotReserve">): string {
  if (consumers.length === 0) return "nobody may reserve there";
  return `${consumer} is not among those who may reserve there, which are ${some(consumers)}`;
}

type HindranceOf<Kind extends ReservationHindrance["kind"]> = Extract<ReservationHindrance, { kind: Kind }>;
type ShareKind = Extract<ReservationHindrance, { readonly mostProcs: number }>["kind"];

const heldBy: Readonly<Record<ShareKind, string>> = {
  tooMuchReserved: "reserved",
  consumerTooMuchReserved: "reserved by one consumer",
  farTooMuchReserved: "reserved so far ahead",
  tooMuchOffered: "kept aside by one consumer's open offers",
};

/** Remedy for a hindrance. */
export function hindranceRemedy(hindrance: ReservationHindrance): string {
  switch (hindrance.kind) {
    case "mayNotReserve":
    case "noVirtual":
      return "submit a job to its queue, or ask the site's administrator";
    case "startsInPast":
      return "ask for a start that is still to come";
    case "tooSoon":
    case "tooFarAhead":
      return "see `stint quote` for starts within the rule";
    case "uncounted":
      return "ask for fewer processors or for less time";
    case "limitTooLong":
      return "ask for less time, or at another site";
    case "tooLong":
      return "ask for less time; before its end a reservation may be extended";
    case "tooManyWasted":
      return "reserve again in some days, or take a slot that has a price";
    case "overPolicy":
      return "see `stint usage` for what policies allow; ask for less, or for another start";
    case "ticketRefused":
      return ticketHindranceText(hindrance.why).remedy;
    case "tooMuchOffered":
      return "accept or withdraw the offers that are open, ask for less, or for another start";
    default:
      return hindrance.resource === undefined
        ? "ask for fewer processors, or for another start"
        : "ask for less of it, or for another start";
  }
}

/** Effect of a slot on waiting jobs: `delays 14 queued jobs by 3.2 h in total, …`. */
export function delayText({ jobs, totalMs, worstMs, ownJobs }: DelayFacts): string {
  if (jobs === 0) return "delays nobody";
  const own = ownJobs === 0 ? "" : `, ${ownJobs === jobs ? "all" : ownJobs} of them your own department's`;
  if (jobs === 1) {
    const whose = ownJobs === 0 ? "" : " of your own department";
    return `delays 1 queued job${whose} by ${roughTimeText(totalMs)}`;
  }
  const total = `delays ${jobs} queued jobs by ${roughTimeText(totalMs)} in total${own}`;
  return `${total}; the worst one by ${roughTimeText(worstMs)}`;
}
