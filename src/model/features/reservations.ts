/**
 * Slots that are offered, reserved, extended and given up, and the accounts that pay for them.
 */
import { counted, some, suText, utcText } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import { hindranceRemedy, hindranceText, sizeOf, UNCOUNTED } from "../hindrance-text.ts";
import type { RefusalText } from "../problem-text.ts";
import type {
  PostingKind,
  PostingRecord,
  ReservationHindrance,
  ReservationState,
  WantedSlot,
} from "../reservation.ts";
import type { ReservationFact } from "../reservation-event.ts";
import { resourceAmountText, resourceText, type SlotResource } from "../slot-resource.ts";
import type { PresentedTicket } from "../ticket.ts";

/** A slot to be reserved. */
export interface OfferRequest extends WantedSlot {
  readonly reservation: string;
  readonly site: string;
  readonly consumer: string;
  readonly owner: string;
  /** The ticket that it is wanted under, whose signature was found right. */
  readonly ticket?: PresentedTicket;
}

/** More time for a reservation that is not over. */
interface ExtensionRequest {
  readonly reservation: string;
  readonly moreMs: number;
  readonly by: string;
  /** Highest acceptable f; a dearer reservation is not made. */
  readonly mostFixedProcMs: number;
}

/** Operations on an existing offer or reservation. */
export type ReservationVerb = "accept" | "cancel" | "relinquish" | "extend";

/** Why a job cannot be in a reservation. */
export type ReservationMisfit =
  | ("unknown" | "over" | "notYours" | "tooWide" | "gpusNotReserved" | "otherSite")
  /** For a reservation that replaces a virtual one: it has another time, or is part of a co-reservation. */
  | ("otherTime" | "together");

interface ReservationsTypes {
  readonly command: /** Holds a slot for a short time, at its current price. */
    | ({ readonly kind: "offerSlot" } & OfferRequest)
    /** Holds slots at several sites at the same time: all of them, or none. */
    | { readonly kind: "offerTogether"; readonly together: string; readonly parts: readonly OfferRequest[] }
    | { readonly kind: "acceptOffer"; readonly reservation: string; readonly by: string }
    /** An offer is withdrawn; a reservation that has not begun is cancelled, with its penalty. */
    | { readonly kind: "cancelReservation"; readonly reservation: string; readonly by: string }
    /** An active reservation is given up; what is left of it is given back, less the penalty. */
    | { readonly kind: "relinquish"; readonly reservation: string; readonly by: string }
    | ({ readonly kind: "extendReservation" } & ExtensionRequest)
    /** Gives a consumer SU at a site, or (negative) takes back what was given. */
    | {
        readonly kind: "grant";
        readonly grant: string;
        readonly site: string;
        readonly consumer: string;
        readonly procMs: number;
        readonly by: string;
      };
  readonly event:
    | ReservationFact
    /** Money moved at a site. */
    | ({ readonly kind: "posted" } & Omit<PostingRecord, "atMs" | "kind"> & { readonly what: PostingKind });
  readonly refusal: ReservationsRefusal;
}

