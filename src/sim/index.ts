export type { DescribeHooks } from "./describe/describe-trace.ts";
export { type PoissonDraw, poissonWorkload, SHIPPED_DRAW } from "./generate/poisson.ts";
export {
  affectedBy,
  describeTrace,
  generateWorkload,
  runScenario,
  simulateFile,
  simulateTrace,
  whatIf,
} from "./lazy-entries.ts";
export type { RunHooks } from "./simulate-trace.ts";
export type { SlotSample } from "./slots/slot-statistics.ts";
