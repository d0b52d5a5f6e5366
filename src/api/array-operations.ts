/** Operations on arrays of jobs; a part of the table of all operations. */
import type { ArrayFilter, ArrayList, ArrayView, ScoutDecision } from "../contract/index.ts";
import { act, look, of } from "./operation-shapes.ts";

const array = of<ArrayView>();

/** Rows of the table of operations. */
export const ARRAY_OPERATIONS = {
  listArrays: { ...look, path: "/arrays", query: of<ArrayFilter>(), answer: of<ArrayList>() },
  getArray: { ...look, path: "/arrays/:id", answer: array },
  cancelArray: { ...act, path: "/arrays/:id/cancel", answer: array },
  holdArray: { ...act, path: "/arrays/:id/hold", answer: array },
  releaseArray: { ...act, path: "/arrays/:id/release", answer: array },
  suspendArray: { ...act, path: "/arrays/:id/suspend", answer: array },
  resumeArray: { ...act, path: "/arrays/:id/resume", answer: array },
  decideScouts: { ...act, path: "/arrays/:id/scouts", body: of<ScoutDecision>(), answer: array },
} as const;
