export { type PoissonDraw, poissonWorkload, SHIPPED_DRAW } from "./poisson-workload.ts";
export { type RunHooks, simulateTrace } from "./simulate-trace.ts";
