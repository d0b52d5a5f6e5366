/**
 * Job priority in the manner of Slurm's priority/multifactor plugin.
 *
 * Equivalent to the published description [SLURM-MF]: priority = Σ weight × factor − nice, a whole
 * number ≥ 1, with the factors age, fair share, job size, partition and QOS, computed anew at every
 * multiple of the calculation period; a job gets its first priority when the scheduler first considers
 * it. It differs in these ways: past use decays continuously, not period by period; a reordered queue is
 * considered at the next arrival or end; associations are those that have submitted so
 * far, and their jobs count for use from start to end, not by time limit; the size of a job is its
 * processors; there are no association, TRES or site factors, and no tiers of partitions.
 */
import type { ByName, SlurmRules } from "../../model/index.ts";
import { setClassicFactors } from "./classic-share.ts";
import { setFairTreeFactors } from "./fair-tree.ts";
import type { OwnedJob, PriorityScheme } from "./scheme.ts";
import { createShareTree } from "./share-tree.ts";

/** The factors of a job's priority, 0 … 1 each. */
export interface SlurmFactors {
  readonly age: number;
  readonly fairShare: number;
  readonly jobSize: number;
  readonly partition: number;
  readonly qos: number;
}

/** The largest priority: that of 32 bits without sign. */
const MOST = 2 ** 32 - 1;

/** The scheme of these rules on a machine of `procs` processors. */
export function slurmScheme(rules: SlurmRules, procs: number): PriorityScheme {
  const tree = createShareTree(rules);
  const { calcPeriodMs } = rules;
  const partitionFactor = normalised(rules.partitions);
  const qosFactor = normalised(rules.queues);
  let calculatedAtMs = 0;
  /** True where the factors are those of the last reading of use and of all known users. */
  let areFactorsReady = false;

  /** Must come before any change at an instant: use is read as of the last multiple of the period. */
  function calculateWhenDue(nowMs: number): void {
    const dueMs = Math.floor(nowMs / calcPeriodMs) * calcPeriodMs;
    if (dueMs <= calculatedAtMs) return;
    calculatedAtMs = dueMs;
    tree.readShares(dueMs);
    areFactorsReady = false;
  }

  function makeFactorsReady(): void {
    if (areFactorsReady) return;
    areFactorsReady = true;
    if (rules.fairShare === "classic") setClassicFactors(tree.look());
    else setFairTreeFactors(tree.look(), tree.users());
  }

  function priority(job: OwnedJob): number {
    const { owner } = job;
    const factors: SlurmFactors = {
      age: ageFactor(Math.max(0, calculatedAtMs - job.arrivedAtMs), rules),
      fairShare: tree.place(owner).factor,
      jobSize: sizeFactor(job, rules, procs),
      partition: partitionFactor(owner.partition),
      qos: qosFactor(owner.queue),
    };
    return slurmPriority(factors, rules, rules.users[owner.user]?.nice ?? 0);
  }

  return {
    // Somebody new has used nothing; of the others' use, what was read last still holds.
    known: (owner) => {
      const before = tree.users();
      tree.place(owner);
      if (tree.users() !== before) areFactorsReady = false;
    },
    started: (owner, count, atMs) => {
      calculateWhenDue(atMs);
      tree.changeUse(owner, count, atMs);
    },
    ended: (owner, count, atMs) => {
      calculateWhenDue(atMs);
      tree.changeUse(owner, -count, atMs);
    },
    order: (waiting, { nowMs }) => {
      calculateWhenDue(nowMs);
      makeFactorsReady();
      return waiting.map(priority);
    },
  };
}

/** The weighted sum of the factors less nice: a whole number from 1 up. */
export function slurmPriority(factors: SlurmFactors, { weights }: SlurmRules, nice: number): number {
  const sum =
    weights.age * factors.age +
    weights.fairShare * factors.fairShare +
    weights.jobSize * factors.jobSize +
    weights.partition * factors.partition +
    weights.qos * factors.qos;
  return Math.min(MOST, Math.max(1, Math.floor(sum - nice)));
}

/** Waiting time ÷ `maxAgeMs`, at most 1. */
export function ageFactor(waitedMs: number, { maxAgeMs }: Pick<SlurmRules, "maxAgeMs">): number {
  return Math.min(1, waitedMs / maxAgeMs);
}

/** 1 for the whole machine, or, where the small are favoured, for one processor. */
export function sizeFactor(
  { need }: Pick<OwnedJob, "need">,
  { favour }: Pick<SlurmRules, "favour">,
  procs: number,
): number {
  return favour === "large" ? need[0] / procs : (procs - need[0] + 1) / procs;
}

/** Priorities relative to the highest of their kind. */
function normalised(priorities: ByName<number>): (name: string) => number {
  const highest = Math.max(0, ...Object.values(priorities));
  return (name) => (highest > 0 ? (priorities[name] ?? 0) / highest : 0);
}
