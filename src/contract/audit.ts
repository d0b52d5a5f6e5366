/** `/audit` and `/sites/:name/identity`: under which accounts pilots ran jobs, and would run a job. */
import { Type } from "typebox";
import { IDENTITY_MODES } from "../model/index.ts";
import { consumerPath, count, instant, instantGiven, orNull, ref, type Shape, strict } from "./fields.ts";

const textOrNull = (description: string) => orNull(Type.String({ description }));
const ruleNumber = orNull(
  Type.Integer({
    minimum: 1,
    description: "Number of the mapping rule that decided, from 1; null: no rule was checked",
  }),
);

/** `GET /audit` */
export const auditQuery = Type.Object(
  {
    node: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: "Only this node" })),
    site: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: "Only this site" })),
    job: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: "Only this job" })),
    at: Type.Optional(instantGiven),
  },
  strict,
);

/** A decision of a site about a job. */
export const auditSchema = Type.Object(
  {
    job: Type.String(),
    attempt: count,
    site: Type.String(),
    pilot: orNull(Type.String()),
    node: orNull(Type.String()),
    owner: Type.String(),
    consumer: Type.String(),
    executable: Type.String(),
    sha256: textOrNull("SHA-256 of the program; null where it could not be read"),
    mode: Type.Enum([...IDENTITY_MODES]),
    account: textOrNull("Local account; null: the account of the pilot"),
    rule: ruleNumber,
    refused: textOrNull("Why the site refused the job; null: the job ran"),
    decision: Type.String({ description: "Decision, as a clause" }),
    from: instant,
    to: orNull(Type.String({ format: "date-time", description: "End of the run; null while it runs" })),
    cause: textOrNull("Why it ended: exited, signalled, timeLimit, cancelled, lost"),
    exitCode: orNull(Type.Integer()),
    cpuSec: orNull(Type.Number({ minimum: 0, description: "User and system time in seconds" })),
  },
  { ...strict, description: "A job that a pilot ran, or that a site refused" },
);

/** Decisions of sites, as a list. */
export const auditListSchema = Type.Object(
  { items: Type.Array(ref<AuditView>("Audit")) },
  { ...strict, description: "Decisions about jobs in pilots, the latest first" },
);

/** `GET /sites/:name/identity` */
export const identityQuery = Type.Object(
  {
    as: consumerPath,
    executable: Type.String({ minLength: 1, maxLength: 4096, description: "Path of a program" }),
    at: Type.Optional(instantGiven),
  },
  strict,
);

/** The account under which a site would run a job. */
export const identitySchema = Type.Object(
  {
    mode: Type.Enum([...IDENTITY_MODES]),
    account: textOrNull("Local account; null: the account of the pilot, or the job is refused"),
    pool: Type.Optional(
      Type.Array(Type.String(), { description: "Accounts of which one is leased to the owner of the job" }),
    ),
    rule: ruleNumber,
    refused: textOrNull("Why the site refuses the job; null: it would run"),
  },
  { ...strict, description: "The account under which pilots of a site would run a program of a consumer" },
);

/** A decision of a site about a job. */
export type AuditView = Shape<typeof auditSchema>;
/** Which decisions to list. */
export type AuditQuery = Shape<typeof auditQuery>;
/** Consumer and program whose account is requested. */
export type IdentityQuery = Shape<typeof identityQuery>;
/** The account under which a site would run a job. */
export type IdentityView = Shape<typeof identitySchema>;
