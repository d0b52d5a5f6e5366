/** Operations on the files of jobs at their sites, as in `operations.ts`. */
import type { FileView } from "../contract/index.ts";
import { type Items, look, none, of, remove } from "./operation-shapes.ts";

interface FileQuery {
  /** First byte. */
  readonly from?: number;
  /** True to follow the file until the job has ended. */
  readonly follow?: boolean;
}

/** Table of operations. */
export const FILE_OPERATIONS = {
  listFiles: { ...look, path: "/jobs/:id/files", answer: of<Items<FileView>>() },
  clearFiles: { ...remove, again: "same", path: "/jobs/:id/files", answer: of<Items<FileView>>() },
  readFile: { ...look, path: "/jobs/:id/files/:name", query: of<FileQuery>(), answer: none },
} as const;
