/**
 * The aggregator: samples of what every site publishes of its use, and of what sensors saw on hosts
 * (S-POP, [UP]; rule EN-83).
 *
 * It depends on no round: a sample is taken by a timer, written by a thread, and lost if that fails. Old
 * samples are dropped only by a clock that ran evenly for an hour, so one that was set wrong drops
 * nothing. A sensor's reading covers the time since the previous one, five minutes at most.
 */
import { messageOf } from "../base/index.ts";
import { historyOfSite, MOST_SAMPLED, usageAt, useSample } from "../engine/index.ts";
import type { HostReading, HostReport, HostSeen } from "../model/index.ts";
import { bucketBegin, type SeriesRequest, SLOT_MS, seriesGrid } from "../policy/index.ts";
import type {
  BrokerApi,
  Clock,
  HostQuestion,
  HostView,
  ReadingsTaken,
  Round,
  Sample,
  Samples,
  UsageHistory,
  UsageHistoryQuestion,
} from "../runtime/index.ts";

/** Dependencies of the history. */
export interface UsageWorld {
  readonly round: Pick<Round, "projection" | "nowMs">;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** Absent: no history. */
  readonly samples: Samples | undefined;
  readonly find: BrokerApi["job"];
}

/** The aggregator at work. */
export interface UsageKeeper {
  /** Samples from now on, and once at once. */
  begin(): void;
  /** History of use of a site; undefined for an unknown site. */
  history(question: UsageHistoryQuestion): Promise<UsageHistory | undefined>;
  hosts(question: HostQuestion): Promise<readonly HostView[] | undefined>;
  /** Takes a sensor's readings; undefined for an unknown site. */
  take(report: HostReport): Promise<ReadingsTaken | undefined>;
  stop(): void;
}

/** Time for which the clock must have run evenly before old samples are dropped by it. */
const EVEN_MS = 3_600_000;
/** Gap between samples, in ms, from which the clock counts as set, or the machine as having slept. */
const STEP_MS = 60_000;
/** Number of slots that one reading covers at most. */
const MOST_SLOTS = 30;

/** Nothing is sampled before it begins. */
export function createUsageKeeper(world: UsageWorld): UsageKeeper {
  const { round, clock, samples, find } = world;
  const beat = sampler(world);
  let callOff = (): void => undefined;
  const next = (): void => {
    const atMs = bucketBegin(clock.nowMs(), SLOT_MS) + SLOT_MS;
    callOff = clock.wakeAt(atMs, () => {
      beat();
      next();
    });
  };
  const gridOf = (request: SeriesRequest) => seriesGrid(request, round.nowMs());
  return {
    begin() {
      if (samples === undefined) return;
      beat();
      next();
    },
    async history({ site, ...request }) {
      if (!round.projection.sites.has(site)) return undefined;
      const grid = gridOf(request);
      const course = await samples?.course(site, grid);
      const { covered, values, standing } = course ?? { covered: [], values: [], standing: [] };
      const steps = (grid.untilMs - grid.fromMs) / grid.stepMs;
      // Of a site that was never sampled every step is a gap.
      const each = covered.length === 0 ? Array<number>(steps).fill(0) : covered;
      return { site, grid, covered: each, ...historyOfSite({ covered: each, values, standing }) };
    },
    async hosts({ site, course }) {
      if (!round.projection.sites.has(site)) return undefined;
      const notes = (await samples?.notes(`${site}/`)) ?? [];
      const grid = course === null ? undefined : gridOf(course);
      return Promise.all(
        notes.map(async ({ place, text }) => ({
          // Only this file writes notes of hosts.
          ...(JSON.parse(text) as HostSeen),
          course: grid === undefined || samples === undefined ? null : await samples.course(place, grid),
        })),
      );
    },
    async take(report) {
      if (!round.projection.sites.has(report.site)) return undefined;
      return samples === undefined
        ? { lastSeq: 0, taken: 0 }
        : takeReadings(samples, await ofThisBroker(report, find));
    },
    stop: () => callOff(),
  };
}

