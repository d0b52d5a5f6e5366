/**
 * Pilots: jobs in the queue of a cluster that run other jobs, their payloads, for as long as their time lasts
 * ([WMS] slides 104 to 112). A payload is bound to a pilot that runs, not before.
 */
import { counted, utcText } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import { type IdentityRefusal, type IdentityRules, identityRefusalText } from "../identity.ts";

/** What pilots of a site ask for, and how many there may be. */
export interface PilotRules {
  /** Largest number of pilots in the queue or running. */
  readonly max: number;
  readonly procs: number;
  /** Absent: the share of the site's memory that its processors have. */
  readonly memoryBytes?: number;
  /** Absent: none. */
  readonly gpus?: number;
  readonly wallTimeMs: number;
  /** How long a pilot waits for a payload before it ends. */
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
  /** No payload for as long as it may wait. */
  | "idle"
  /** A signal from its site. */
  | "signal"
  | "request";

/** A pilot. Unix ms. */
export interface PilotRecord extends PilotSize {
  /** The job that it is. */
  readonly job: string;
  readonly site: string;
  readonly submittedAtMs: number;
  /** WAITING: in the queue of its site; ENDED: its job is over. */
  readonly state: "WAITING" | "RUNNING" | "DRAINING" | "ENDED";
  readonly node: string | null;
  /** From when on it could take a payload; null before. */
  readonly openedAtMs: number | null;
  /** End of its time; null before it runs. */
  readonly untilMs: number | null;
  /** Since when it has no payload; null while it has one, and before it runs. */
  readonly quietSinceMs: number | null;
  /** Payloads that it was given. */
  readonly taken: number;
  /** Payloads that came to their end in it, whatever their exit codes; absent: none. */
  readonly finished?: number;
  readonly drained: PilotDrain | null;
  readonly endedAtMs: number | null;
}

/** Experience with the pilots of a site. */
export interface PilotFactory {
  readonly site: string;
  /** Pilots in a row in which no payload came to its end. */
  readonly fruitless: number;
  /** No pilot is submitted before this instant. */
  readonly notBeforeMs: number;
}

/** Time that a pilot keeps for itself at its end: for reports, and for the signals of its site. */
export const PILOT_MARGIN_MS = 15_000;

interface PilotsTypes {
  readonly command: /** A pilot runs, and advertises the resources that it was given. */
    | ({
        readonly kind: "openPilot";
        readonly pilot: string;
        readonly node: string;
      } & PilotSize)
    | { readonly kind: "drainPilot"; readonly pilot: string; readonly why: PilotDrain };
  readonly event:
    | ({ readonly kind: "pilotSubmitted"; readonly pilot: string; readonly site: string } & PilotSize)
    | ({
        readonly kind: "pilotOpened";
        readonly pilot: string;
        readonly node: string;
        readonly untilMs: number;
      } & PilotSize)
    | { readonly kind: "pilotDrained"; readonly pilot: string; readonly why: PilotDrain }
    /** A pilot that ended long ago is dropped; its events stay in the log. */
    | { readonly kind: "pilotForgotten"; readonly pilot: string };
  readonly refusal:
    | { readonly kind: "unknownPilot"; readonly pilot: string }
    | {
        readonly kind: "jobInPilot";
        readonly job: string;
        readonly pilot: string;
        readonly verb: "hold" | "suspend";
      };
  readonly books: { readonly pilots: PilotRecord; readonly pilotFactories: PilotFactory };
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
  events: { pilotSubmitted: 1, pilotOpened: 1, pilotDrained: 1, pilotForgotten: 1 },
  refusals: {
    unknownPilot: {
      status: 404,
      text: ({ pilot }) => ({
        what: `there is no pilot ${pilot}`,
        why: "no pilot of this broker has this id, or it ended more than a day ago",
        remedy: "list the pilots: `stint pilot list`",
      }),
    },
    jobInPilot: {
      status: 409,
      text: ({ job, pilot, verb }) => ({
        what: `job ${job} cannot be ${verb === "hold" ? "held" : "suspended"}`,
        why: `it was given to pilot ${pilot}, whose time goes on`,
        remedy: `cancel it: \`stint cancel ${job}\``,
      }),
    },
  },
  books: { pilots: ({ job }) => job, pilotFactories: ({ site }) => site },
  actions: {
    drainPilot: { may: { admin: "all", operator: "all", siteAdmin: "site" } },
  },
  causes: {
    pilotAwaited: ({ site, waiting, running, most, nextAtMs }) => {
      const there = `${counted(running, "pilot")} running, ${waiting} in the queue, at most ${most}`;
      const pause =
        nextAtMs === undefined
          ? ""
          : `; the last pilots ran no job, so no other is submitted before ${utcText(nextAtMs)}`;
      return `no pilot at ${site} has room for it and enough time left (${there})${pause}`;
    },
    identityRefused: (cause) => `${cause.site} does not run it: ${identityRefusalText(cause)}`,
    inPilot: ({ site, pilot }) => `at ${site} it was given to pilot ${pilot}`,
  },
};
