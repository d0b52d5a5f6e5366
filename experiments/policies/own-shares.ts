/**
 * Batch systems that know shares: the policies of the source as their own configuration (20 to 80).
 */
import type { CondorRules, MauiRules, PriorityRules, SlurmRules } from "../../src/model/index.ts";

const EPOCH_MS = 3_000_000;

const none = { user: 0, group: 0, queue: 0 };

const maui: MauiRules = {
  kind: "maui",
  weights: { credential: 0, fairShare: 1_000, service: 1, resource: 0 },
  parts: {
    credential: none,
    fairShare: { ...none, group: 1 },
    service: { queueTime: 1, xFactor: 0 },
    resource: { procs: 0, wallTime: 0, procSeconds: 0 },
  },
  caps: {},
  intervalMs: EPOCH_MS,
  depth: 1,
  decay: 1,
  users: {},
  groups: {
    vo0: { priority: 0, target: { percent: 20, kind: "target" } },
    vo1: { priority: 0, target: { percent: 80, kind: "target" } },
  },
  queues: {},
};

/** The smaller the factor, the more: four times as much for the second. */
const condor: CondorRules = {
  kind: "condor",
  halfLifeMs: EPOCH_MS,
  factor: 1,
  users: { vo0: { factor: 4 }, vo1: { factor: 1 } },
};

const slurm: SlurmRules = {
  kind: "slurm",
  weights: { age: 1, fairShare: 10_000, jobSize: 0, partition: 0, qos: 0 },
  maxAgeMs: EPOCH_MS,
  halfLifeMs: EPOCH_MS,
  calcPeriodMs: 30_000,
  fairShare: "fairTree",
  favour: "large",
  accounts: { vo0: { shares: 20 }, vo1: { shares: 80 } },
  users: {},
  queues: {},
  partitions: {},
};

/** By the name under which they are shown. */
export const OWN_SHARES = {
  "Maui-like": maui,
  "Condor-like": condor,
  "Slurm-like": slurm,
} as const satisfies Record<string, PriorityRules>;
