/**
 * Planners beside their references: proven optima, HEFT, a plain evaluation.
 *
 * `npx tsx bench/planners.ts [--long] [--evaluation]`; `--evaluation` runs only the times of evaluations.
 * Short: a sixteenth of PSPLIB's j30 at 1,000 schedules, 48 projects of 60 tasks above their critical paths,
 * and a tenth of the evaluations; long: all 480 projects at 1,000 and 5,000 schedules, projects of 120 tasks,
 * and MOGA on CyberShake. Budgets: mean deviation 0.3 % and 0.1 %; hypervolume of NSGA-II on ZDT1 116 of
 * 120.667 at 100 generations, 120 at 250; 1,000 evaluations of 100 tasks on 30 slots 200 ms of processor
 * time; CyberShake (8,039 tasks) 10 s by greedy, 30 s by MOGA.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, drawInteger, durationMs, instantMs, procs } from "../src/base/index.ts";
import { readWorkflowFile } from "../src/formats/workflow/index.ts";
import {
  cyberShake,
  type Instance,
  instanceOf,
  layeredWorkflow,
  measuresOf,
  ownPlatform,
  type PlannerName,
  type PlanningQuestion,
  type Platform,
  planningBy,
  type SlotForSale,
  type Workflow,
  type WorkflowDraft,
  workflowOf,
} from "../src/plan/index.ts";
import { placeOnSlots, type Slot } from "../src/profile/index.ts";
import { j30Projects } from "../test/psplib.ts";
import { hasSharedData } from "../test/shared-data.ts";
import { optimised, ZDT } from "../test/zdt.ts";
import { projects } from "./projects.ts";

const isLong = process.argv.includes("--long");

/** What a planner found, and the processor time that it took. */
interface Run {
  readonly makespanMs: number;
  readonly evaluations: number;
  readonly processorMs: number;
}

function run(name: PlannerName, instance: Instance, question: Partial<PlanningQuestion> = {}): Run {
  const begun = process.cpuUsage();
  const planning = planningBy(name, instance, { alpha: 0, seed: 1, ...question });
  let step = planning.next();
  while (step.done !== true) step = planning.next();
  const { user, system } = process.cpuUsage(begun);
  const { front, evaluations } = step.value;
  return { makespanMs: front[0].makespanMs, evaluations, processorMs: (user + system) / 1000 };
}

function instanceFrom(workflow: Workflow, platform: Platform): Instance {
  const instance = instanceOf(workflow, platform);
  if (!instance.ok) throw new Error(instance.refusal[0].what);
  return instance.value;
}

function checked(draft: WorkflowDraft): Workflow {
  const workflow = workflowOf(draft);
  if (!workflow.ok) throw new Error(workflow.refusal[0].what);
  return workflow.value;
}

/** Mean deviations from the optima of j30, in percent, of the search and of HEFT. */
async function besideOptima(schedules: number, step: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "stint-bench-"));
  let [searched, byHeft, count, passes, processorMs, optimal] = [0, 0, 0, 0, 0, 0];
  for (const { text, optimum } of j30Projects().filter((_, at) => at % step === 0)) {
    const file = join(folder, "project.sm");
    writeFileSync(file, text);
    const { workflow } = await readWorkflowFile(file);
    const instance = instanceFrom(workflow, ownPlatform(workflow.capacities ?? {}));
    const found = run("search", instance, { evaluations: schedules });
    const deviation = found.makespanMs / (1000 * optimum) - 1;
    searched += deviation;
    byHeft += run("heft", instance).makespanMs / (1000 * optimum) - 1;
    if (deviation === 0) optimal++;
    passes += found.evaluations;
    processorMs += found.processorMs;
    count++;
  }
  rmSync(folder, { recursive: true });
  const percent = (sum: number): string => `${((100 * sum) / count).toFixed(3)} %`;
  console.log(
    `j30, ${schedules} schedules, ${count} projects: search ${percent(searched)} above the optimum ` +
      `(${optimal} optimal), HEFT ${percent(byHeft)}; ` +
      `${((1000 * processorMs) / passes).toFixed(1)} µs a schedule`,
  );
}

/** Mean excess over the critical path, in percent, of projects that no planner was tuned to. */
function besideCriticalPaths(tasks: number, schedules: number): void {
  const begun = process.cpuUsage();
  const excesses = projects(tasks, 1).map((draft) => {
    const workflow = checked(draft);
    const instance = instanceFrom(workflow, ownPlatform(draft.capacities ?? {}));
    const { makespanMs } = run("search", instance, { evaluations: schedules });
    return makespanMs / measuresOf(workflow).criticalPathMs - 1;
  });
  const { user, system } = process.cpuUsage(begun);
  const mean = excesses.reduce((sum, one) => sum + one, 0) / excesses.length;
  console.log(
    `${excesses.length} projects of ${tasks} tasks, ${schedules} schedules: search ` +
      `${(100 * mean).toFixed(2)} % above the critical path; ${((user + system) / 1e6).toFixed(1)} s`,
  );
}

