/** Operations on streams, as in `operations.ts`. */
import type { StreamChangeRequest, StreamList, StreamRequest, StreamView } from "../contract/index.ts";
import { act, create, look, of } from "./operation-shapes.ts";

const stream = of<StreamView>();

/** Table of operations. */
export const STREAM_OPERATIONS = {
  submitStream: { ...create, path: "/streams", body: of<StreamRequest>(), answer: stream },
  listStreams: { ...look, path: "/streams", answer: of<StreamList>() },
  getStream: { ...look, path: "/streams/:id", answer: stream },
  changeStream: { ...act, path: "/streams/:id/change", body: of<StreamChangeRequest>(), answer: stream },
} as const;
