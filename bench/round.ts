/**
 * A round after one event, with many jobs waiting at many sites, managed or foreign: beside looking at
 * every site.
 *
 * `npx tsx bench/round.ts`; budgets: 10,000 waiting on 50 sites 5 ms, 100,000 on 50 sites 20 ms. On managed
 * sites the event is the end of a job. On foreign ones it is a look at one site, where a job ended and the
 * next one started, while a job without a site is to be placed among all of them.
 */
import {
  answer,
  apply,
  createProjection,
  decide,
  observe,
  observeSurvey,
  type Projection,
  type Survey,
  type SurveyedJob,
  takeSurvey,
} from "../src/engine/index.ts";
import { JOB_DEFAULTS, type JobDescription, type SiteSpec, type StintEvent } from "../src/model/index.ts";

const SITES = 50;
const PROCS = 64;
const HOUR = 3_600_000;
const ROUNDS = 40;
const BEGIN_MS = 1_000_000;
const PATIENCE_MS = 10_000;

const offer = { procs: PROCS, memoryBytes: 2 ** 40, discipline: "easy", defaultWallTimeMs: HOUR } as const;
const managed: SiteSpec = { type: "managed", ...offer };
const foreign: SiteSpec = {
  type: "simulated",
  ...offer,
  jobs: "run",
  speedUp: 1,
  background: null,
  delays: { orderMs: 0, startMs: 0 },
  losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
  seed: 1,
};

function record(projection: Projection, events: readonly StintEvent[]): void {
  for (const event of events) apply(projection, event);
}

function submit(projection: Projection, job: string, more: Partial<JobDescription>, nowMs: number): void {
  const description = { ...JOB_DEFAULTS, executable: "x", ...more };
  const command = { kind: "submit", job, description, consumer: "vo/user", owner: "u" } as const;
  const answered = answer(projection, command, nowMs);
  if (!answered.ok) throw new Error(`refused: ${answered.refusal.kind}`);
  record(projection, answered.value);
}

/** Processors of the n-th job of a site: the first ones fill it. */
function procsOf(n: number): number {
  return n < PROCS ? 1 : 1 + (n % 7);
}

function withSites(spec: SiteSpec): Projection {
  const projection = createProjection();
  for (let site = 0; site < SITES; site++) {
    record(projection, [{ kind: "siteAdded", site: `s${site}`, spec, atMs: BEGIN_MS }]);
  }
  return projection;
}

/** Full managed sites, each with the same number of jobs waiting. */
function crowded(waiting: number): Projection {
  const projection = withSites(managed);
  const perSite = PROCS + waiting / SITES;
  for (let site = 0; site < SITES; site++) {
    for (let n = 0; n < perSite; n++) {
      submit(projection, `${site}-${n}`, { procs: procsOf(n), site: `s${site}` }, BEGIN_MS);
    }
  }
  settleAll(projection, BEGIN_MS);
  return projection;
}

function settleAll(projection: Projection, nowMs: number): void {
  for (;;) {
    const { events } = decide(projection, nowMs);
    if (events.length === 0) return;
    record(projection, events);
  }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

/** Rounds of one kind of sites: after one event, and after an event at every site. */
interface Rounds {
  one(round: number, nowMs: number): void;
  all(nowMs: number): void;
}

function managedRounds(waiting: number): Rounds {
  const projection = crowded(waiting);
  const end = { cause: "exited", exitCode: 0, signal: null, cpuMs: null, detail: null } as const;
  return {
    one(round, nowMs) {
      const [job] = projection.sites.get(`s${round % SITES}`)?.queue.running ?? [];
      record(projection, observe(projection, { kind: "ended", job, attempt: 1, atMs: nowMs, end }, nowMs));
      settleAll(projection, nowMs);
    },
    all(nowMs) {
      for (const site of projection.sites.keys()) projection.unsettled.add(site);
      settleAll(projection, nowMs);
    },
  };
}

/** Queue of a foreign site in order: the first PROCS jobs of one processor run. */
function queueOf(site: number, perSite: number): SurveyedJob[] {
  return Array.from({ length: perSite }, (_, n) => ({
    siteJob: String(n + 1),
    token: `${site}-${n}/1`,
    state: n < PROCS ? "running" : "waiting",
    procs: procsOf(n),
    memoryBytes: 0,
    limitMs: HOUR,
    submittedAtMs: BEGIN_MS,
    startedAtMs: n < PROCS ? BEGIN_MS : null,
    reason: null,
  }));
}

/** Foreign sites full of our jobs, each with the same number waiting. */
function foreignRounds(waiting: number): Rounds {
  const projection = withSites(foreign);
  const queues: SurveyedJob[][] = [];
  const look = (site: number, nowMs: number, ended: Survey["ended"] = []): void => {
    const survey: Survey = { atMs: nowMs, jobs: queues[site], ended, reservations: [] };
    const about = { site: `s${site}`, survey, patienceMs: PATIENCE_MS };
    record(projection, observeSurvey(projection, about, nowMs));
    takeSurvey(projection, `s${site}`, survey, nowMs);
  };
  const perSite = PROCS + waiting / SITES;
  for (let site = 0; site < SITES; site++) {
    queues.push([]);
    look(site, BEGIN_MS);
    for (let n = 0; n < perSite; n++) submit(projection, `${site}-${n}`, { site: `s${site}` }, BEGIN_MS);
  }
  settleAll(projection, BEGIN_MS);
  for (let site = 0; site < SITES; site++) {
    queues[site] = queueOf(site, perSite);
    look(site, BEGIN_MS + 1);
  }
  return {
    one(round, nowMs) {
      const site = round % SITES;
      const [gone, ...rest] = queues[site];
      const next = rest.findIndex(({ state, procs }) => state === "waiting" && procs === 1);
      queues[site] = rest.with(next, { ...rest[next], state: "running", startedAtMs: nowMs });
      const end = { cause: "exited", exitCode: 0, signal: null, cpuMs: null, detail: null } as const;
      const ended = {
        token: gone.token ?? "",
        siteJob: gone.siteJob,
        startedAtMs: BEGIN_MS,
        endedAtMs: nowMs,
      };
      submit(projection, `free-${round}`, {}, nowMs);
      look(site, nowMs, [{ ...ended, end }]);
      settleAll(projection, nowMs);
    },
    all(nowMs) {
      for (let site = 0; site < SITES; site++) look(site, nowMs);
    },
  };
}

function measure(what: string, rounds: Rounds, budgetMs: number): void {
  let nowMs = BEGIN_MS + 1_000_000;
  const one: number[] = [];
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    nowMs += 1000;
    const beganAt = performance.now();
    rounds.one(round, nowMs);
    one.push(performance.now() - beganAt);
    const allBeganAt = performance.now();
    if (round % 8 === 0) {
      rounds.all(nowMs);
      all.push(performance.now() - allBeganAt);
    }
  }
  const oneMs = median(one);
  const verdict = oneMs <= budgetMs ? "within" : "OVER";
  console.log(
    `${what}: a round after one event ${oneMs.toFixed(2)} ms, ${verdict} ${budgetMs} ms; ` +
      `${(oneMs / median(all)).toFixed(3)} × a round after events at all sites`,
  );
  if (oneMs > budgetMs) process.exitCode = 1;
}

for (const [waiting, budgetMs] of [
  [10_000, 5],
  [100_000, 20],
] as const) {
  measure(`${waiting} waiting on ${SITES} managed sites`, managedRounds(waiting), budgetMs);
  measure(`${waiting} waiting on ${SITES} foreign sites`, foreignRounds(waiting), budgetMs);
}
