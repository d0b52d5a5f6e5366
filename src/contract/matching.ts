/** Ads of sites, and which sites match a job that is not submitted. */
import { Type } from "typebox";
import { descriptionFields } from "./description.ts";
import { count, instant, orNull, type Shape, strict } from "./fields.ts";

const { executable, ...otherFields } = descriptionFields;

/** The input files of a job, seen from a site. */
const inputDataSchema = Type.Object(
  {
    nearFiles: count,
    nearBytes: count,
    farFiles: count,
    farBytes: count,
    from: Type.Array(Type.String(), { description: "Sites from which the far files are read" }),
    transferSec: Type.Number({
      minimum: 0,
      description: "Predicted transfer time; it is part of the response time by which sites are ranked",
    }),
    isAssumed: Type.Boolean({ description: "Neither site declares links: 1 Gbit/s is assumed" }),
  },
  { ...strict, description: "The job's input files: in the site's own stores (near), or elsewhere (far)" },
);

/** `POST /jobs/match` */
export const matchRequestSchema = Type.Object(
  { executable: Type.Optional(executable), ...otherFields },
  strict,
);

/** Which sites match a job. */
export const jobMatchSchema = Type.Object(
  {
    sites: Type.Array(
      Type.Object(
        {
          ...{ name: Type.String(), takesJobs: Type.Boolean(), data: Type.Optional(inputDataSchema) },
          queue: Type.Optional(
            Type.String({
              description:
                "Set if exactly one queue of the site matches; the verdicts then refer to that queue's ad",
            }),
          ),
        },
        { ...strict, description: "A site" },
      ),
      { description: "Sites that are large enough for the job" },
    ),
    clauses: Type.Array(
      Type.Object(
        {
          of: Type.Enum(["job", "site"], {
            description: "Whether the clause belongs to the requirements of the job or of the site",
          }),
          text: Type.String(),
          verdicts: Type.Array(Type.Enum(["true", "false", "undefined", "error", "notAsked"]), {
            description:
              "Value of the clause at each site, in the order of `sites`; `notAsked`: the clause belongs " +
              "to another site's requirements",
          }),
        },
        strict,
      ),
    ),
    matches: Type.Array(Type.Object({ name: Type.String(), rank: Type.Number() }, strict), {
      description: "Matching sites, the preferred one first",
    }),
    changes: Type.Array(Type.Object({ text: Type.String(), wins: count }, strict), {
      description: "Changes with which more sites match, found by trying, best first",
    }),
  },
  { ...strict, description: "Which sites match a job, clause by clause" },
);

/** The ad of a site. */
export const siteAdSchema = Type.Object(
  {
    site: Type.String(),
    at: orNull(Type.String({ ...instant, description: "Instant at which it was valid; null: never seen" })),
    ageSec: orNull(Type.Number({ minimum: 0 })),
    lifetimeSec: Type.Number({ description: "An ad that is older is out of date" }),
    classad: Type.String({ description: "The ad in the names of GLUE 1.3" }),
    glue2: Type.Object({}, { additionalProperties: true, description: "Its entities in GLUE 2" }),
    queues: orNull(
      Type.Array(
        Type.Object(
          {
            ...{ queue: Type.String(), classad: Type.String() },
            glue2: Type.Object({}, { additionalProperties: true }),
          },
          { ...strict, description: "The ad of a queue" },
        ),
        { description: "Queues of a cluster; null: the cluster cannot be queried now" },
      ),
    ),
  },
  { ...strict, description: "The ad of a site" },
);

/** A job whose sites are matched. */
export type JobMatchRequest = Shape<typeof matchRequestSchema>;
/** Which sites match a job. */
export type JobMatchView = Shape<typeof jobMatchSchema>;
/** The ad of a site. */
export type SiteAdView = Shape<typeof siteAdSchema>;
