/** Operations on workflows and what they are planned on; a part of the table of all operations. */
import type { PlatformFilter, PlatformView } from "../contract/index.ts";
import { look, of } from "./operation-shapes.ts";

/** Rows of the table of operations. */
export const WORKFLOW_OPERATIONS = {
  getPlatform: { ...look, path: "/platform", query: of<PlatformFilter>(), answer: of<PlatformView>() },
} as const;