/** One open slot and holes that end, as a queue leaves them. */
function slotsOfQueue(openProcs: number): SlotForSale[] {
  const random = createRandom(5);
  const priced = { price: 1, fixedSu: 0 };
  const day = 86_400_000;
  const open = { startMs: 0, procs: openProcs, durationMs: 2 * day, divisible: true, extensible: true };
  const holes = Array.from({ length: 29 }, () => ({
    ...{ startMs: 1000 * drawInteger(random, 0, 40_000), procs: drawInteger(random, 1, 100) },
    ...{ durationMs: 1000 * drawInteger(random, 600, 30_000), divisible: false, extensible: false },
  }));
  return [open, ...holes].map((slot) => ({ ...slot, ...priced }));
}

/** Processor time to place a task by scheduling on slots as it is written down, a random half of them. */
function naiveMicroseconds({ workflow, platform }: Instance, evaluations: number): number {
  const random = createRandom(7);
  const begun = process.cpuUsage();
  for (let count = 0; count < evaluations; count++) {
    let left: readonly Slot[] = (platform.sites[0].slots ?? [])
      .map(({ startMs, durationMs: ms, procs: width, ...slot }, at) => ({
        ...{ ...slot, id: at + 1, startAt: instantMs(startMs), durationMs: durationMs(ms) },
        procs: procs(width),
      }))
      .filter(() => drawInteger(random, 0, 1) === 1);
    const endMs = new Float64Array(workflow.tasks.length);
    for (const task of workflow.order) {
      const { procs: width, runtimeMs = 0 } = workflow.tasks[task];
      const parents = workflow.parentOf.subarray(workflow.parentStart[task], workflow.parentStart[task + 1]);
      const wanted = { procs: procs(width), durationMs: durationMs(Math.ceil(runtimeMs)) };
      const notBefore = instantMs(parents.reduce((last, parent) => Math.max(last, endMs[parent]), 0));
      const placed = placeOnSlots(left, { ...wanted, notBefore });
      if (placed === undefined) continue;
      left = placed.slots;
      endMs[task] = placed.startAt + wanted.durationMs;
    }
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / (evaluations * workflow.tasks.length);
}

function machine(slots?: readonly SlotForSale[]): Platform {
  const site = { name: "ctc", procs: 430, speed: 1, price: 1 };
  return { sites: [slots === undefined ? site : { ...site, slots }], pairs: [] };
}

/** The parts about quality: optima, critical paths, and test problems of genetic algorithms. */
async function besideReferences(): Promise<void> {
  if (hasSharedData) {
    await besideOptima(1000, isLong ? 1 : 16);
    if (isLong) await besideOptima(5000, 1);
  } else console.log("skipped: the comparison with optima (no j30 in ../shared)");

  besideCriticalPaths(60, 1000);
  if (isLong) {
    besideCriticalPaths(60, 5000);
    for (const schedules of [1000, 5000]) besideCriticalPaths(120, schedules);
  }

  for (const kind of ["nsga2", "moga"] as const) {
    const found = Object.entries(ZDT).map(
      ([name, of]) => `${name} ${optimised(kind, of, 100).toFixed(3)} of ${of.best.toFixed(3)}`,
    );
    console.log(`${kind}, hypervolume to (11, 11), 100 generations of 100: ${found.join(", ")}`);
  }
  console.log(`nsga2, zdt1 at 250 generations: ${optimised("nsga2", ZDT.zdt1, 250).toFixed(3)}`);
}

if (!process.argv.includes("--evaluation")) await besideReferences();

const hundred = checked(layeredWorkflow({ tasks: 100, meanProcs: 22, mostProcs: 430 }, createRandom(5)));
const onSlots = instanceFrom(hundred, machine(slotsOfQueue(60)));
const naive = naiveMicroseconds(onSlots, 20);
for (const name of ["moga", "nsga2"] as const) {
  const times = Array.from({ length: 8 }, () => run(name, onSlots).processorMs);
  const best = Math.min(...times);
  console.log(
    `${name}, 100 tasks, 30 slots, 1000 evaluations: ${best.toFixed(0)} ms, ` +
      `${times[0].toFixed(0)} ms in the first run; ${(best / 100).toFixed(2)} µs per task, ` +
      `${((100 * naive) / best).toFixed(0)} times as fast as the plain evaluation (${naive.toFixed(0)} µs)`,
  );
}
const seismic = instanceFrom(checked(cyberShake()), machine(slotsOfQueue(300)));
console.log(`greedy, CyberShake on 30 slots: ${run("greedy", seismic).processorMs.toFixed(0)} ms`);
const tried = isLong ? 1000 : 50;
const { processorMs: seismicMs } = run("moga", seismic, { evaluations: tried });
console.log(`moga, CyberShake on 30 slots, ${tried} evaluations: ${seismicMs.toFixed(0)} ms`);
