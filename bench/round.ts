/**
 * A round after one event, with many jobs waiting at many sites: beside settling every site.
 *
 * `npx tsx bench/round.ts`; budgets: 10,000 waiting on 50 sites 5 ms, 100,000 on 50 sites 20 ms.
 */
import { answer, apply, createProjection, decide, observe, type Projection } from "../src/engine/index.ts";
import { JOB_DEFAULTS, type StintEvent } from "../src/model/index.ts";

const SITES = 50;
const PROCS = 64;
const ROUNDS = 40;

function record(projection: Projection, events: readonly StintEvent[]): void {
  for (const event of events) apply(projection, event);
}

/** Sites that are full, each with the same number of jobs waiting. */
function crowded(waiting: number): Projection {
  const projection = createProjection();
  const nowMs = 1_000_000;
  for (let site = 0; site < SITES; site++) {
    const spec = {
      type: "managed",
      procs: PROCS,
      memoryBytes: 2 ** 40,
      discipline: "easy",
      defaultWallTimeMs: 3_600_000,
    } as const;
    record(projection, [{ kind: "siteAdded", site: `s${site}`, spec, atMs: nowMs }]);
  }
  const perSite = PROCS + waiting / SITES;
  for (let site = 0; site < SITES; site++) {
    for (let i = 0; i < perSite; i++) {
      const answered = answer(
        projection,
        {
          kind: "submit",
          job: `${site}-${i}`,
          description: {
            ...JOB_DEFAULTS,
            executable: "x",
            cpuNumber: i < PROCS ? 1 : 1 + (i % 7),
            site: `s${site}`,
          },
          consumer: "vo/user",
          owner: "u",
        },
        nowMs,
      );
      if (answered.ok) record(projection, answered.value);
    }
  }
  settleAll(projection, nowMs);
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

for (const [waiting, budgetMs] of [
  [10_000, 5],
  [100_000, 20],
] as const) {
  const projection = crowded(waiting);
  let nowMs = 2_000_000;
  const one: number[] = [];
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    nowMs += 1000;
    const [job] = projection.sites.get(`s${round % SITES}`)?.queue.running ?? [];
    const end = { cause: "exited", exitCode: 0, signal: null, cpuMs: null, detail: null } as const;
    const beganAt = performance.now();
    record(projection, observe(projection, { kind: "ended", job, attempt: 1, atMs: nowMs, end }, nowMs));
    settleAll(projection, nowMs);
    one.push(performance.now() - beganAt);
    for (const site of projection.sites.keys()) projection.unsettled.add(site);
    const allBeganAt = performance.now();
    settleAll(projection, nowMs);
    all.push(performance.now() - allBeganAt);
  }
  const oneMs = median(one);
  const verdict = oneMs <= budgetMs ? "within" : "OVER";
  console.log(
    `${waiting} waiting on ${SITES} sites: a round after one event ${oneMs.toFixed(2)} ms, ${verdict} ` +
      `${budgetMs} ms; ${(oneMs / median(all)).toFixed(3)} × settling every site`,
  );
  if (oneMs > budgetMs) process.exitCode = 1;
}
