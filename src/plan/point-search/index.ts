/** Points of a search: which are next, and which is best. */
export { nextPoints } from "./next-points.ts";
export { isUsable, objectiveIn } from "./objective.ts";
export { programPoint } from "./program-point.ts";
export { summaryOf } from "./summary.ts";
