/** `/uploads`: content that goes with jobs. */
import { Type } from "typebox";
import { count, instant, orNull, ref, type Shape, strict } from "./fields.ts";

const sha256 = Type.String({
  pattern: "^[0-9a-f]{64}$",
  description: "Hash of the content, as sha256sum prints it",
});

/** `/uploads/:sha256` */
export const uploadParameters = Type.Object({ sha256 });

/** Query of a piece. */
export const uploadPieceQuery = Type.Object(
  {
    sizeBytes: Type.Integer({
      ...{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      description: "Size of the whole content",
    }),
    from: Type.Optional(
      Type.Integer({
        ...{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        description:
          "Offset of the first byte sent, which is the number of bytes received before; 0 if absent",
      }),
    ),
  },
  strict,
);

/** A piece: bytes, which no schema checks. */
export const uploadBody = {
  content: { "application/octet-stream": { schema: Type.Any({ description: "Bytes" }) } },
};

/** An upload. */
export const uploadSchema = Type.Object(
  {
    sha256,
    sizeBytes: orNull(count, { description: "Size of the whole content; null if none of it has arrived" }),
    receivedBytes: count,
    whole: Type.Boolean({
      description: "True when the content is complete and verified: jobs may refer to it",
    }),
    expiresAt: orNull(instant, { description: "When it is removed unless a job is submitted with it" }),
  },
  { ...strict, description: "Content for input files of jobs" },
);

/** All of the caller's. */
export const uploadListSchema = Type.Object(
  { items: Type.Array(ref<UploadView>("Upload")) },
  { ...strict, description: "Uploads of the caller" },
);

/** An upload. */
export type UploadView = Shape<typeof uploadSchema>;
/** Query of a piece. */
export type UploadPieceQuery = Shape<typeof uploadPieceQuery>;
