/**
 * What a monitor sees of a broker: jobs by state, sites with their load, requests and how long they took,
 * in Prometheus' text exposition format 0.0.4.
 *
 * One set of numbers for each broker: a broker that listens in several places tells the same in each.
 * Durations are of answers only: a watch lasts as long as its job, which says nothing of the broker.
 */
import type { FastifyInstance } from "fastify";
import type { LevelUsage } from "../engine/index.ts";
import type { BrokerApi, SiteView } from "../runtime/index.ts";
import { createJobTally } from "./job-tally.ts";

/** The numbers of one broker. */
export interface Metrics {
  /** Counts the requests of a server from now on. */
  observe(server: FastifyInstance): void;
  /** All of them, as Prometheus reads them. */
  text(): Promise<string>;
}

type Labels = Readonly<Record<string, string>>;

/** Upper bounds in seconds: the usual ones of Prometheus' clients, less the slowest. */
const BOUNDS_SEC = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

interface Durations {
  readonly labels: Labels;
  /** By bound, each without those of the bounds before; at the end those beyond the last. */
  readonly counts: number[];
  sumSec: number;
}

interface Requests {
  readonly labels: Labels;
  count: number;
}

const metricsAt = new WeakMap<BrokerApi, Metrics>();

/** The metrics of a broker. */
export function metricsOf(brokerApi: BrokerApi): Metrics {
  const known = metricsAt.get(brokerApi);
  if (known !== undefined) return known;
  const made = createMetrics(brokerApi);
  metricsAt.set(brokerApi, made);
  return made;
}

function createMetrics(brokerApi: BrokerApi): Metrics {
  const tally = createJobTally(brokerApi);
  const requests = new Map<string, Requests>();
  const durations = new Map<string, Durations>();
  return {
    observe(server) {
      server.addHook("onResponse", async (request, reply) => {
        const { url = "none", config } = request.routeOptions;
        const { method } = request;
        const status = String(reply.statusCode);
        counted(requests, { method, route: url, status });
        if (!config.isStream) timed(durations, { method, route: url }, reply.elapsedTime / 1000);
      });
    },
    async text() {
      const { unfinished, ended } = await tally();
      const byState = (counts: ReadonlyMap<string, number>) =>
        [...counts].map(([state, count]) => sample("", { state }, count));
      return [
        family("stint_jobs", "gauge", "Jobs that are not over, by state", byState(unfinished)),
        family("stint_jobs_ended_total", "counter", "Jobs that ended since the first look", byState(ended)),
        ...siteFamilies(brokerApi.sites()),
        ...consumerFamilies(brokerApi),
        family(
          "stint_http_requests_total",
          "counter",
          "Requests answered",
          [...requests.values()].map(({ labels, count }) => sample("", labels, count)),
        ),
        family(
          "stint_http_request_duration_seconds",
          "histogram",
          "How long answers took, streams left out",
          [...durations.values()].flatMap(histogram),
        ),
      ].join("");
    },
  };
}

function siteFamilies(sites: readonly SiteView[]): string[] {
  const gauge = (name: string, help: string, value: (site: SiteView) => number) =>
    family(
      `stint_site_${name}`,
      "gauge",
      help,
      sites.map((site) => sample("", { site: site.name }, value(site))),
    );
  return [
    gauge("procs", "Processors that a site has", ({ spec }) => spec.procs),
    gauge("procs_busy", "Processors that are busy", ({ procsBusy }) => procsBusy),
    gauge("jobs_running", "Jobs that run at a site", ({ running }) => running),
    gauge("jobs_waiting", "Jobs that wait at a site", ({ waiting }) => waiting),
    gauge("draining", "1 where no new job goes", ({ isDraining }) => Number(isDraining)),
    gauge("trouble", "1 where something keeps the site from being used", ({ trouble }) =>
      trouble === null ? 0 : 1,
    ),
    gauge("cannot_enforce", "1 where something keeps its enforcer from acting", ({ obstacles = [] }) =>
      Number(obstacles.length > 0),
    ),
  ];
}

/** Of each level that a policy names: shares are parts of the site's capacity. */
function consumerFamilies(brokerApi: BrokerApi): string[] {
  const levels = brokerApi.sites().flatMap(({ name: site }) => {
    const usage = brokerApi.usage(site);
    return (usage?.levels ?? []).map((level) => {
      const { resource, consumer } = level;
      return { labels: { site, consumer, resource }, level };
    });
  });
  const gauge = (name: string, help: string, value: (level: LevelUsage) => number) =>
    family(
      `stint_consumer_${name}`,
      "gauge",
      help,
      levels.map(({ labels, level }) => sample("", labels, value(level))),
    );
  return [
    gauge("in_use", "What a consumer has in use", ({ inUse }) => inUse),
    gauge("waiting", "What its jobs ask for that wait or are stopped", ({ waiting }) => waiting),
    gauge("jobs_running", "Its jobs that run", ({ jobsRunning }) => jobsRunning),
    gauge("jobs_waiting", "Its jobs that wait or are stopped", ({ jobsWaiting }) => jobsWaiting),
    gauge("used_ratio", "What it used over its epoch", ({ usedPpm }) => usedPpm / 1_000_000),
    gauge("epoch_ratio", "Its epoch share", ({ epochPpm }) => epochPpm / 1_000_000),
    gauge("burst_ratio", "Its burst share", ({ burstPpm }) => burstPpm / 1_000_000),
  ];
}

function counted(requests: Map<string, Requests>, labels: Labels): void {
  const key = Object.values(labels).join(" ");
  const entry = requests.get(key) ?? { labels, count: 0 };
  entry.count++;
  requests.set(key, entry);
}

function timed(durations: Map<string, Durations>, labels: Labels, sec: number): void {
  const key = Object.values(labels).join(" ");
  const entry = durations.get(key) ?? { labels, counts: Array(BOUNDS_SEC.length + 1).fill(0), sumSec: 0 };
  const at = BOUNDS_SEC.findIndex((bound) => sec <= bound);
  entry.counts[at === -1 ? BOUNDS_SEC.length : at]++;
  entry.sumSec += sec;
  durations.set(key, entry);
}

/** Buckets hold all that took no longer than their bound. */
function histogram({ labels, counts, sumSec }: Durations): string[] {
  let sum = 0;
  const buckets = counts.map((count, at) => {
    sum += count;
    return sample("_bucket", { ...labels, le: String(BOUNDS_SEC[at] ?? "+Inf") }, sum);
  });
  return [...buckets, sample("_sum", labels, sumSec), sample("_count", labels, sum)];
}

type Kind = "gauge" | "counter" | "histogram";

/** A metric with its samples, which begin after its name. */
function family(name: string, kind: Kind, help: string, samples: readonly string[]): string {
  const lines = samples.map((text) => `${name}${text}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join("")}`;
}

function sample(suffix: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([name, text]) => `${name}="${escaped(text)}"`);
  return `${suffix}{${pairs.join(",")}} ${value}`;
}

function escaped(text: string): string {
  return text.replace(/[\\"\n]/g, (letter) => (letter === "\n" ? "\\n" : `\\${letter}`));
}
