/**
 * What is submitted: a job description as JSON, with its defaults left out or not.
 */
import { basename } from "node:path";
import { Type } from "@fastify/type-provider-typebox";
import { readTicket } from "../../formats/ticket/index.ts";
import { JOB_DEFAULTS, type JobDescription } from "../../model/index.ts";
import type { JobSubmission } from "../client/types.ts";
import type { ProblemPlace } from "../problem.ts";

/** Most descriptions in one request. */
export const BULK_LIMIT = 1000;

/** However many of them wait for one another, the last still begins at a date that can be written. */
const MOST_WALL_TIME_MS = 10 * 366 * 24 * 3_600_000;

/** Text that reaches the operating system, where a NUL would end it. */
const word = { pattern: "^[^\\u0000]*$", description: "text without NUL" };
const text = Type.String(word);
const fileName = Type.String({
  pattern: "^(?!\\.\\.?$)[^/\\u0000]+$",
  maxLength: 255,
  description: "the name of a file in the job's directory, without /",
});
const absolutePath = Type.String({
  pattern: "^/[^\\u0000]*[^/\\u0000]$",
  maxLength: 4096,
  description: "the absolute path of a file",
});

/** A path of up to eight names. */
const NAME = "[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,63}";
/** A consumer path. */
export const CONSUMER = `^${NAME}(/${NAME}){0,7}$`;

/** On whose behalf jobs are submitted. */
export const submitQuery = Type.Object(
  {
    for: Type.Optional(
      Type.String({ pattern: CONSUMER, description: "The consumer whose jobs they are; yours where absent" }),
    ),
  },
  { additionalProperties: false },
);

/** What a description says. */
export const descriptionFields = {
  executable: Type.String({
    ...word,
    minLength: 1,
    description:
      "A program; on the site's path, by its " + "absolute path, or by its name in the input sandbox",
  }),
  arguments: Type.Optional(Type.Array(text)),
  environment: Type.Optional(
    Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), text, {
      additionalProperties: false,
    }),
  ),
  stdOutput: Type.Optional(fileName),
  stdError: Type.Optional(fileName),
  inputSandbox: Type.Optional(Type.Array(absolutePath, { maxItems: 10_000 })),
  outputSandbox: Type.Optional(Type.Array(fileName, { maxItems: 10_000 })),
  cpuNumber: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, default: 1 })),
  memoryBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  gpus: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  wallTimeMs: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_WALL_TIME_MS,
      description: "The time limit, ten years at most",
    }),
  ),
  delayCostSuPerHour: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: "Its processors where absent" }),
  ),
  site: Type.Optional(Type.String({ pattern: "^[^\\s\\u0000]+$", description: "a name without blanks" })),
  reservation: Type.Optional(
    Type.String({ pattern: "^[a-z0-9-]{1,64}$", description: "the whole id of a reservation" }),
  ),
  ticket: Type.Optional(
    Type.String({ maxLength: 5000, description: "A ticket's line; the job is then of the ticket's site" }),
  ),
  virtualOrganisation: Type.Optional(
    Type.String({ pattern: CONSUMER, description: "A consumer path within yours, or above it" }),
  ),
  userTags: Type.Optional(Type.Record(Type.String(), Type.String())),
};

/** One description. */
export const submissionSchema = Type.Unsafe<JobSubmission>(
  Type.Object(descriptionFields, { additionalProperties: false }),
);

/** One description, or many. */
export const submissionsSchema = Type.Union([
  submissionSchema,
  Type.Array(submissionSchema, { minItems: 1, maxItems: BULK_LIMIT }),
]);

/** The description with everything said that was left out. */
export function completeDescription(submission: JobSubmission): JobDescription {
  return { ...JOB_DEFAULTS, ...ticketSite(submission), ...submission };
}

/** A ticket is for one site; what cannot be read is told by the broker. */
function ticketSite({ ticket }: JobSubmission): Pick<JobSubmission, "site"> {
  const read = ticket === undefined ? undefined : readTicket(ticket);
  return read?.ok === true ? { site: read.value.ticket.site } : {};
}

/** Files of the input sandbox that would meet in the job's directory; at most one place per description. */
export function doubledInputs(submissions: readonly JobSubmission[], isBulk: boolean): ProblemPlace[] {
  return submissions.flatMap((submission, index) => {
    const names = (submission.inputSandbox ?? []).map((path) => basename(path));
    const seen = new Set<string>();
    const at = names.findIndex((name) => seen.size === seen.add(name).size);
    if (at === -1) return [];
    const pointer = `${isBulk ? `/${index}` : ""}/inputSandbox/${at}`;
    return { pointer, detail: `a second file called ${names[at]} would stand in the job's directory` };
  });
}
