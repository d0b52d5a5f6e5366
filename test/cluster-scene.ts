/** Clusters for tests: small ones built from what matters, and the captured ones of the fixtures. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  featureRule,
  jobDependency,
  readAssociations,
  readNodes,
  readPartitions,
  readPriorities,
  readQos,
  readQueue,
  readReservations,
  readSettings,
  schedulingRules,
  waitReason,
} from "../src/formats/slurm/index.ts";
import type {
  ClusterJob,
  ClusterLimits,
  ClusterNode,
  ClusterPartition,
  ClusterQos,
  ClusterReservation,
  ClusterSnapshot,
} from "../src/model/index.ts";

const GIB = 1024 ** 3;
/** The instant of built snapshots. */
export const NOW_MS = 1_800_000_000_000;
/** A minute. */
export const MINUTE_MS = 60_000;

const none: ClusterLimits = { tres: {}, jobs: null, submittedJobs: null, wallMs: null };

/** A node of 4 processors, 8 GiB, idle. */
export function aNode(name: string, more: Partial<ClusterNode> = {}): ClusterNode {
  return {
    name,
    states: ["IDLE"],
    partitions: ["main"],
    procs: 4,
    threadsPerCore: 1,
    memoryBytes: 8 * GIB,
    gpus: {},
    features: [],
    allocatedProcs: 0,
    allocatedMemoryBytes: 0,
    allocatedGpus: 0,
    allocatedGpuTypes: null,
    weight: 1,
    reason: null,
    reasonSinceMs: null,
    bootedAtMs: null,
    ...more,
  };
}

/** A partition that takes everything. */
export function aPartition(name: string, nodes: readonly string[], more: Partial<ClusterPartition> = {}) {
  const everybody = { allowed: null, denied: [] };
  const made: ClusterPartition = {
    name,
    state: "UP",
    isDefault: name === "main",
    isHidden: false,
    nodes,
    maxTimeMs: null,
    defaultTimeMs: null,
    minNodes: 0,
    maxNodes: null,
    maxProcsPerNode: null,
    maxMemoryPerNodeBytes: null,
    maxMemoryPerProcBytes: null,
    defaultMemoryPerNodeBytes: null,
    defaultMemoryPerProcBytes: null,
    accounts: everybody,
    qosNames: everybody,
    groups: everybody,
    qos: null,
    priorityTier: 1,
    priorityFactor: 1,
    oversubscribe: "NO",
    isExclusiveUser: false,
    isReservationNeeded: false,
    isRootOnly: false,
    preemptMode: null,
    totalProcs: 0,
    ...more,
  };
  return made;
}

/** What may be said of a job; some of it in Slurm's words. */
export interface SaidOfJob extends Partial<Omit<ClusterJob, "dependency" | "features" | "waitsFor">> {
  readonly dependency?: string | null;
  readonly features?: string | null;
}

/** A job of one processor and half an hour that waits in `main`. */
export function aJob(siteJob: string, said: SaidOfJob = {}): ClusterJob {
  const { dependency = null, features = null, reason = null, ...more } = said;
  const state = more.state === undefined ? "waiting" : more.state;
  const isRunning = state === "running";
  const procs = more.procs ?? 1;
  return {
    siteJob,
    arrayJob: null,
    arrayTasks: null,
    count: 1,
    arrayLimit: null,
    name: "job",
    user: "ann",
    account: "physics",
    partitions: ["main"],
    qos: null,
    state,
    stateText: isRunning ? "RUNNING" : "PENDING",
    reason,
    waitsFor: reason === null ? null : waitReason(reason),
    priority: 100,
    priorityParts: null,
    nice: 0,
    submittedAtMs: NOW_MS - 10 * MINUTE_MS,
    eligibleAtMs: NOW_MS - 10 * MINUTE_MS,
    startedAtMs: isRunning ? NOW_MS - MINUTE_MS : null,
    expectedStartAtMs: null,
    expectedEndAtMs: isRunning ? NOW_MS + 29 * MINUTE_MS : null,
    limitMs: 30 * MINUTE_MS,
    ranMs: isRunning ? MINUTE_MS : 0,
    procs,
    nodeCount: 1,
    nodes: [],
    plannedNodes: [],
    tasks: procs,
    tasksPerNode: null,
    memoryBytes: null,
    memoryPerNodeBytes: null,
    memoryPerProcBytes: null,
    gpus: 0,
    tres: {},
    dependency: dependency === null ? null : jobDependency(dependency),
    reservation: null,
    features: features === null ? null : featureRule(features),
    isExclusive: false,
    restarts: 0,
    licenses: {},
    ...more,
  };
}

/** A QOS without limits. */
export function aQos(name: string, more: Partial<ClusterQos> = {}): ClusterQos {
  return {
    name,
    priority: 0,
    flags: [],
    preempts: [],
    preemptMode: null,
    perJob: none,
    perUser: none,
    perAccount: none,
    group: none,
    minimumTres: {},
    ...more,
  };
}

/** Limits of nothing but what is given. */
export function limits(more: Partial<ClusterLimits>): ClusterLimits {
  return { ...none, ...more };
}

/** A reservation of whole nodes in half an hour, for an hour. */
export function aReservation(name: string, nodes: readonly string[], more: Partial<ClusterReservation> = {}) {
  const made: ClusterReservation = {
    name,
    startAtMs: NOW_MS + 30 * MINUTE_MS,
    endAtMs: NOW_MS + 90 * MINUTE_MS,
    nodes,
    procs: 0,
    partition: null,
    users: [],
    accounts: [],
    flags: [],
    state: "INACTIVE",
    ...more,
  };
  return made;
}

/** A cluster of four nodes in one partition. */
export function aCluster(more: Partial<ClusterSnapshot> = {}): ClusterSnapshot {
  const nodes = ["n1", "n2", "n3", "n4"];
  return {
    atMs: NOW_MS,
    system: "slurm",
    version: null,
    name: "small",
    partitions: [aPartition("main", nodes)],
    nodes: nodes.map((name) => aNode(name)),
    jobs: [],
    reservations: [],
    qos: [],
    associations: [],
    licenses: [],
    settings: {},
    scheduling: schedulingRules(more.settings ?? {}),
    hidden: [],
    ...more,
  };
}

/** The look at a cluster that was captured in a folder of fixtures. */
export function capturedCluster(folder: "captured-22.05-a" | "captured-22.05-b"): ClusterSnapshot {
  const text = (name: string): string =>
    readFileSync(join(import.meta.dirname, "../src/formats/slurm/fixtures", folder, `${name}.txt`), "utf8");
  const parts = readPriorities(text("priorities"));
  const settings = text("settings");
  return {
    atMs: Number(/as of (\d+)/.exec(settings)?.[1]) * 1000,
    system: "slurm",
    version: "22.05.8",
    name: null,
    partitions: readPartitions(text("partitions")),
    nodes: readNodes(text("nodes")),
    jobs: readQueue(text("squeue")).jobs.map((job) => ({
      ...job,
      priorityParts: parts.get(job.siteJob) ?? null,
    })),
    reservations: readReservations(text("reservations")),
    qos: readQos(text("qos")),
    associations: readAssociations(text("associations")),
    licenses: [],
    settings: readSettings(settings),
    scheduling: schedulingRules(readSettings(settings)),
    hidden: [],
  };
}
