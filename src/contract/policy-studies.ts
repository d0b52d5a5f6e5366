/** Long questions about policies, answered from the log: trials and verifications. */
import { Type } from "typebox";
import { DISCIPLINES, ESTIMATE_RULES, SHARED_RESOURCES } from "../model/index.ts";
import { instant, orNull, ppm, type Shape, siteName, strict } from "./fields.ts";
import { windowSchema } from "./policy.ts";
import { policyTextFields } from "./policy-check.ts";

/** `POST /policies/trial` */
export const policyTrialRequestSchema = Type.Object(
  {
    site: siteName,
    ...policyTextFields,
    since: Type.Optional({ ...instant, description: "Default: 30 days before the end" }),
    until: Type.Optional({ ...instant, description: "Default: now" }),
    discipline: Type.Optional(
      Type.Enum([...DISCIPLINES], {
        description: "Discipline of the queue behind the enforcer; default: the site's",
      }),
    ),
    estimates: Type.Optional(
      Type.Enum([...ESTIMATE_RULES], { description: "Run times that planning assumes; default: requested" }),
    ),
  },
  { ...strict, description: "Policies to simulate on the past jobs of a site, as text or as policies" },
);

const waitSec = (description: string) => Type.Number({ minimum: 0, description: `${description}, a mean` });
const errorSec = Type.Number({ minimum: 0, description: "Difference between simulated and recorded starts" });

/** `POST /policies/trial` */
export const policyTrialSchema = Type.Object(
  {
    ...{ site: Type.String(), since: instant, until: instant },
    jobs: Type.Integer({ minimum: 0, description: "Jobs that started in the period, and are compared" }),
    procs: Type.Integer({ minimum: 0 }),
    discipline: Type.Enum([...DISCIPLINES]),
    estimates: Type.Enum([...ESTIMATE_RULES]),
    baseline: Type.Object(
      { medianErrorSec: errorSec, p95ErrorSec: errorSec },
      {
        ...strict,
        description: "Error of the simulation under today's policies; a smaller effect is not significant",
      },
    ),
    consumers: Type.Array(
      Type.Object(
        {
          consumer: Type.String(),
          jobs: Type.Integer({ minimum: 0 }),
          neverStarted: Type.Integer({ minimum: 0, description: "Jobs that would never start" }),
          waitRecordedSec: waitSec("As recorded"),
          waitTodaySec: waitSec("Simulated under today's policies"),
          waitChangedSec: waitSec("Simulated under the tried policies"),
        },
        strict,
      ),
      { description: "Organisations, those that lose most first" },
    ),
    notes: Type.Array(Type.String(), { description: "Limits of the comparison, a sentence each" }),
  },
  { ...strict, description: "Consumers that the policies would have affected" },
);

/** `GET /sites/:name/verification` */
export const verificationQuery = Type.Object(
  {
    since: Type.Optional({ ...instant, description: "Start of the period; default: of the record" }),
    until: Type.Optional({ ...instant, description: "End of the period; default: of the record" }),
    tolerancePpm: Type.Optional(ppm),
  },
  strict,
);

const part = orNull(Type.Number(), { description: "Fraction of the capacity" });
const parts = {
  ...{ used: part, aboveBurst: part, aboveEpoch: part, aboveEpochContended: part, aboveEpochLent: part },
  ...{ notGiven: part, notGivenLent: part },
};
const jobCounts = {
  submitted: Type.Integer({ minimum: 0 }),
  completed: Type.Integer({ minimum: 0 }),
  completedPart: orNull(Type.Number()),
  meanResponseSec: orNull(Type.Number()),
};
const stretchFields = { from: instant, to: instant };
const stretches = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    first: Type.Array(Type.Object(stretchFields, strict), {
      description: "The first ones; others are counted",
    }),
  },
  strict,
);
const verdict = Type.Enum(["kept", "keptWhereRecorded", "violated", "unknown"]);
const resource = Type.Enum([...SHARED_RESOURCES]);

/** `GET /sites/:name/verification` */
export const verificationSchema = Type.Object(
  {
    ...{ site: Type.String(), ...stretchFields, verdict, measuredSec: Type.Number({ minimum: 0 }) },
    source: Type.Object(
      {
        kind: Type.Enum(["swf", "sacct", "logbook"]),
        name: Type.String(),
        sha256: orNull(Type.String()),
        policies: Type.Enum(["file", "logbook"]),
        remarks: Type.Array(Type.String()),
      },
      strict,
    ),
    seal: Type.String({ description: "Seal of a bundle of this evidence: a hash of its whole content" }),
    head: orNull(Type.Object({ seq: Type.Integer(), hash: Type.String() }, strict), {
      description: "Last event of the log that was read",
    }),
    definitions: Type.Object(
      {
        downtime: Type.String(),
        drain: Type.String(),
        demand: Type.String(),
        nodeFailure: Type.String(),
        time: Type.String(),
        tolerance: Type.Number({
          description: "Tolerance: fraction of the capacity below which an excess is no violation",
        }),
      },
      strict,
    ),
    gaps: Type.Array(Type.Object({ ...stretchFields, resource: Type.Optional(resource) }, strict)),
    excluded: Type.Array(Type.Object({ ...stretchFields, why: Type.String() }, strict)),
    unmeasured: Type.Array(resource),
    totals: Type.Array(Type.Object({ resource, ...parts }, strict)),
    jobs: Type.Object(jobCounts, strict),
    consumers: Type.Array(
      Type.Object(
        {
          ...{ consumer: Type.String(), resource, verdict },
          violated: Type.Array(Type.Enum(["burst", "epoch", "given"])),
          ...parts,
          ...jobCounts,
          agreed: Type.Object(
            {
              epochShare: Type.Number({ description: "Fraction of the site's capacity" }),
              window: windowSchema,
              burstShare: Type.Number(),
              bucketSec: Type.Number(),
              rule: Type.Enum(["entitlement", "cap"]),
              mode: Type.Enum(["shared", "preempting", "dedicated"]),
            },
            strict,
          ),
          when: Type.Object(
            { aboveBurst: stretches, aboveEpoch: stretches, contended: stretches, notGiven: stretches },
            strict,
          ),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: "How far each agreement was kept at a site, from the log" },
);

/** Policies to try on what ran at a site. */
export type PolicyTrialRequest = Shape<typeof policyTrialRequestSchema>;
/** Consumers that the policies would have affected. */
export type PolicyTrialView = Shape<typeof policyTrialSchema>;
/** Period of a verification. */
export type VerificationFilter = Shape<typeof verificationQuery>;
/** Compliance with each agreement at a site. */
export type VerificationView = Shape<typeof verificationSchema>;
