/**
 * Every "no" about offers, reservations and accounts in words, and what a slot would do to others.
 */
import { counted, formatDuration, roughTimeText, some, suText, unreachable, utcText } from "../base/index.ts";
import { admissionText } from "./admission-text.ts";
import type { Refusal, ReservationMisfit, ReservationVerb } from "./command.ts";
import { delayCostText } from "./delay-cost-text.ts";
import type { RefusalText } from "./problem-text.ts";
import type { DelayFacts, ReservationHindrance, WantedSlot } from "./reservation.ts";
import { resourceAmountText, resourceText } from "./slot-resource.ts";
import { ticketHindranceText } from "./ticket-text.ts";

/** The refusals that are about offers, reservations and accounts. */
export type ReservationRefusal = RefusalOf<
  | ("unknownReservation" | "wrongReservationState" | "slotInvalid" | "slotTooWide" | "slotTaken")
  | ("mayNotReserveSlot" | "siteReservesNothing" | "offerLapsed" | "accountShort" | "extensionDearer")
  | ("notInReservation" | "partsUnfit" | "delayCostOverBudget" | "priceUncounted")
  | ("unknownResource" | "resourceTooLarge")
>;

type RefusalOf<Kind extends Refusal["kind"]> = Extract<Refusal, { kind: Kind }>;

const PARTS_WHY = {
  sameSite: "two of them are at the same site, or of the same store or link there",
  otherTime: "they do not begin and end together",
  none: "there are none",
} as const;

/** The words for one of them. */
export function reservationRefusalText(refusal: ReservationRefusal): RefusalText {
  switch (refusal.kind) {
    case "unknownReservation":
      return {
        what: `there is no reservation ${refusal.reservation}`,
        why: "no offer or reservation that you may see has an id that begins so",
        remedy: "see `stint reservations --all` for those that are there",
      };
    case "wrongReservationState":
      return wrongStateText(refusal);
    case "partsUnfit":
      return {
        what: "these slots cannot be had together",
        why: PARTS_WHY[refusal.why],
        remedy: "name each once, as in `--at A:64 --at B:32 --at B/scratch=50G`, with one start and duration",
      };
    case "siteReservesNothing":
      return {
        what: `${refusal.site} reserves nothing now`,
        why: refusal.why,
        remedy: "choose another site; `stint quote` asks all of them",
      };
    case "offerLapsed":
      return {
        what: `offer ${refusal.reservation} stands no more`,
        why: `it stood until ${utcText(refusal.expiredAtMs)}, and was not accepted by then`,
        remedy: "make a new one with `stint quote --keep`, or choose and accept at once with `stint reserve`",
      };
    case "accountShort":
      return accountShortText(refusal);
    case "delayCostOverBudget":
      return delayCostText(refusal);
    case "priceUncounted":
      return {
        what: `${refusal.site} cannot price ${sizeOf(refusal)}`,
        why: UNCOUNTED,
        remedy: "ask for less, or for less time",
      };
    case "unknownResource":
      return unknownResourceText(refusal);
    case "resourceTooLarge":
      return {
        what: `${refusal.site} has no slot of ${resourceText(refusal.resource)}`,
        why: `it has ${resourceAmountText({ ...refusal.resource, amount: refusal.most })} in all`,
        remedy: "ask for no more than that, or at another site",
      };
    case "extensionDearer":
      return {
        what: "more time costs more than you allow",
        why:
          `its fixed part is ${suText(refusal.fixedProcMs)}, ` +
          `and you allow ${suText(refusal.mostFixedProcMs)}`,
        remedy: "allow more with --most, or ask for less time",
      };
    case "notInReservation":
      return {
        what: `the job cannot be in reservation ${refusal.reservation}`,
        why: whyMisfit[refusal.why],
        remedy:
          "see `stint reservations` for yours, or leave the reservation out to queue like any other job",
      };
    default:
      return slotText(refusal);
  }
}

