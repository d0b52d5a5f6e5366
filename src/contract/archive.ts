/** `/archives`: stretches of the log that are in files of their own. */
import { Type } from "typebox";
import { instant, orNull, ref, type Shape, strict } from "./fields.ts";

/** A stretch of the log in a file. */
export const archiveSchema = Type.Object(
  {
    from: Type.Integer({ minimum: 1, description: "Number of its first event" }),
    through: Type.Integer({ minimum: 1, description: "Number of its last event" }),
    firstAt: instant,
    lastAt: instant,
    sizeBytes: Type.Integer({ minimum: 0 }),
    file: orNull(
      Type.String({ description: "Path on the broker's host; null for callers who may not see the log" }),
    ),
  },
  { ...strict, description: "A range of the log in a file of its own" },
);

/** Archives, oldest first. */
export const archiveListSchema = Type.Object(
  { items: Type.Array(ref<ArchiveView>("Archive")) },
  { ...strict, description: "Archives of the log, oldest first" },
);

/** Which events to archive. */
export const archiveRequest = Type.Object(
  {
    olderThanSec: Type.Integer({
      minimum: 0,
      maximum: 10 ** 10,
      description: "Events recorded longer ago than this; the newest event always stays in the log",
    }),
  },
  strict,
);

/** A stretch of the log in a file. */
export type ArchiveView = Shape<typeof archiveSchema>;
/** Which events to archive. */
export type ArchiveRequest = Shape<typeof archiveRequest>;
