export type { DescribeHooks } from "./describe/describe-trace.ts";
export type { UsedJob } from "./enforcing/use-trial.ts";
export { type PoissonDraw, poissonWorkload, SHIPPED_DRAW } from "./generate/poisson.ts";
export {
  affectedBy,
  affectedUse,
  describeTrace,
  generateWorkload,
  openSimulations,
  runScenario,
  simulateFile,
  simulateStreams,
  whatIf,
} from "./lazy-entries.ts";
export type { RunHooks } from "./simulate.ts";
export type { SlotSample } from "./slots/slot-statistics.ts";
