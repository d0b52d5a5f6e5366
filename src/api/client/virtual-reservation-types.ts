/**
 * What a program sees, through the client, of virtual reservations: jobs that are submitted early enough to
 * run from a wanted instant on.
 */
import type { HindranceView, Keyed } from "./reservation-types.ts";
import type { ForecastView, JobSubmission, JobView, ProspectView } from "./types.ts";

/** A slot that is wanted. */
export interface VirtualReservationQuoteRequest {
  readonly procs: number;
  /** In all; none in particular where absent. */
  readonly memoryBytes?: number;
  readonly durationSec: number;
  /** ISO 8601; taken as the next whole second. */
  readonly startAt: string;
  /** These alone; all where absent. */
  readonly sites?: readonly string[];
  /** From 0 to 1: submitted at the last moment that is so sure; the surest where absent. */
  readonly enough?: number;
}

/** When its job would be submitted, and what comes of it. */
export interface VirtualReservationPlanView {
  readonly submitAt: string;
  /** The limit that its job has: it lasts until the slot's end, however early it starts. */
  readonly wallTimeSec: number;
  /** That it has started by then, at least; from past waits. */
  readonly probability: number;
  /** It holds its processors idle until then: for no more than this. */
  readonly mostIdleSu: number;
  readonly mostIdleProcMs: number;
  readonly method: "history";
  /** Whose waits it rests on, and how many. */
  readonly source: { readonly level: "class" | "queue" | "site"; readonly waits: number };
  readonly score: ForecastView["score"];
  readonly hasBeenWrong: boolean;
}

/** What a site could do; where there is no plan, one of the others says why. */
export interface VirtualReservationSiteView
  extends Pick<ProspectView, "site" | "partition" | "takesJobs" | "trouble"> {
  readonly refusal: ProspectView["refusal"];
  readonly hindrance: HindranceView | null;
  /** So many waits or forecasts are known, of so many that are needed. */
  readonly noRecord: { readonly settled: number; readonly needed: number } | null;
  readonly plan: VirtualReservationPlanView | null;
}

/** The answer, a site each. */
export interface VirtualReservationQuoteView {
  readonly items: readonly VirtualReservationSiteView[];
  /** The surest, of equal ones the one that can idle least; null where there is none. */
  readonly chosen: { readonly site: string } | null;
}

/** A job that is to begin its program at an instant. */
export interface VirtualReservationRequest
  extends Omit<VirtualReservationQuoteRequest, "procs" | "memoryBytes">,
    Omit<JobSubmission, "wallTimeMs" | "site" | "reservation" | "gpus"> {
  /** A priced reservation of the caller, of this time, that stands in: one of the two is given up. */
  readonly besides?: string;
}

/** The client's calls about them. */
export interface VirtualReservationCalls {
  /** When its job would be submitted, and how surely it runs then; nothing is recorded. */
  quoteVirtualReservation(request: VirtualReservationQuoteRequest): Promise<VirtualReservationQuoteView>;
  /** Makes one, at the site that a quote would choose. */
  reserveVirtually(request: VirtualReservationRequest, options?: Keyed): Promise<JobView>;
}
