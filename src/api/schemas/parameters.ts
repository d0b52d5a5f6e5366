/**
 * Parameters of paths and queries.
 */
import { Type } from "@fastify/type-provider-typebox";
import { JOB_STATES } from "../../model/index.ts";

/** `/jobs/:id` */
export const jobParameters = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: "The id, or as much of it as is unique" }),
});

/** `/jobs/:id/files/:name` */
export const fileParameters = Type.Object({
  ...jobParameters.properties,
  name: Type.String({
    pattern: "^(?!\\.\\.?$)[^/\\u0000]+$",
    maxLength: 255,
    description: "the name of a file in the job's directory",
  }),
});

/** `/jobs` */
export const listQuery = Type.Object(
  {
    state: Type.Optional(
      Type.Array(Type.Enum([...JOB_STATES]), { maxItems: 20, description: "May be given several times" }),
    ),
    owner: Type.Optional(Type.String()),
    consumer: Type.Optional(Type.String({ description: "The consumer path or anything below it" })),
    site: Type.Optional(Type.String()),
    since: Type.Optional(
      Type.String({
        // A day alone is one of UTC; a time without a zone would be another instant at every reader.
        pattern: "^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d))?$",
        description: "a day or an instant as in 2026-11-20 or 2026-11-20T08:30:00Z",
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
    cursor: Type.Optional(Type.String({ maxLength: 1024, description: "`next` of the page before" })),
  },
  { additionalProperties: false },
);

/** `/jobs/:id/files/:name` */
export const readQuery = Type.Object(
  {
    from: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "The first byte" }),
    ),
    follow: Type.Optional(
      Type.Boolean({ description: "Wait for more until the job is over and all of it is sent" }),
    ),
  },
  { additionalProperties: false },
);

/** The header of a POST that creates. */
export const idempotencyHeaders = Type.Object({
  "idempotency-key": Type.Optional(
    Type.String({
      pattern: "^[!-~]{1,255}$",
      description: "1 to 255 visible ASCII characters; the same key with the same body submits once",
    }),
  ),
});
