/**
 * The state of a site at some instants of its workload: what it advertises then, and how it goes on.
 *
 * Instants are stratified over the workload without its first and last twentieth, the same for all planners.
 */
import { createRandom, drawFraction } from "../../src/base/index.ts";
import type { SlotForSale } from "../../src/plan/index.ts";
import { slotsOf } from "../../src/profile/index.ts";
import { createMachine, createReplay, projectedProfiles, type Replay } from "../../src/queue/index.ts";
import type { WorkloadJob } from "../../src/sim/workload/workload.ts";

/** A site with its workload. */
export interface Played {
  readonly name: string;
  readonly procs: number;
  readonly jobs: readonly WorkloadJob[];
}

/** A site at an instant. */
export interface SiteState {
  readonly site: Played;
  readonly atMs: number;
  readonly replay: Pick<Replay<WorkloadJob>, "machine" | "jobAt">;
  /** Place of the first job that comes later. */
  readonly next: number;
  /** From this instant on, counted from it. */
  readonly slots: readonly SlotForSale[];
}

const LEFT_OUT = 0.05;

/** Instants of submission, in order. */
export function instantsOf(jobs: readonly WorkloadJob[], count: number, seed: number): readonly number[] {
  const random = createRandom(seed);
  const lastMs = jobs[jobs.length - 1].submitMs;
  const [from, to] = [LEFT_OUT * lastMs, (1 - LEFT_OUT) * lastMs];
  return Array.from({ length: count }, (_, at) =>
    Math.round(from + ((to - from) * (at + drawFraction(random))) / count),
  );
}

/** Plays a site under conservative backfilling with exact estimates, to one instant after the other. */
export function playerOf(site: Played): (atMs: number) => SiteState {
  const machine = createMachine([[site.procs]], { discipline: "conservative" });
  const replay = createReplay<WorkloadJob>(machine, { finished: () => undefined });
  let next = 0;
  return (atMs) => {
    for (; next < site.jobs.length && site.jobs[next].submitMs <= atMs; next++) replay.offer(site.jobs[next]);
    playThrough(replay, atMs);
    return { site, atMs, replay, next, slots: advertised(replay, atMs) };
  };
}

function playThrough({ steps }: Replay<WorkloadJob>, atMs: number): void {
  for (let now = steps.nextInstantMs(); now < atMs; now = steps.nextInstantMs()) {
    steps.happen(now);
    steps.settle(now);
  }
  steps.happen(atMs);
  steps.settle(atMs);
}

function advertised({ machine }: Replay<WorkloadJob>, atMs: number): readonly SlotForSale[] {
  const [profile] = projectedProfiles(machine, atMs);
  return slotsOf(profile).map(({ startAt, procs, durationMs, divisible, extensible }) => ({
    ...{ startMs: startAt - atMs, procs, durationMs, divisible, extensible },
    ...{ price: 1, fixedSu: 0 },
  }));
}
