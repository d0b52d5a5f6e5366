/**
 * Metrics of a broker: jobs by state, sites with their load, requests and their durations, in Prometheus'
 * text exposition format 0.0.4. One set per broker: all its listeners report the same. Durations exclude
 * streams: a watch lasts as long as its job, which says nothing about the broker.
 */
import type { FastifyInstance } from "fastify";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { LevelUsage } from "../engine/index.ts";
import { isFinal, JOB_STATES, type JobRecord, type JobState, RUN_STATES } from "../model/index.ts";
import type { BrokerApi, LogArchiving, SiteView } from "../runtime/index.ts";
import { addBidMetrics, type BidTraffic } from "./bid-metrics.ts";
import { addStreamMetrics } from "./stream-metrics.ts";

/** Metrics of one broker. */
export interface Metrics {
  /** Counts the requests of a server from now on. */
  observe(server: FastifyInstance): void;
  /** Records the messages and the duration of a call for bids. */
  noteBids(traffic: BidTraffic): void;
  /** Text of all metrics for Prometheus. */
  text(): Promise<string>;
}

/** Upper bounds in seconds: those of Prometheus' clients, less the slowest. */
const BOUNDS_SEC = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

const metricsAt = new WeakMap<BrokerApi, Metrics>();

/** Metrics of the broker; all its listeners share them. */
export function metricsOf(brokerApi: BrokerApi, archiving: Pick<LogArchiving, "failures">): Metrics {
  const known = metricsAt.get(brokerApi);
  if (known !== undefined) return known;
  const made = createMetrics(brokerApi, archiving);
  metricsAt.set(brokerApi, made);
  return made;
}

function createMetrics(brokerApi: BrokerApi, archiving: Pick<LogArchiving, "failures">): Metrics {
  const register = new Registry();
  const registers = [register];
  const lookAtJobs = addJobs(registers, brokerApi);
  const lookAtSites = addSites(registers);
  const lookAtConsumers = addConsumers(registers, brokerApi);
  const lookAtArchives = addArchives(registers, brokerApi, archiving);
  const lookAtStreams = addStreamMetrics(registers, brokerApi);
  const observe = addRequests(registers);
  return {
    observe,
    noteBids: addBidMetrics(registers),
    async text() {
      await lookAtJobs();
      await lookAtArchives();
      const sites = brokerApi.sites();
      lookAtSites(sites);
      lookAtConsumers(sites);
      lookAtStreams();
      return register.metrics();
    },
  };
}

function addJobs(registers: Registry[], brokerApi: BrokerApi): () => Promise<void> {
  const tally = createJobTally(brokerApi);
  const labelNames = ["state"] as const;
  const unfinished = new Gauge({
    name: "stint_jobs",
    help: "Jobs that are not over, by state",
    labelNames,
    registers,
  });
  const ended = new Counter({
    name: "stint_jobs_ended_total",
    help: "Jobs that ended since the first look",
    labelNames,
    registers,
  });
  const matched = new Counter({
    name: "stint_waiting_matches_total",
    help: "Matches of waiting jobs that had matched no site, since the start of the broker",
    registers,
  });
  return async () => {
    matched.reset();
    matched.inc(brokerApi.query("waitingMatches"));
    const now = await tally();
    for (const [state, count] of now.unfinished) unfinished.set({ state }, count);
    ended.reset();
    for (const [state, count] of now.ended) ended.inc({ state }, count);
  };
}

type OfSite = readonly [name: string, help: string, value: (site: SiteView) => number];

const OF_SITES: readonly OfSite[] = [
  ["procs", "Processors that a site has", ({ spec }) => spec.procs],
  ["procs_busy", "Processors that are busy", ({ procsBusy }) => procsBusy],
  ["jobs_running", "Jobs that run at a site", ({ running }) => running],
  ["jobs_waiting", "Jobs that wait at a site", ({ waiting }) => waiting],
  ["draining", "1 where no new job goes", ({ isDraining }) => Number(isDraining)],
  ["trouble", "1 where something keeps the site from being used", ({ trouble }) => Number(trouble !== null)],
  [
    "cannot_enforce",
    "1 where something keeps its enforcer from acting",
    ({ obstacles = [] }) => Number(obstacles.length > 0),
  ],
];

function addSites(registers: Registry[]): (sites: readonly SiteView[]) => void {
  const gauges = OF_SITES.map(([name, help, value]) => {
    return { gauge: new Gauge({ name: `stint_site_${name}`, help, labelNames: ["site"], registers }), value };
  });
  return (sites) => {
    for (const { gauge, value } of gauges) {
      gauge.reset();
      for (const site of sites) gauge.set({ site: site.name }, value(site));
    }
  };
}

type OfConsumer = readonly [name: string, help: string, value: (level: LevelUsage) => number];

/** Shares are parts of the site's capacity. */
const OF_CONSUMERS: readonly OfConsumer[] = [
  ["in_use", "What a consumer has in use", ({ inUse }) => inUse],
  ["waiting", "What its jobs ask for that wait or are stopped", ({ waiting }) => waiting],
  ["jobs_running", "Its jobs that run", ({ jobsRunning }) => jobsRunning],
  ["jobs_waiting", "Its jobs that wait or are stopped", ({ jobsWaiting }) => jobsWaiting],
  ["used_ratio", "What it used over its epoch", ({ usedPpm }) => usedPpm / 1_000_000],
  ["epoch_ratio", "Its epoch share", ({ epochPpm }) => epochPpm / 1_000_000],
  ["burst_ratio", "Its burst share", ({ burstPpm }) => burstPpm / 1_000_000],
];

