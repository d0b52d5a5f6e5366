/**
 * Strategic users ([PROV] 8.1, future work there): some jobs, drawn by seed, do something else than they
 * should; everything else stays as it was, so the same jobs are compared with themselves.
 */
import { createRandom, drawFraction, MS_PER_HOUR } from "../../src/base/index.ts";
import type { WorkloadJob } from "../../src/sim/workload/workload.ts";
import { drawnBy, type Play, type Played, play } from "../pricing/play.ts";

/** A cluster with its jobs. */
export interface Scene {
  readonly jobs: readonly WorkloadJob[];
  readonly procs: number;
}

/** The liars (or deviants) against themselves. */
export interface Compared {
  readonly liars: number;
  readonly honestWaitHours: number;
  readonly lyingWaitHours: number;
  /** What they pay beside n·d, in the mean; 0 where they queue. */
  readonly honestFixedSu: number;
  readonly lyingFixedSu: number;
}

/** Who deviates. */
const SHARE_OF_LIARS = 0.05;
const MARKET = { sharePpm: 100_000, alphaPpm: "random" } as const;
const SEED = 11;
const LIARS_SEED = 23;
const MILLION = 1_000_000;

/** Queued jobs that ask for `factor` times their run time, beside a tenth that reserve. */
export function overstatedTimes(scene: Scene, factor: number): Compared {
  const honest = played(scene);
  const liars = queuedLiars(scene, honest);
  const jobs = scene.jobs.map((job) =>
    liars.has(job.id) ? { ...job, estimateMs: job.estimateMs * factor } : job,
  );
  return compared(liars, honest, played({ ...scene, jobs }));
}

/** Queued jobs that say that a delay costs them `factor` times their processors. */
export function overstatedDelays(scene: Scene, factor: number): Compared {
  const honest = played(scene);
  const liars = queuedLiars(scene, honest);
  const weightOf = ({ id, need }: WorkloadJob): number => need[0] * (liars.has(id) ? factor : 1);
  return compared(liars, honest, played(scene, { weightOf }));
}

/** Jobs that reserve where all others queue. */
export function reservedInstead(scene: Scene, alpha: number): Compared {
  const nobody = { alphaOf: () => undefined };
  const honest = played(scene, nobody);
  const liars = queuedLiars(scene, honest);
  const alphaOf = ({ id }: WorkloadJob) => (liars.has(id) ? Math.round(alpha * MILLION) : undefined);
  return compared(liars, honest, played(scene, { alphaOf }));
}

function played({ jobs, procs }: Scene, more: Partial<Play> = {}): Played {
  return play({ jobs, procs, discipline: "conservative", alphaOf: drawnBy(MARKET, SEED), ...more });
}

function queuedLiars({ jobs }: Scene, { reserved }: Played): ReadonlySet<number> {
  const random = createRandom(LIARS_SEED);
  const drawn = jobs.filter(() => drawFraction(random) < SHARE_OF_LIARS);
  return new Set(drawn.map(({ id }) => id).filter((id) => !reserved.has(id)));
}

function compared(liars: ReadonlySet<number>, honest: Played, lying: Played): Compared {
  const mean = (of: (order: number) => number): number =>
    [...liars].reduce((sum, order) => sum + of(order), 0) / MS_PER_HOUR / Math.max(1, liars.size);
  return {
    liars: liars.size,
    honestWaitHours: mean((order) => honest.waitsMs[order]),
    lyingWaitHours: mean((order) => lying.waitsMs[order]),
    honestFixedSu: mean((order) => honest.reserved.get(order)?.fixedProcMs ?? 0),
    lyingFixedSu: mean((order) => lying.reserved.get(order)?.fixedProcMs ?? 0),
  };
}
