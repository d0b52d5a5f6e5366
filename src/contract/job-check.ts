/** `/jobs/check`: how a text of job descriptions is read: request and response. */
import { Type } from "typebox";
import type { JobSubmission } from "./description.ts";
import { as, orNull, type Shape, strict } from "./fields.ts";

/** Longest text of job descriptions in a request, in characters. */
const MOST_TEXT = 1_000_000;

/** `POST /jobs/check` */
export const jobCheckRequestSchema = Type.Object(
  {
    text: Type.String({
      maxLength: MOST_TEXT,
      description: "Job descriptions; paths in them are absolute, and of the broker's machine",
    }),
  },
  strict,
);

const translationSchema = Type.Object(
  {
    line: Type.Integer({ minimum: 1 }),
    written: Type.String({ description: "The directive as it was written, shortened" }),
    verdict: Type.Enum(["translated", "noEffect", "notTranslated"]),
    becomes: Type.Optional(Type.String({ description: "The attribute that it becomes, in YAML" })),
    why: Type.Optional(Type.String({ description: "Why it has no effect, or cannot be translated" })),
  },
  { ...strict, description: "The translation of one directive" },
);

/** Result of parsing a text of job descriptions; nothing was submitted. */
export const jobCheckSchema = Type.Object(
  {
    ok: Type.Boolean({ description: "True without errors: these jobs can be submitted" }),
    findings: Type.Array(
      Type.Object(
        {
          severity: Type.Enum(["error", "warning"]),
          line: orNull(Type.Integer({ minimum: 1, description: "Null: about the text as a whole" })),
          column: orNull(Type.Integer({ minimum: 1, description: "Column in characters" })),
          code: Type.String({ description: "Code of the finding, the same in all versions" }),
          what: Type.String(),
          why: Type.String(),
          remedy: Type.String(),
        },
        strict,
      ),
    ),
    jobs: Type.Array(
      as<JobSubmission>(
        Type.Object({}, { additionalProperties: true, description: "Body for `POST /jobs`" }),
      ),
    ),
    translations: Type.Array(translationSchema, {
      description: "Every directive of another language, in order; empty for YAML",
    }),
  },
  { ...strict, description: "Result of parsing a text of job descriptions; nothing was submitted" },
);

/** Result of parsing a text of job descriptions. */
export type JobCheckView = Shape<typeof jobCheckSchema>;
/** A text of job descriptions. */
export type JobCheckRequest = Shape<typeof jobCheckRequestSchema>;