type ReservationsRefusal =
  | { readonly kind: "unknownReservation"; readonly reservation: string }
  /** The verb does not apply to an offer or a reservation in this state. */
  | {
      readonly kind: "wrongReservationState";
      readonly reservation: string;
      readonly verb: ReservationVerb;
      readonly state: ReservationState;
      readonly allowedIn: readonly ReservationState[];
    }
  /** A number that can be none: of processors, of time, of money. */
  | { readonly kind: "slotInvalid"; readonly field: string; readonly value: number }
  /** What so many processors would cost for so long passes what can be counted exactly. */
  | {
      readonly kind: "priceUncounted";
      readonly site: string;
      readonly procs: number;
      readonly durationMs: number;
      readonly resource?: SlotResource;
    }
  /** The site has no store, or link, of this name. */
  | {
      readonly kind: "unknownResource";
      readonly site: string;
      readonly resource: Pick<SlotResource, "kind" | "name">;
      readonly stores: readonly string[];
      readonly links: readonly string[];
    }
  | {
      readonly kind: "resourceTooLarge";
      readonly site: string;
      readonly resource: SlotResource;
      readonly most: number;
    }
  | { readonly kind: "slotTooWide"; readonly site: string; readonly procs: number; readonly most: number }
  /** The site never has so many GPUs. */
  | { readonly kind: "slotGpusTooMany"; readonly site: string; readonly gpus: number; readonly most: number }
  /** Running jobs or other reservations are in the way; the earliest start from there on, if there is one. */
  | { readonly kind: "slotTaken"; readonly site: string; readonly earliestMs: number | null }
  | { readonly kind: "mayNotReserveSlot"; readonly site: string; readonly hindrance: ReservationHindrance }
  /** A site that is not open, or that cannot keep anything free for us. */
  | { readonly kind: "siteReservesNothing"; readonly site: string; readonly why: string }
  | { readonly kind: "offerLapsed"; readonly reservation: string; readonly expiredAtMs: number }
  | {
      readonly kind: "accountShort";
      readonly site: string;
      readonly consumer: string;
      readonly balanceProcMs: number;
      readonly neededProcMs: number;
    }
  /** Parts of one that are not at different sites at the same time. */
  | { readonly kind: "partsUnfit"; readonly why: "sameSite" | "otherTime" | "none" }
  | { readonly kind: "extensionDearer"; readonly fixedProcMs: number; readonly mostFixedProcMs: number }
  /** A job that cannot be in the reservation that it names. */
  | { readonly kind: "notInReservation"; readonly reservation: string; readonly why: ReservationMisfit };

type RefusalOf<Kind extends ReservationsRefusal["kind"]> = Extract<ReservationsRefusal, { kind: Kind }>;

const PARTS_WHY = {
  sameSite: "two of the slots are at the same site, or use the same store or link there",
  otherTime: "they do not begin and end together",
  none: "there are none",
} as const;

