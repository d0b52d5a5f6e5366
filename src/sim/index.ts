export { type DescribeHooks, describeTrace } from "./describe/describe-trace.ts";
export { generateWorkload } from "./generate/generate-workload.ts";
export { type PoissonDraw, poissonWorkload, SHIPPED_DRAW } from "./generate/poisson.ts";
export { runScenario } from "./scenario/run-scenario.ts";
export { simulateFile } from "./simulate-file.ts";
export { type RunHooks, simulateTrace } from "./simulate-trace.ts";
export type { SlotSample } from "./slots/slot-statistics.ts";
export { whatIf } from "./what-if/what-if.ts";