/** Of each level that a policy names. */
function addConsumers(
  registers: Registry[],
  brokerApi: BrokerApi,
): (sites: readonly { readonly name: string }[]) => void {
  const labelNames = ["site", "consumer", "resource"] as const;
  const gauges = OF_CONSUMERS.map(([name, help, value]) => {
    return { gauge: new Gauge({ name: `stint_consumer_${name}`, help, labelNames, registers }), value };
  });
  return (sites) => {
    for (const { gauge } of gauges) gauge.reset();
    for (const { name: site } of sites) {
      for (const level of brokerApi.usage(site)?.levels ?? []) {
        const { resource, consumer } = level;
        for (const { gauge, value } of gauges) gauge.set({ site, consumer, resource }, value(level));
      }
    }
  };
}

/** Of events that left the log. */
function addArchives(
  registers: Registry[],
  brokerApi: Pick<BrokerApi, "archives">,
  archiving: Pick<LogArchiving, "failures">,
): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name: `stint_log_${name}`, help, registers });
  const archives = gauge("archives", "Files with archived events");
  const events = gauge("archived_events", "Events in archives");
  const bytes = gauge("archived_bytes", "Size of the archives");
  const newest = gauge("archived_until_seconds", "Time of the newest archived event, Unix; 0 for none");
  const failures = new Counter({
    name: "stint_log_archive_failures_total",
    help: "Runs of archiving that failed since the start",
    registers,
  });
  return async () => {
    const known = await brokerApi.archives();
    const last = known.at(-1);
    archives.set(known.length);
    events.set(last?.through.seq ?? 0);
    bytes.set(known.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    newest.set((last?.lastAtMs ?? 0) / 1000);
    failures.reset();
    failures.inc(archiving.failures());
  };
}

function addRequests(registers: Registry[]): Metrics["observe"] {
  const requests = new Counter({
    name: "stint_http_requests_total",
    help: "Requests answered",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "stint_http_request_duration_seconds",
    help: "How long answers took, streams left out",
    labelNames: ["method", "route"],
    buckets: BOUNDS_SEC,
    registers,
  });
  return (server) => {
    server.addHook("onResponse", async (request, reply) => {
      const { url: route = "none", config } = request.routeOptions;
      const { method } = request;
      requests.inc({ method, route, status: reply.statusCode });
      if (!config.isStream) durations.observe({ method, route }, reply.elapsedTime / 1000);
    });
  };
}

// Numbers of jobs by state, without listing all jobs each time. Active jobs are counted once, page by
// page, on first use, and updated by the changes that the API reports. Ended jobs are counted from the
// first use on: there may be millions of them, and a monitor needs only the rate at which they end.

const pageSize = 1000;

/** Numbers of jobs. */
interface JobTally {
  /** Active jobs by state. */
  readonly unfinished: ReadonlyMap<JobState, number>;
  /** Jobs that reached each final state since counting began. */
  readonly ended: ReadonlyMap<JobState, number>;
}

/** Counter of jobs; counting begins on first use. */
function createJobTally(brokerApi: BrokerApi): () => Promise<JobTally> {
  let counting: Promise<Counting> | undefined;
  return async () => {
    counting ??= beginCounting(brokerApi).catch((error: unknown) => {
      // The next question tries again.
      counting = undefined;
      throw error;
    });
    const { stateOf, ended } = await counting;
    const unfinished = zeros((state) => !isFinal(state));
    for (const state of stateOf.values()) unfinished.set(state, (unfinished.get(state) ?? 0) + 1);
    return { unfinished, ended };
  };
}

interface Counting {
  /** Active jobs by id. */
  readonly stateOf: ReadonlyMap<string, JobState>;
  readonly ended: ReadonlyMap<JobState, number>;
}

async function beginCounting(brokerApi: BrokerApi): Promise<Counting> {
  const stateOf = new Map<string, JobState>();
  const ended = zeros(isFinal);
  // What changes while the pages are read is newer than they are.
  const changed = new Set<string>();
  let isReading = true;
  const untell = brokerApi.onJobChange(({ id, state, retired }: JobRecord) => {
    // Its end was counted.
    if (retired !== undefined) return;
    if (isReading) changed.add(id);
    if (!isFinal(state)) {
      stateOf.set(id, state);
      return;
    }
    stateOf.delete(id);
    ended.set(state, (ended.get(state) ?? 0) + 1);
  });
  try {
    const states = JOB_STATES.filter((state) => !isFinal(state));
    let after: string | undefined;
    do {
      const page = await brokerApi.jobs({ states, limit: pageSize, ...(after !== undefined && { after }) });
      for (const { id, state } of page.items) if (!changed.has(id)) stateOf.set(id, state);
      after = page.next;
    } while (after !== undefined);
  } catch (error) {
    untell();
    throw error;
  }
  isReading = false;
  return { stateOf, ended };
}

function zeros(isWanted: (state: JobState) => boolean): Map<JobState, number> {
  return new Map(RUN_STATES.filter(isWanted).map((state) => [state, 0]));
}
