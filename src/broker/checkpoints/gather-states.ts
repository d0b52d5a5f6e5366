/**
 * States between the jobs of a partitionable job (rules BR-281, BR-282): a further try of a sub-job begins
 * from the last state of an earlier one, and the jobs that follow begin from the states of all sub-jobs.
 */
import { Fault } from "../../base/index.ts";
import { type DagNodeRecord, type JobRecord, nodeJobId } from "../../model/index.ts";
import type { StateContent } from "./given-states.ts";
import { PARTS_STATE, STATE_DIRECTORY, STEPS_FILE } from "./layout.ts";
import { type CarryWorld, carryState, contentOf, statesOf } from "./saved-states.ts";

/** Dependencies of gathering the states of sub-jobs. */
export interface GatherWorld extends CarryWorld {
  readonly find: (id: string) => Promise<JobRecord | undefined>;
  /** Nodes of a DAG that is not over. */
  readonly nodesOf: (dag: string) => readonly DagNodeRecord[];
}

/** Stores the state with which the current attempt of a job begins, from whatever job saved it. */
export async function gatherStates(world: GatherWorld, job: JobRecord): Promise<void> {
  await carryState(world, job);
  const { part, attempt } = job;
  if (part === undefined || world.given.newest(job.id, attempt) !== undefined) return;
  const nodes = world.nodesOf(part.id);
  if (part.steps !== undefined) return continueTry(world, job);
  const before = nodes[part.index]?.node.parents.flatMap((parent) => nodes[parent] ?? []) ?? [];
  const parts = before.filter(({ node }) => node.stepRange !== undefined);
  if (parts.length > 0) await world.given.keep(job.id, attempt, await aggregateOf(world, parts));
}

/** The last state that an earlier try of a node saved. */
async function continueTry(world: GatherWorld, job: JobRecord): Promise<void> {
  const { id = "", index = 0 } = job.part ?? {};
  const tries = world.nodesOf(id)[index]?.tries ?? 0;
  for (let number = tries - 1; number > 0; number--) {
    const earlier = await world.find(nodeJobId(id, index, number));
    const [state] = earlier === undefined ? [] : await statesOf(world, earlier);
    if (earlier === undefined || state === undefined) continue;
    return world.given.keep(job.id, job.attempt, await contentOf(world, earlier, state));
  }
}

/** The last states of sub-jobs as one, in the order of their steps, with the list of all steps. */
async function aggregateOf(world: GatherWorld, parts: readonly DagNodeRecord[]): Promise<StateContent> {
  const files: StateContent["files"][number][] = [];
  const lists: StateContent["files"][number]["bytes"][] = [];
  for (const { node, index, job: id } of parts) {
    const job = id === null ? undefined : await world.find(id);
    const [state] = job === undefined ? [] : await statesOf(world, job);
    if (job === undefined || state === undefined) throw partLost(node.name);
    const content = await contentOf(world, job, state);
    for (const { path, bytes } of content.files) {
      if (path === STEPS_FILE) lists.push(bytes);
      else files.push({ path: `${folderOf(node.name, index)}/${innerPath(path)}`, bytes });
    }
  }
  // Jobs write these lists, of any length: they are passed on as they are read.
  const steps = async function* () {
    for (const bytes of lists) yield* bytes();
  };
  return { name: PARTS_STATE, files: [{ path: "steps", bytes: steps }, ...files] };
}

/** Directory of a part: its name, unless a path might mean something else by it. */
function folderOf(name: string, index: number): string {
  return PLAIN_NAME.test(name) ? name : `node-${index}`;
}

const PLAIN_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$/;

function innerPath(path: string): string {
  const folder = `${STATE_DIRECTORY}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

function partLost(name: string): Fault {
  return new Fault({
    kind: "refused",
    code: "partStateGone",
    what: `the state of ${name} cannot be read`,
    why: "its files were removed, or its site is no longer configured",
    remedy: "submit the whole job again",
  });
}