/** Takes a sample of each site, whenever it is called, and drops what is old. */
function sampler({ round, clock, warn, samples }: UsageWorld): () => void {
  let isWarned = false;
  let lastMs = clock.nowMs();
  let evenSinceMs = lastMs;
  const attempt = (work: () => Promise<unknown>): void => {
    void work().then(
      () => {
        isWarned = false;
      },
      (error: unknown) => {
        if (!isWarned) warn(`no history of use is kept: ${messageOf(error)}`);
        isWarned = true;
      },
    );
  };
  return () => {
    const nowMs = clock.nowMs();
    attempt(async () => samples?.add({ samples: sitesNow(round, nowMs) }));
    if (nowMs < lastMs || nowMs - lastMs > STEP_MS) evenSinceMs = nowMs;
    lastMs = nowMs;
    if (nowMs - evenSinceMs < EVEN_MS) return;
    evenSinceMs = nowMs;
    attempt(async () => samples?.prune(nowMs));
  };
}

function sitesNow({ projection }: UsageWorld["round"], nowMs: number): Sample[] {
  return [...projection.sites.values()].flatMap((site) => {
    // Of a cluster that was not seen yet nothing is known: a gap, and not an empty cluster.
    if (site.spec.type !== "managed" && site.observation.seenAtMs === null) return [];
    return [{ place: site.name, atMs: nowMs, ...useSample(usageAt(projection, site, nowMs)) }];
  });
}

/**
 * Readings without the jobs of other brokers, whose processes have the same mark: a job with an id of the
 * batch system is reported as that system's.
 */
async function ofThisBroker(report: HostReport, find: BrokerApi["job"]): Promise<HostReport> {
  const named = new Set(report.readings.flatMap(({ jobs }) => jobs.flatMap(({ job }) => job ?? [])));
  const ours = new Set<string>();
  for (const id of named) if ((await find(id))?.site === report.site) ours.add(id);
  const readings = report.readings.map((reading) => ({
    ...reading,
    jobs: reading.jobs.flatMap((it) => {
      if (it.job === null || ours.has(it.job)) return [it];
      return it.siteJob === null ? [] : [{ ...it, job: null }];
    }),
  }));
  return { ...report, readings };
}

/**
 * Stores readings in order, each once; a reading that was stored counts as taken even if the answer is lost.
 */
async function takeReadings(samples: Samples, report: HostReport): Promise<ReadingsTaken> {
  const { site, host, sensor, readings } = report;
  const place = `${site}/${host}`;
  const source = `${place}/${sensor}`;
  const [before] = (await samples.notes(place)).filter((note) => note.place === place);
  let { droppedInAll } = before === undefined ? { droppedInAll: 0 } : (JSON.parse(before.text) as HostSeen);
  let taken = 0;
  for (const reading of [...readings].sort((a, b) => a.seq - b.seq)) {
    const seen: HostSeen = {
      ...{ site, host, sensor, reading: { ...reading, jobs: reading.jobs.slice(0, MOST_SAMPLED) } },
      droppedInAll: droppedInAll + reading.dropped,
    };
    const isNew = await samples.add({
      samples: [sampleOfHost(place, reading)],
      numbered: { source, seq: reading.seq },
      notes: [{ place, text: JSON.stringify(seen) }],
    });
    if (!isNew) continue;
    taken += 1;
    droppedInAll = seen.droppedInAll;
  }
  return { lastSeq: await samples.lastOf(source), taken };
}

function sampleOfHost(place: string, reading: HostReading): Sample {
  const { atMs, overMs, jobs, unreadable } = reading;
  const sum = (of: (job: HostReading["jobs"][number]) => number) =>
    jobs.reduce((total, job) => total + of(job), 0);
  const usedMs = sum((job) => job.usedMs ?? 0);
  return {
    ...{ place, atMs, standing: [] },
    slots: Math.min(MOST_SLOTS, Math.max(1, Math.round((overMs ?? SLOT_MS) / SLOT_MS))),
    values: [
      ["procsMilli", overMs === null || overMs === 0 ? 0 : Math.round((usedMs * 1000) / overMs)],
      ["memoryBytes", sum(({ memoryBytes }) => memoryBytes)],
      ["jobs", jobs.length],
      ["processes", sum(({ processes }) => processes)],
      ["unreadable", unreadable],
    ],
  };
}
