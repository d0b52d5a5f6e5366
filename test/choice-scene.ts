/**
 * Many sites, organisations and jobs, for choice tables: drawn from a seed, and kept beside as plain lists.
 */
import { createRandom, drawInteger, type Random } from "../src/base/index.ts";
import { apply, type ChoiceRow, createProjection, decide, NO_FACTS, recommend } from "../src/engine/index.ts";
import { JOB_DEFAULTS, type Policy, type SiteSpec, type StintEvent } from "../src/model/index.ts";
import type { PlainJob } from "./plain/plain-choice.ts";

const HOUR_MS = 3_600_000;

/** How much there is of everything. */
export interface ChoiceSize {
  readonly sites: number;
  readonly vos: number;
  readonly groups: number;
  /** How many organisations each site gives something. */
  readonly vosPerSite: number;
  readonly jobsPerSite: number;
  readonly procs: number;
}

/** A state with its plain lists. */
export interface ChoiceScene {
  readonly policies: readonly Policy[];
  readonly sites: readonly string[];
  readonly procs: number;
  /** A consumer that is drawn. */
  consumer(): string;
  jobs(): readonly PlainJob[];
  /** A job of a site goes, and another comes. */
  change(): void;
  table(consumer: string, procs: number): readonly ChoiceRow[];
}

/** Draws a scene: sites that run and queue jobs of organisations that have groups. */
export function choiceScene(size: ChoiceSize, seed: number): ChoiceScene {
  const random = createRandom(seed);
  const projection = createProjection();
  let nowMs = 1_000_000;
  let count = 0;
  const record = (events: readonly StintEvent[]): void => {
    for (const event of events) apply(projection, event);
  };
  const settle = (): void => {
    for (let made = decide(projection, nowMs).events; made.length > 0; ) {
      record(made);
      made = decide(projection, nowMs).events;
    }
  };
  const sites = Array.from({ length: size.sites }, (_, at) => `s${at}`);
  const spec: SiteSpec = {
    ...{ type: "managed", procs: size.procs, memoryBytes: 2 ** 40, discipline: "easy" },
    defaultWallTimeMs: HOUR_MS,
  };
  record(sites.map((site) => ({ kind: "siteAdded", site, spec, atMs: nowMs })));
  const policies = policiesOf(size, sites, random);
  const version = { version: 1, effectiveFromMs: nowMs, by: "x", note: "", atMs: nowMs };
  record([{ kind: "policiesApplied", policies, ...version }]);
  const consumer = () =>
    `vo${drawInteger(random, 0, size.vos - 1)}/g${drawInteger(random, 0, size.groups - 1)}`;
  const come = (site: string): void => {
    const procs = drawInteger(random, 1, Math.max(1, Math.floor(size.procs / 8)));
    const description = { ...JOB_DEFAULTS, executable: "true", procs, site };
    const whose = { consumer: consumer(), owner: "u" };
    record([{ kind: "jobAccepted", job: `j${count++}`, description, ...whose, atMs: nowMs }]);
  };
  for (const site of sites) for (let at = 0; at < size.jobsPerSite; at++) come(site);
  settle();
  return {
    policies,
    sites,
    procs: size.procs,
    consumer,
    jobs: () =>
      [...projection.jobs.values()].map((job) => ({
        ...{ site: job.site ?? "", consumer: job.consumer, procs: job.description.procs },
        runs: job.startDecidedAtMs !== null,
      })),
    change() {
      nowMs += 1000;
      const [gone] = [...projection.jobs.keys()].slice(drawInteger(random, 0, projection.jobs.size - 1));
      const site = projection.jobs.get(gone)?.site ?? sites[0];
      record([{ kind: "jobCancelled", job: gone, atMs: nowMs }]);
      come(site);
      settle();
    },
    table: (asking, procs) =>
      recommend(
        projection,
        {
          ...{ consumer: asking, need: { cpu: procs, gpu: 0, memory: 0 }, factsOf: () => NO_FACTS },
          sites: [...projection.sites.values()],
        },
        nowMs,
      ),
  };
}

/** Some sites say nothing of anybody: there the queue decides. */
function policiesOf(size: ChoiceSize, sites: readonly string[], random: Random): readonly Policy[] {
  const share = () => drawInteger(random, 1, 20) * 50_000;
  const given = sites.flatMap((site, at) =>
    at % 10 === 9
      ? []
      : Array.from({ length: size.vosPerSite }, (_, its) =>
          policy(site, `vo${(at * 3 + its) % size.vos}`, share()),
        ),
  );
  const reached = new Set(given.map(({ consumer }) => consumer));
  const within = [...reached].flatMap((vo) =>
    Array.from({ length: size.groups }, (_, group) => policy(vo, `${vo}/g${group}`, share())),
  );
  return [...given, ...within];
}

function policy(provider: string, consumer: string, burstPpm: number): Policy {
  return {
    ...{ resource: "cpu", provider, consumer, rule: "entitlement", mode: "shared", carry: "repay" },
    epoch: { window: { kind: "sliding", lengthMs: HOUR_MS }, sharePpm: Math.min(burstPpm, 100_000) },
    burst: { bucketMs: 60_000, sharePpm: burstPpm },
  };
}
