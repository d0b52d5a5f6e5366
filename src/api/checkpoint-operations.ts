/** Operations on the states that jobs saved, as in `operations.ts`. */
import type { CheckpointFilesView, CheckpointView } from "../contract/index.ts";
import { type Items, look, none, of } from "./operation-shapes.ts";

/** Table of operations. */
export const CHECKPOINT_OPERATIONS = {
  listCheckpoints: { ...look, path: "/jobs/:id/checkpoints", answer: of<Items<CheckpointView>>() },
  getCheckpoint: { ...look, path: "/jobs/:id/checkpoints/:name", answer: of<CheckpointFilesView>() },
  readCheckpoint: { ...look, path: "/jobs/:id/checkpoints/:name/files/:path", answer: none },
} as const;
