/**
 * Workflows for experiments: the source's layered random workflow, and the seismic workflow CyberShake.
 *
 * Source: [PROV] 4.7. Level sizes are multinomial with equal probabilities, at least 1; runtimes uniform
 * up to twice their mean, processors uniform from 1 to 2m − 1; parents are two distinct tasks of the level
 * above. Of CyberShake the levels are our reading, since the drawing is lost.
 */
import { drawExponential, drawFraction, drawInteger, type Random } from "../../base/index.ts";
import type { ParentDraft, TaskDraft, WorkflowDraft } from "./draft.ts";

/** Distribution of runtimes and processors around their means. */
type DrawnVariant = "uniform" | "exponential" | "constant";

/** A layered workflow to be drawn. */
export interface LayeredWorkflow {
  readonly tasks: number;
  /** Number of levels; the square root of the tasks where absent. */
  readonly depth?: number;
  readonly meanProcs: number;
  /** Size of the largest site, which caps the processors. */
  readonly mostProcs: number;
  readonly meanRuntimeMs?: number;
  /** Of every edge. */
  readonly bytes?: number;
  readonly variant?: DrawnVariant;
}

const MEAN_RUNTIME_MS = 1_000_000;

/** A layered random workflow. */
export function layeredWorkflow(wanted: LayeredWorkflow, random: Random): WorkflowDraft {
  const { tasks: count, meanProcs, mostProcs, bytes = 0, variant = "uniform" } = wanted;
  const depth = Math.min(count, wanted.depth ?? Math.round(Math.sqrt(count)));
  const sizes = levelSizes(count, depth, random);
  const tasks: TaskDraft[] = [];
  let above: readonly string[] = [];
  for (const [level, size] of sizes.entries()) {
    const own = Array.from({ length: size }, (_, at) => `t${level + 1}.${at + 1}`);
    for (const id of own) {
      const procs = drawProcs(meanProcs, variant, random);
      const runtimeMs = drawRuntime(wanted.meanRuntimeMs ?? MEAN_RUNTIME_MS, variant, random);
      const parents = twoOf(above, random).map((parent): ParentDraft => ({ id: parent, bytes }));
      tasks.push({ id, procs: Math.min(mostProcs, procs), runtimeMs, parents });
    }
    above = own;
  }
  return { name: "layered", tasks };
}

/** Two seismic variations per pair of tasks at its end: 8,039 tasks in all. */
const PAIRS = 4017;
const WIDE_PROCS = 288;

/** The CyberShake workflow of the source. */
export function cyberShake(pairs = PAIRS): WorkflowDraft {
  const task = (id: string, sec: number, procs: number, ...parents: readonly string[]): TaskDraft => ({
    ...{ id, procs, runtimeMs: 1000 * sec },
    parents: parents.map((parent) => ({ id: parent, bytes: 0 })),
  });
  const checks = ["pmvl_chk1", "pmvl_chk2"] as const;
  const ends = Array.from({ length: pairs }, (_, at) => at + 1);
  return {
    name: "CyberShake",
    tasks: [
      task("fd_grid_xyz", 1, 1),
      task("preSGT", 300, 1, "fd_grid_xyz"),
      task("fd_grid_cvm", 2100, WIDE_PROCS, "fd_grid_xyz"),
      ...checks.map((id) => task(id, 86_400, WIDE_PROCS, "preSGT", "fd_grid_cvm")),
      ...ends.map((at) => task(`synthSGT_${at}`, 519, 1, ...checks)),
      ...ends.map((at) => task(`peakValCal_${at}`, 1, 1, `synthSGT_${at}`)),
    ],
  };
}

function levelSizes(count: number, depth: number, random: Random): readonly number[] {
  const sizes = new Array<number>(depth).fill(1);
  for (let left = count - depth; left > 0; left--) sizes[drawInteger(random, 0, depth - 1)]++;
  return sizes;
}

function drawRuntime(meanMs: number, variant: DrawnVariant, random: Random): number {
  if (variant === "constant") return meanMs;
  if (variant === "exponential") return Math.max(1, Math.round(drawExponential(random, meanMs)));
  return Math.max(1, Math.round(2 * meanMs * (1 - drawFraction(random))));
}

function drawProcs(mean: number, variant: DrawnVariant, random: Random): number {
  if (variant === "constant") return mean;
  if (variant === "exponential") return Math.max(1, Math.round(drawExponential(random, mean)));
  return drawInteger(random, 1, 2 * mean - 1);
}

/** Two distinct ones, or as many as there are. */
function twoOf(above: readonly string[], random: Random): readonly string[] {
  if (above.length < 2) return above;
  const first = drawInteger(random, 0, above.length - 1);
  const second = drawInteger(random, 0, above.length - 2);
  return [above[first], above[second < first ? second : second + 1]];
}
