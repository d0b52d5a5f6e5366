/** Operations on pilots, as in `operations.ts`. */
import type { PilotQuery, PilotView } from "../contract/index.ts";
import { act, type Items, look, of } from "./operation-shapes.ts";

/** Table of operations. */
export const PILOT_OPERATIONS = {
  listPilots: { ...look, path: "/pilots", query: of<PilotQuery>(), answer: of<Items<PilotView>>() },
  getPilot: { ...look, path: "/pilots/:id", answer: of<PilotView>() },
  drainPilot: { ...act, path: "/pilots/:id/drain", answer: of<PilotView>() },
} as const;
