/** Messages between the broker and its prediction thread. */
import type { FaultFacts } from "../../base/index.ts";
import type {
  ClusterExplanation,
  PastJob,
  ResponseAnswer,
  SeenEvent,
  SiteShape,
  VirtualReservationAnswer,
  VirtualReservationQuestion,
  WhenAnswer,
  WhenQuestion,
} from "../../engine/index.ts";
import type { ClusterJob, ClusterSnapshot } from "../../model/index.ts";
import type { PromisedStart } from "../../predict/index.ts";

/** Tasks of the thread with their answers. Plain data. */
export interface Tasks {
  /** Forgets what was learnt of a site, and learns its past. */
  readonly past: {
    readonly asks: {
      readonly site: string;
      readonly shape: SiteShape;
      readonly jobs: readonly PastJob[];
      /** True for jobs of all users: only then the queue can be rebuilt from them. */
      readonly isWhole: boolean;
    };
    readonly answer: null;
  };
  /** Learns what has happened at a site. */
  readonly events: {
    readonly asks: { readonly site: string; readonly events: readonly SeenEvent[] };
    readonly answer: null;
  };
  /** A survey of a whole cluster: the cluster's schedule for new jobs, which are named. */
  readonly look: {
    readonly asks: {
      readonly site: string;
      readonly snapshot: ClusterSnapshot;
      readonly jobs: readonly FreshJob[];
    };
    readonly answer: null;
  };
  /** When a job would start. */
  readonly when: { readonly asks: AskedWhen; readonly answer: WhenAnswer };
  /** Response time of a job, as published by the site. */
  readonly respond: { readonly asks: AskedWhen; readonly answer: ResponseAnswer };
  /** Instant at which to submit a job that is to run at a given instant. */
  readonly virtual: { readonly asks: AskedVirtualReservation; readonly answer: VirtualReservationAnswer };
  /** Starts promised to jobs that wait, when they came, in the order of their names in events. */
  readonly promised: {
    readonly asks: { readonly site: string; readonly ids: readonly string[] };
    readonly answer: readonly (readonly PromisedStart[])[];
  };
  /** Why a job of a cluster waits; undefined where the look does not show it. */
  readonly explain: {
    readonly asks: { readonly snapshot: ClusterSnapshot; readonly siteJob: string };
    readonly answer: ClusterExplanation | undefined;
  };
  /** Everything that was learnt, as bytes; the thread is about to be ended. */
  readonly pack: { readonly asks: null; readonly answer: Uint8Array };
  /** Takes back what was packed. */
  readonly unpack: { readonly asks: Uint8Array; readonly answer: null };
}

/** A job that waits, by the site's name for it and by that of events. */
export interface FreshJob {
  readonly siteJob: string;
  readonly id: string;
}

/** A question, with the cluster where the site is one. */
export interface AskedWhen extends Pick<WhenQuestion, "facts" | "nowMs" | "state" | "deadlineMs"> {
  readonly site: string;
  readonly cluster: { readonly snapshot: ClusterSnapshot; readonly job: ClusterJob } | null;
  /** About how long the answer may take: what is left of it futures are simulated. */
  readonly answerMs: number;
}

/** A wanted slot at a site. */
export interface AskedVirtualReservation extends VirtualReservationQuestion {
  readonly site: string;
}

/** A task on its way to the thread. */
export type Asked = {
  readonly [Kind in keyof Tasks]: {
    readonly id: number;
    readonly kind: Kind;
    readonly asks: Tasks[Kind]["asks"];
  };
}[keyof Tasks];

/** Outcome of a task. */
export type Answered =
  | { readonly id: number; readonly ok: true; readonly value: Tasks[keyof Tasks]["answer"] }
  | { readonly id: number; readonly ok: false; readonly fault: FaultFacts };