export const reservations: FeatureModel<ReservationsTypes> = {
  events: {
    ...{ slotOffered: 1, offerAccepted: 1, offerLapsed: 1, offerWithdrawn: 1 },
    ...{ reservationMade: 1, reservationBegan: 1, reservationFulfilled: 1, reservationCancelled: 1 },
    ...{ reservationRelinquished: 1, reservationExtended: 1, extensionRefused: 1, reservationDebited: 1 },
    ...{ reservationViolated: 1, reservationSettled: 1, posted: 1 },
  },
  refusals: {
    unknownReservation: {
      status: 404,
      text: ({ reservation }) => ({
        what: `there is no reservation ${reservation}`,
        why: "no offer or reservation visible to you has an id with this prefix",
        remedy: "`stint reservations --all` lists them",
      }),
    },
    wrongReservationState: { status: 409, text: wrongStateText },
    slotInvalid: {
      status: 422,
      text: ({ field, value }) => ({
        what: `${field} cannot be ${value}`,
        why: "an amount is a whole number from 1 to 9007199254740991",
        remedy: "request at least one processor for one second, and no more than the site can have",
      }),
    },
    priceUncounted: {
      status: 422,
      text: (refusal) => ({
        what: `${refusal.site} cannot price ${sizeOf(refusal)}`,
        why: UNCOUNTED,
        remedy: "request less, or less time",
      }),
    },
    unknownResource: { status: 422, text: unknownResourceText },
    resourceTooLarge: {
      status: 422,
      text: ({ site, resource, most }) => ({
        what: `${site} has no slot of ${resourceText(resource)}`,
        why: `it has ${resourceAmountText({ ...resource, amount: most })} in all`,
        remedy: "request no more than that, or choose another site",
      }),
    },
    slotTooWide: {
      status: 422,
      text: ({ site, procs, most }) => ({
        what: `${site} has no slot of ${counted(procs, "processor")}`,
        why: `it has ${counted(most, "processor")} in all`,
        remedy: "request no more than that, or choose another site",
      }),
    },
    slotGpusTooMany: {
      status: 422,
      text: ({ site, gpus, most }) => ({
        what: `${site} has no slot with ${counted(gpus, "GPU")}`,
        why: most === 0 ? "it has no GPUs" : `it has ${counted(most, "GPU")} in all`,
        remedy:
          "request no more than that, or choose another site; `stint site list -o wide` shows their GPUs",
      }),
    },
    slotTaken: {
      status: 409,
      text: ({ site, earliestMs }) => ({
        what: `the slot at ${site} is not available`,
        why: "running jobs or other reservations occupy it, or its start is in the past",
        remedy:
          earliestMs === null
            ? "`stint quote` lists available slots; or request less"
            : `the next one begins at ${utcText(earliestMs)}; \`stint quote\` lists all`,
      }),
    },
    mayNotReserveSlot: {
      status: 403,
      text: ({ site, hindrance }) => ({
        what: `${site} does not reserve this slot for you`,
        why: hindranceText(hindrance),
        remedy: hindranceRemedy(hindrance),
      }),
    },
    siteReservesNothing: {
      status: 409,
      text: ({ site, why }) => ({
        what: `${site} reserves nothing now`,
        why,
        remedy: "choose another site; `stint quote` shows all",
      }),
    },
    offerLapsed: {
      status: 409,
      text: ({ reservation, expiredAtMs }) => ({
        what: `offer ${reservation} is no longer valid`,
        why: `it expired at ${utcText(expiredAtMs)} without being accepted`,
        remedy:
          "make a new one with `stint quote --keep`, or choose and accept one in a single step with `stint " +
          "reserve`",
      }),
    },
    accountShort: { status: 402, text: accountShortText },
    partsUnfit: {
      status: 422,
      text: ({ why }) => ({
        what: "these slots cannot be combined",
        why: PARTS_WHY[why],
        remedy:
          "give each one once, as in `--at A:64 --at B:32 --at B/scratch=50G`, with one start and duration",
      }),
    },
    extensionDearer: {
      status: 409,
      text: ({ fixedProcMs, mostFixedProcMs }) => ({
        what: "the extension costs more than your limit",
        why: `its fixed price is ${suText(fixedProcMs)}, and your limit is ${suText(mostFixedProcMs)}`,
        remedy: "raise the limit with --most, or request less time",
      }),
    },
    notInReservation: {
      status: 422,
      text: ({ reservation, why }) => ({
        what: `the job cannot be in reservation ${reservation}`,
        why: whyMisfit[why],
        remedy: "see `stint reservations` for yours, or omit the reservation to queue like any other job",
      }),
    },
  },
};

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
    why: `it is ${state}, and ${verb} applies only to those that are ${some(allowedIn, "or")}`,
    remedy: insteadOf(refusal),
  };
}

/** The probably intended operation. */
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
    why: `its balance is ${suText(balanceProcMs)}, and ${suText(neededProcMs)} are needed: ${short} too few`,
    remedy: "request less or a cheaper start, or ask the site's administrator for a grant",
  };
}

const whyMisfit: Readonly<Record<ReservationMisfit, string>> = {
  unknown: "there is no such reservation",
  over: "it has ended, or was never accepted",
  notYours: "it is another's",
  tooWide: "the job asks for more than is reserved",
  gpusNotReserved: "the job asks for GPUs, and the reservation has none",
  otherTime: "it does not hold these resources for the whole time",
  together: "it belongs to a co-reservation, whose slots can only be ended together",
  otherSite: "the job names another site than the one it is at",
};

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
      ? `request a part of the ${other}, as in \`${example}\``
      : "name one of these, or see `stint site list -o json` for what sites have",
  };
}
