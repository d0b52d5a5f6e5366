/**
 * Plans what is left of a workflow on the sites as they are now, by HEFT, and confirms the plan: at most five
 * times on fresh state. Where that fails, the reason goes to whoever asked.
 */
import { type AnswerTo, query } from "../../engine/index.ts";
import {
  besideProcs,
  type NodeRules,
  type PlacedPlan,
  REPLANNING,
  refusalText,
  type WorkflowFile,
} from "../../model/index.ts";
import {
  choosePlan,
  instanceOf,
  type Platform,
  planningBy,
  type StagedFile,
  type StatedPlan,
  sitePlan,
  statedPlan,
  type TaskDraft,
  withLanes,
  workflowOf,
} from "../../plan/index.ts";
import type { BrokerApi, Round } from "../../runtime/index.ts";
import { confirmPlan } from "./confirm-plan.ts";

type Remainder = NonNullable<AnswerTo<"workflowRemainder">>;

/** Dependencies on the broker. */
export interface PlanningWorld {
  readonly round: Round;
  readonly slots: BrokerApi["slots"];
}

/** Why a workflow could not be planned again; undefined where it was, or need not be. */
export async function planAgain(world: PlanningWorld, workflow: string): Promise<string | undefined> {
  let why: string | undefined;
  for (let attempt = 1; attempt <= REPLANNING.most; attempt++) {
    why = await planOnce(world, workflow);
    if (why === undefined) return undefined;
  }
  return why;
}

async function planOnce({ round, slots }: PlanningWorld, workflow: string): Promise<string | undefined> {
  const { projection } = round;
  const names = [...projection.sites.keys()];
  const sets = (await Promise.all(names.map((name) => slots(name)))).filter((set) => set !== undefined);
  const nowMs = round.nowMs();
  const left = query(projection, { name: "workflowRemainder", question: workflow }, nowMs);
  if (left === undefined) return undefined;
  const { consumer } = left.record;
  const { platform, beginMs } = query(
    projection,
    { name: "livePlatform", question: { sets, consumer } },
    nowMs,
  );
  const files = query(projection, { name: "workflowFiles", question: workflow }, nowMs);
  const planned = planOf({ ...left, files }, platform, beginMs);
  if (typeof planned === "string") return planned;
  const plan = placedPlan(left, planned, beginMs);
  const answer = await confirmPlan({ round }, { kind: "replanWorkflow", workflow, ...plan }, left.record);
  return answer.ok ? undefined : refusalText(answer.refusal).why;
}

/** Margin of planned runtimes: a fraction of the runtime, and the time to start a task. */
const SLACK = { part: 0.1, startMs: 2000 };

/** A plan of the tasks that are left, or why there is none. Running tasks take part without processors. */
function planOf(
  { record, tasks, running, files }: Remainder & { readonly files: readonly WorkflowFile[] },
  platform: Platform,
  beginMs: number,
): StatedPlan | string {
  const known = new Set([...tasks.map(({ at }) => at), ...running.map(({ task }) => task.at)]);
  const drafts: readonly TaskDraft[] = [
    ...running.map(({ task, endMs }) => ({
      ...{ id: String(task.at), procs: 0, parents: [], rules: { ...rulesOf(task), priority: RUNS_ALREADY } },
      runtimeMs: Math.max(0, endMs - beginMs),
    })),
    ...tasks.map(({ at, procs, runtimeMs, parents, reads = [], ...task }) => ({
      ...{ id: String(at), procs, ...besideProcs(task), rules: rulesOf(task) },
      inputs: reads.flatMap((one) => stagedFile(files[one])),
      runtimeMs: Math.ceil(runtimeMs + runtimeMs * SLACK.part) + SLACK.startMs,
      parents: parents.filter((one) => known.has(one)).map((one) => ({ id: String(one), bytes: 0 })),
    })),
  ];
  const { limits = {} } = record;
  const workflow = workflowOf({ name: record.name, tasks: drafts, execution: { limits } });
  if (!workflow.ok) return workflow.refusal[0].why;
  const instance = instanceOf(withLanes(workflow.value), platform);
  if (!instance.ok) return instance.refusal[0].what;
  const question = { alpha: 0, seed: 1 };
  const planning = planningBy("heft", instance.value, question);
  let step = planning.next();
  while (step.done !== true) step = planning.next();
  const { plan, shortfalls } = choosePlan(step.value.front, question);
  if (shortfalls.length > 0) return "not all of its tasks fit into what the sites have free";
  return statedPlan(instance.value, sitePlan(instance.value, plan));
}

/** A file that exists, with the sites that have it. */
function stagedFile({ bytes, copies }: WorkflowFile): readonly StagedFile[] {
  return bytes === null ? [] : [{ bytes, at: copies.map(({ site }) => site) }];
}

/** Priority of running tasks, so that they come first within limits on tasks that run at once. */
const RUNS_ALREADY = Number.MAX_SAFE_INTEGER;

/** Rules that planning respects: priorities and categories. */
function rulesOf({ priority, category }: NodeRules): NodeRules {
  return {
    ...(priority === undefined ? {} : { priority }),
    ...(category === undefined ? {} : { category }),
  };
}

/** Pilots and places of a plan, at instants. */
function placedPlan({ record, tasks }: Remainder, plan: StatedPlan, beginMs: number): PlacedPlan {
  const first = record.pilots.length;
  const isLeft = new Set(tasks.map(({ at }) => at));
  const at = (sec: number): number => beginMs + Math.round(sec * 1000);
  const pilots = plan.reservations.map(
    ({ site, procs, startSec, endSec, ...beside }, number): PlacedPlan["pilots"][number] => ({
      job: `${record.id}-p${first + number}`,
      reservation: `${record.id}-r${first + number}-${beginMs.toString(36)}`,
      ...{ site, procs, ...besideProcs(beside), startMs: at(startSec), endMs: at(endSec) },
    }),
  );
  const places = plan.tasks.flatMap(({ id, startSec, endSec, reservation }) =>
    reservation === undefined || !isLeft.has(Number(id))
      ? []
      : [{ task: Number(id), pilot: first + reservation, startMs: at(startSec), endMs: at(endSec) }],
  );
  return { pilots, places, mostProcMs: null };
}
