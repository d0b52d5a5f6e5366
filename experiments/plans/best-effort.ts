/**
 * Best effort, the yardstick: tasks of a workflow through the queues of sites, among what really came later.
 *
 * Copies of the sites' machines are driven on. A task whose parents have ended goes to the site with the
 * fewest tasks that run or wait there; its data are moved, then it joins the queue, after the jobs of that
 * instant.
 */
import { assert, createHeap, type Heap, popHeap, pushHeap, smallestKey } from "../../src/base/index.ts";
import type { Instance } from "../../src/plan/index.ts";
import { readyAt } from "../../src/plan/planners/placement.ts";
import { heftOrder } from "../../src/plan/planners/ranks.ts";
import {
  advance,
  arrive,
  checkpoint,
  end,
  jobState,
  type Machine,
  machineFrom,
  wakeAt,
} from "../../src/queue/index.ts";
import type { SiteState } from "./states.ts";

/** A copy of a site that goes on. */
interface Branch {
  readonly state: SiteState;
  readonly copy: Machine;
  readonly runtimeMs: Map<number, number>;
  /** Tasks by the handles of their jobs. */
  readonly tasks: Map<number, number>;
  readonly ends: Heap;
  next: number;
  present: number;
}

/** The makespan through the queues, in ms. Instants of the states may differ: each counts from its own. */
export function bestEffortMs(states: readonly SiteState[], instance: Instance): number {
  const branches = states.map(branchOf);
  const { taskCount, workflow } = instance;
  const rank = new Int32Array(taskCount);
  for (const [at, task] of heftOrder(instance).entries()) rank[task] = at;
  const { parentStart, childStart, childOf } = workflow;
  const waitsFor = Int32Array.from(rank, (_, task) => parentStart[task + 1] - parentStart[task]);
  const site = new Int32Array(taskCount).fill(-1);
  const [startMs, endMs] = [new Float64Array(taskCount), new Float64Array(taskCount)];
  const joining = createHeap(taskCount);
  let left = taskCount;
  const place = (task: number, nowMs: number): void => {
    site[task] = emptiest(branches, instance, task);
    branches[site[task]].present++;
    const readyMs = readyAt(instance, { site, startMs, endMs }, task, site[task]);
    pushHeap(joining, Math.max(nowMs, readyMs), task);
  };
  const done = (task: number, nowMs: number): void => {
    left--;
    endMs[task] = nowMs;
    for (let edge = childStart[task]; edge < childStart[task + 1]; edge++) {
      if (--waitsFor[childOf[edge]] === 0) place(childOf[edge], nowMs);
    }
  };
  for (let task = 0; task < taskCount; task++) if (waitsFor[task] === 0) place(task, 0);
  while (left > 0) {
    const nowMs = Math.min(smallestKey(joining), ...branches.map(nextOf));
    for (const branch of branches) for (const task of endsAt(branch, nowMs)) done(task, nowMs);
    for (const branch of branches) arriveAt(branch, nowMs);
    const own: number[] = [];
    while (smallestKey(joining) === nowMs) own.push(popHeap(joining));
    for (const task of own.sort((one, other) => rank[one] - rank[other])) {
      submit(branches[site[task]], instance, task, nowMs);
    }
    for (const branch of branches) startAll(branch, nowMs);
  }
  return endMs.reduce((last, at) => Math.max(last, at), 0);
}

function branchOf(state: SiteState): Branch {
  const { machine, jobAt } = state.replay;
  const copy = machineFrom(checkpoint(machine), machine.rules);
  const runtimeMs = new Map<number, number>();
  const ends = createHeap();
  for (let handle = 0; handle < copy.jobs.size; handle++) {
    if (copy.jobs.state[handle] === jobState.none) continue;
    runtimeMs.set(handle, jobAt(handle).runtimeMs);
    if (copy.jobs.state[handle] === jobState.running) {
      pushHeap(ends, copy.jobs.startMs[handle] + jobAt(handle).runtimeMs, handle);
    }
  }
  return { state, copy, runtimeMs, ends, tasks: new Map(), next: state.next, present: 0 };
}

/** Next instant of a branch, from the begin of the workflow. */
function nextOf({ state, copy, ends, next }: Branch): number {
  const submitMs = state.site.jobs[next]?.submitMs ?? Number.POSITIVE_INFINITY;
  return Math.min(smallestKey(ends), wakeAt(copy), submitMs) - state.atMs;
}

/** Ends what is over, and says which tasks these were. */
function endsAt(branch: Branch, nowMs: number): readonly number[] {
  const { state, copy, ends, tasks, runtimeMs } = branch;
  const over: number[] = [];
  while (smallestKey(ends) === state.atMs + nowMs) {
    const handle = popHeap(ends);
    const task = tasks.get(handle);
    if (task !== undefined) {
      over.push(task);
      branch.present--;
    }
    tasks.delete(handle);
    runtimeMs.delete(handle);
    end(copy, handle, state.atMs + nowMs);
  }
  return over;
}

function arriveAt(branch: Branch, nowMs: number): void {
  const { state, copy, runtimeMs } = branch;
  const { jobs } = state.site;
  for (; jobs[branch.next]?.submitMs === state.atMs + nowMs; branch.next++) {
    const arrived = arrive(copy, jobs[branch.next], state.atMs + nowMs);
    if (arrived.ok) runtimeMs.set(arrived.value, jobs[branch.next].runtimeMs);
  }
}

function submit({ state, copy, runtimeMs, tasks }: Branch, of: Instance, task: number, nowMs: number): void {
  const site = of.platform.sites.findIndex(({ name }) => name === state.site.name);
  const ownMs = of.runtimeMs[task * of.siteCount + site];
  const job = { need: [of.workflow.tasks[task].procs], estimateMs: ownMs };
  const arrived = arrive(copy, job, state.atMs + nowMs);
  assert(arrived.ok, "the task fits into the site that was chosen for it");
  runtimeMs.set(arrived.value, ownMs);
  tasks.set(arrived.value, task);
}

function startAll(branch: Branch, nowMs: number): void {
  const { state, copy, runtimeMs, ends } = branch;
  const { handles, count } = advance(copy, state.atMs + nowMs);
  for (let at = 0; at < count; at++) {
    pushHeap(ends, state.atMs + nowMs + (runtimeMs.get(handles[at]) ?? 0), handles[at]);
  }
}

function emptiest(branches: readonly Branch[], { runtimeMs, siteCount }: Instance, task: number): number {
  let best = -1;
  for (const [site, { present }] of branches.entries()) {
    if (runtimeMs[task * siteCount + site] === Number.POSITIVE_INFINITY) continue;
    if (best < 0 || present < branches[best].present) best = site;
  }
  return best;
}
