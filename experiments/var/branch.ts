/**
 * What a site would have done with one more job: a copy of its machine, driven on with what really came.
 */
import { assert, createHeap, popHeap, pushHeap, smallestKey } from "../../src/base/index.ts";
import {
  advance,
  arrive,
  checkpoint,
  end,
  jobState,
  machineFrom,
  type Replay,
  wakeAt,
} from "../../src/queue/index.ts";
import type { WorkloadJob } from "../../src/sim/workload/workload.ts";

/** A job that really was not there. */
export interface OneMore {
  readonly procs: number;
  readonly estimateMs: number;
  readonly submitMs: number;
}

/**
 * When it would have started; undefined where that is later than `untilMs`. The replay has settled its
 * instant, and stays as it is.
 *
 * @param later the jobs that come after that instant, in order
 */
export function startOfOneMore(
  { machine, jobAt }: Pick<Replay<WorkloadJob>, "machine" | "jobAt">,
  later: readonly WorkloadJob[],
  more: OneMore,
  untilMs: number,
): number | undefined {
  const copy = machineFrom(checkpoint(machine), machine.rules);
  const runtimeMs = new Map<number, number>();
  const ends = createHeap();
  for (let handle = 0; handle < copy.jobs.size; handle++) {
    const state = copy.jobs.state[handle];
    if (state === jobState.none) continue;
    runtimeMs.set(handle, jobAt(handle).runtimeMs);
    if (state === jobState.running)
      pushHeap(ends, copy.jobs.startMs[handle] + jobAt(handle).runtimeMs, handle);
  }
  let place = 0;
  let own = -1;
  for (;;) {
    const submitMs = later[place]?.submitMs ?? Number.POSITIVE_INFINITY;
    const ownMs = own < 0 ? more.submitMs : Number.POSITIVE_INFINITY;
    const atMs = Math.min(smallestKey(ends), wakeAt(copy), submitMs, ownMs);
    if (atMs > untilMs) return undefined;
    while (smallestKey(ends) === atMs) end(copy, popHeap(ends), atMs);
    for (; later[place]?.submitMs === atMs; place++) {
      const arrived = arrive(copy, later[place], atMs);
      if (arrived.ok) runtimeMs.set(arrived.value, later[place].runtimeMs);
    }
    if (atMs === ownMs) {
      const arrived = arrive(copy, { need: [more.procs], estimateMs: more.estimateMs }, atMs);
      assert(arrived.ok, "one more job is no wider than the site");
      own = arrived.value;
    }
    const { handles, count } = advance(copy, atMs);
    for (let i = 0; i < count; i++) {
      if (handles[i] === own) return atMs;
      pushHeap(ends, atMs + (runtimeMs.get(handles[i]) ?? 0), handles[i]);
    }
  }
}
