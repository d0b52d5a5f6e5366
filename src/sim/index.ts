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
export { type Area, axisBelow, axisLeft, type PictureName, scaleOf, svgPicture } from "./report/frame.ts";
export { type Cell, escaped, htmlTable, numberCell, place, tableBehind } from "./report/markup.ts";
export { STYLE } from "./report/style.ts";
export { type Axis, shareAxis, timeAxisUntil } from "./report/ticks.ts";
export type { RunHooks } from "./simulate-trace.ts";
export type { SlotSample } from "./slots/slot-statistics.ts";