function slotText(
  refusal: RefusalOf<"slotInvalid" | "slotTooWide" | "slotTaken" | "mayNotReserveSlot">,
): RefusalText {
  switch (refusal.kind) {
    case "slotInvalid":
      return {
        what: `${refusal.field} cannot be ${refusal.value}`,
        why: "amounts are whole numbers above zero, as large as can be counted exactly",
        remedy: "ask for at least one processor and a second, and for no more than there can be",
      };
    case "slotTooWide":
      return {
        what: `${refusal.site} has no slot of ${counted(refusal.procs, "processor")}`,
        why: `it has ${counted(refusal.most, "processor")} in all`,
        remedy: "ask for no more than that, or at another site",
      };
    case "slotTaken":
      return {
        what: `the slot at ${refusal.site} cannot be had`,
        why: "running jobs or other reservations are in the way, or it would begin in the past",
        remedy:
          refusal.earliestMs === null
            ? "see `stint quote` for what can be had, or ask for less"
            : `the earliest from there on begins at ${utcText(refusal.earliestMs)}; see \`stint quote\``,
      };
    case "mayNotReserveSlot":
      return {
        what: `${refusal.site} does not reserve this slot for you`,
        why: hindranceText(refusal.hindrance),
        remedy: remedyOf(refusal.hindrance),
      };
    default:
      return unreachable(refusal);
  }
}

const pastOf: Readonly<Record<ReservationVerb, string>> = {
  accept: "accepted",
  cancel: "cancelled",
  relinquish: "relinquished",
  extend: "extended",
};

function wrongStateText(refusal: RefusalOf<"wrongReservationState">): RefusalText {
  const { reservation, verb, state, allowedIn } = refusal;
  return {
    what: `reservation ${reservation} cannot be ${pastOf[verb]}`,
    why: `it is ${state}, and ${verb} is for those that are ${some(allowedIn, "or")}`,
    remedy: insteadOf(refusal),
  };
}

/** What was likely meant. */
function insteadOf({ reservation, verb, state }: RefusalOf<"wrongReservationState">): string {
  if (verb === "cancel" && state === "ACTIVE") {
    return `give back what is left of it: \`stint relinquish ${reservation}\``;
  }
  if (verb === "relinquish" && (state === "ACCEPTED" || state === "OFFERED")) {
    return `cancel it, as it has not begun: \`stint unreserve ${reservation}\``;
  }
  return `see \`stint reservations ${reservation}\` for what became of it`;
}

function accountShortText(refusal: RefusalOf<"accountShort">): RefusalText {
  const { site, consumer, balanceProcMs, neededProcMs } = refusal;
  const short = suText(neededProcMs - balanceProcMs);
  return {
    what: `the account of ${consumer} at ${site} cannot cover it`,
    why: `it has ${suText(balanceProcMs)} and ${suText(neededProcMs)} are needed: ${short} are short`,
    remedy: "ask for less or for a cheaper start, or ask the site's administrator for a grant",
  };
}

const whyMisfit: Readonly<Record<ReservationMisfit, string>> = {
  unknown: "there is no such reservation",
  over: "it is over, or was never accepted",
  notYours: "it is another's",
  tooWide: "the job asks for more than is reserved",
  otherTime: "it does not hold what is wanted from its start to its end",
  together: "it is had together with others, of which none can be given up alone",
  otherSite: "the job names another site than the one it is at",
};

const UNCOUNTED = "what it would cost is more than can be counted exactly, which is 2.5 billion SU";

function sizeOf({
  procs,
  resource,
  durationMs,
}: Pick<WantedSlot, "procs" | "resource" | "durationMs">): string {
  const what = resource === undefined ? counted(procs, "processor") : resourceText(resource);
  return `${what} for ${roughTimeText(durationMs)}`;
}

/** One that is of the other kind was most likely asked for in the wrong unit. */
function unknownResourceText(refusal: RefusalOf<"unknownResource">): RefusalText {
  const { site, resource, stores, links } = refusal;
  const { kind, name } = resource;
  const [others, other] = kind === "store" ? ([links, "link"] as const) : ([stores, "store"] as const);
  const there = kind === "store" ? stores : links;
  const example = kind === "store" ? `--at ${site}/${name}=100Mbit/s` : `--at ${site}/${name}=50G`;
  const isOther = others.includes(name);
  const has = there.length === 0 ? `it has no ${kind}s` : `its ${kind}s are ${some(there)}`;
  return {
    what: `${site} has no ${kind} ${name}`,
    why: isOther ? `${name} is a ${other}` : has,
    remedy: isOther
      ? `ask for a part of the ${other}, as in \`${example}\``
      : "name one of these, or see `stint site list -o json` for what sites have",
  };
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

function remedyOf(hindrance: ReservationHindrance): string {
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

/** What a slot would do to those who wait: `delays 14 queued jobs by 3.2 h in total, …`. */
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
