/** Workflows: what they are planned on. */
import type { Feature } from "../../feature.ts";
import { livePlatform } from "./live-platform.ts";

export const workflows = {
  name: "workflows",
  queries: { livePlatform },
} as const satisfies Feature;
