/**
 * Tasks that wait at sites which will not run them in time: sites that were removed or drained, and clusters
 * that have not answered for a while. They give up their places and are replanned elsewhere (EN-217).
 *
 * Jobs that run at a drained site go on, so that pilots that have begun keep their tasks. At a cluster that
 * does not answer, orders cannot arrive; a task stays only if a task that it waits for, or the only copy of a
 * file that it reads, is there.
 */
import { formatDuration } from "../../../base/index.ts";
import { isForeign, isImitating, type WorkflowRecord, type WorkflowTask } from "../../../model/index.ts";
import type { Projection } from "../../state/projection.ts";
import { isOpen, type SiteState } from "../../state/site-state.ts";
import { tasksLeftOut } from "./left-out.ts";
import { isAtWork, tasksOf } from "./task-changes.ts";
import { filesOf } from "./workflow-files.ts";

/** Time for which a cluster may not answer before tasks leave it. */
const AWAY_MS = 120_000;

/** Tasks of a workflow that are to leave a site. */
export interface StrandedTasks {
  readonly site: string;
  readonly why: string;
  readonly tasks: readonly number[];
  /** Numbers of the pilots in which they have their places. */
  readonly pilots: readonly number[];
}

/** Tasks by the sites that they are to leave; none if no other site accepts jobs. */
export function strandedTasks(
  projection: Projection,
  workflow: string,
  nowMs: number,
): readonly StrandedTasks[] {
  const record = projection.books.workflows.get(workflow);
  if (record?.state !== "RUNNING") return [];
  const away = new Map<string, string>();
  for (const name of new Set(record.pilots.filter(({ state }) => state === "OPEN").map(({ site }) => site))) {
    const why = whyAway(projection.sites.get(name), nowMs);
    if (why !== undefined) away.set(name, why);
  }
  if (away.size === 0 || !isAnyOpen(projection)) return [];
  const tasks = tasksOf(projection, record);
  const mayLeave = leavable(projection, record, { tasks, away });
  return [...away].flatMap(([site, why]): readonly StrandedTasks[] => {
    const own = tasks.filter((task) => mayLeave(task) && placeOf(record, task)?.site === site);
    const pilots = [...new Set(own.flatMap(({ place }) => place?.pilot ?? []))];
    return own.length === 0 ? [] : [{ site, why, tasks: own.map(({ at }) => at), pilots }];
  });
}

function whyAway(site: SiteState | undefined, nowMs: number): string | undefined {
  if (site === undefined) return "it was removed";
  if (site.isDraining) return "it takes no new jobs";
  const { seenAtMs, trouble } = site.observation;
  if (!isForeign(site.spec) || trouble === null || seenAtMs === null) return undefined;
  const forMs = nowMs - seenAtMs;
  return forMs < AWAY_MS ? undefined : `it has not answered for ${formatDuration(forMs)}`;
}

function isAnyOpen({ sites }: Projection): boolean {
  return [...sites.values()].some((site) => isOpen(site) && !isImitating(site.spec));
}

function placeOf(
  { pilots }: WorkflowRecord,
  { place }: WorkflowTask,
): WorkflowRecord["pilots"][number] | undefined {
  return place === null ? undefined : pilots[place.pilot];
}

/** True for a task that waits at one of these sites and can leave it. */
function leavable(
  projection: Projection,
  record: WorkflowRecord,
  { tasks, away }: { readonly tasks: readonly WorkflowTask[]; readonly away: ReadonlyMap<string, string> },
): (task: WorkflowTask) => boolean {
  const leftOut = tasksLeftOut(tasks, record);
  const files = filesOf(projection, record);
  const isLocal = (at: number): boolean => {
    const { isStored, copies } = files[at];
    return !isStored && copies.length > 0 && copies.every(({ site }) => away.has(site));
  };
  const isAwayAtWork = (task: WorkflowTask): boolean =>
    isAtWork(task.state) && away.has(placeOf(record, task)?.site ?? "");
  const isBound = tasks.map((task) => isAwayAtWork(task) || (task.reads ?? []).some(isLocal));
  // Parents may come after their children in the file: until nothing changes.
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (const { at, state, parents } of tasks) {
      if (isBound[at] || state !== "WAITING" || !parents.some((parent) => isBound[parent])) continue;
      isBound[at] = true;
      isSettled = false;
    }
  }
  return (task) => {
    const pilot = placeOf(record, task);
    if (task.state !== "WAITING" || pilot === undefined || leftOut.has(task.at)) return false;
    if (pilot.state !== "OPEN" || !away.has(pilot.site)) return false;
    const isBegun = projection.jobs.get(pilot.job)?.state === "RUNNING";
    const isDraining = projection.sites.get(pilot.site)?.isDraining === true;
    return isBegun ? !isDraining && !isBound[task.at] : true;
  };
}
