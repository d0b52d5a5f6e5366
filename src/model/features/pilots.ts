/**
 * Pilots: jobs in the queue of a cluster that run other jobs, their payloads, within their own time limit
 * ([WMS] slides 104 to 112). A payload is assigned to a pilot only while the pilot runs.
 */
import { counted, utcText } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import {
  type AccountLease,
  type IdentityRefusal,
  type IdentityRules,
  identityRefusalText,
} from "../identity.ts";

/** Size and maximum number of the pilots of a site. */
export interface PilotRules {
  /** Maximum number of pilots that are queued or running. */
  readonly max: number;
  readonly procs: number;
  /** Memory of each pilot; absent: what the cluster gives a job with these processors. */
  readonly memoryBytes?: number;
  /** GPUs of each pilot; absent: none. */
  readonly gpus?: number;
  readonly wallTimeMs: number;
  /** Time for which a pilot without payloads waits for one before it ends. */
  readonly idleMs: number;
  /** The consumer in whose name pilots are submitted. */
  readonly consumer: string;
  /** Accounts under which payloads run; absent: that of the pilot, unchecked. */
  readonly identity?: IdentityRules;
}

/** Resources of a pilot. */
export interface PilotSize {
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

/** Why a pilot takes no more payloads. */
type PilotDrain =
  /** The pilot had no payload for longer than `idleMs`. */
  | "idle"
  /** The pilot received a signal from its site. */
  | "signal"
  | "request";

/** Resources that a pilot claimed. */
interface PilotClaim {
  /** Present if the pilot claimed more of a resource than was requested: it has what was requested. */
  readonly claimed?: PilotSize;
}

/** A pilot. Unix ms. */
export interface PilotRecord extends PilotSize, PilotClaim {
  /** Id of the pilot's own job. */
  readonly job: string;
  readonly site: string;
  /** The job whose replica it is: it runs that job alone, if it gets the grant; absent: any jobs. */
  readonly replicaOf?: string;
  readonly submittedAtMs: number;
  /** WAITING: in the queue of the site; DRAINING: takes no more payloads; ENDED: the job has ended. */
  readonly state: "WAITING" | "RUNNING" | "DRAINING" | "ENDED";
  readonly node: string | null;
  /** Start, from which on the pilot takes payloads; null before. */
  readonly openedAtMs: number | null;
  /** End of the pilot's time limit; null before the start. */
  readonly untilMs: number | null;
  /** Instant since when the pilot has no payload; null while it has one, and before the start. */
  readonly quietSinceMs: number | null;
  /** Number of payloads assigned to the pilot so far. */
  readonly taken: number;
  /** Number of payloads that finished in the pilot, with any exit code; absent: none. */
  readonly finished?: number;
  readonly drained: PilotDrain | null;
  readonly endedAtMs: number | null;
}

/** Delay before the next pilot of a site, from the outcome of the latest ones. */
export interface PilotFactory {
  readonly site: string;
  /** Number of latest pilots in a row in which no payload finished. */
  readonly fruitless: number;
  /** No pilot is submitted before this instant. */
  readonly notBeforeMs: number;
}

/** Latest runtimes of jobs in the pilots of a site, of one owner, program and number of processors. */
export interface PayloadRuntimes {
  readonly key: string;
  /** In order of their ends, oldest first. */
  readonly runtimesMs: readonly number[];
}

/** Time at the end of a pilot in which no payload may run: for reports and signals from the site. */
export const PILOT_MARGIN_MS = 15_000;

interface PilotsTypes {
  readonly command: /** Reports that a pilot runs, with the resources that the cluster gave it. */
    | ({
        readonly kind: "openPilot";
        readonly pilot: string;
        readonly node: string;
      } & PilotSize)
    | { readonly kind: "drainPilot"; readonly pilot: string; readonly why: PilotDrain };
  readonly event:
    | ({
        readonly kind: "pilotSubmitted";
        readonly pilot: string;
        readonly site: string;
        readonly replicaOf?: string;
      } & PilotSize)
    | ({
        readonly kind: "pilotOpened";
        readonly pilot: string;
        readonly node: string;
        readonly untilMs: number;
      } & PilotSize &
        PilotClaim)
    | { readonly kind: "pilotDrained"; readonly pilot: string; readonly why: PilotDrain }
    /** Takes back a job that its pilot has not begun: the site would not give it to a pilot now. */
    | {
        readonly kind: "payloadRecalled";
        readonly job: string;
        readonly pilot: string;
        readonly why: "policies" | "identity";
      }
    /** Removes a pilot that ended long ago from the state; its events stay in the log. */
    | { readonly kind: "pilotForgotten"; readonly pilot: string };
  readonly refusal: { readonly kind: "unknownPilot"; readonly pilot: string };
  readonly books: {
    readonly pilots: PilotRecord;
    readonly pilotFactories: PilotFactory;
    readonly payloadRuntimes: PayloadRuntimes;
    readonly accountLeases: AccountLease;
  };
  readonly action: "drainPilot";
  readonly cause:
    | {
        readonly kind: "pilotAwaited";
        readonly site: string;
        readonly waiting: number;
        readonly running: number;
        readonly most: number;
        /** No pilot is submitted before this instant; absent: one may be. */
        readonly nextAtMs?: number;
      }
    | { readonly kind: "inPilot"; readonly pilot: string; readonly site: string }
    | ({ readonly kind: "identityRefused"; readonly site: string } & IdentityRefusal);
}

export const pilots: FeatureModel<PilotsTypes> = {
  events: { pilotSubmitted: 1, pilotOpened: 1, pilotDrained: 1, payloadRecalled: 1, pilotForgotten: 1 },
  refusals: {
    unknownPilot: {
      status: 404,
      text: ({ pilot }) => ({
        what: `there is no pilot ${pilot}`,
        why: "no pilot of this broker has this id, or it ended more than a day ago",
        remedy: "list the pilots: `stint pilot list`",
      }),
    },
  },
  books: {
    ...{ pilots: ({ job }) => job, pilotFactories: ({ site }) => site, payloadRuntimes: ({ key }) => key },
    accountLeases: ({ site, account }) => `${site}/${account}`,
  },
  actions: {
    drainPilot: { may: { admin: "all", operator: "all", siteAdmin: "site" } },
  },
  causes: {
    pilotAwaited: ({ site, waiting, running, most, nextAtMs }) => {
      const there = `${counted(running, "pilot")} running, ${waiting} in the queue, at most ${most}`;
      const pause =
        nextAtMs === undefined
          ? ""
          : `; no job finished in the latest pilots; next pilot after ${utcText(nextAtMs)}`;
      return `no pilot at ${site} has enough room and time left for it (${there})${pause}`;
    },
    identityRefused: (cause) => `${cause.site} does not run it: ${identityRefusalText(cause)}`,
    inPilot: ({ site, pilot }) => `at ${site} it is assigned to pilot ${pilot}`,
  },
};
