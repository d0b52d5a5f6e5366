/** Predictions for jobs that are not submitted: requests and responses. */
import { Type } from "typebox";
import type { Assumption, Unfit } from "../engine/index.ts";
import { SITE_SELECTORS } from "../model/index.ts";
import { START_METHODS } from "../predict/index.ts";
import { descriptionFields } from "./description.ts";
import type { FactsView } from "./facts.ts";
import { as, count, instant, open, orNull, part, ref, type Shape, strict } from "./fields.ts";
import type { JobMatchView } from "./matching.ts";
import { peersAtSiteSchema } from "./peer.ts";
import type { PricedStartView } from "./quote.ts";

const { executable, ...otherFields } = descriptionFields;

/** A description of which only the fields that the queue sees count; all are optional. */
export const thoughtOfSchema = Type.Object(
  {
    executable: Type.Optional(executable),
    ...otherFields,
    sites: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        maxItems: 1000,
        description: "Sites to consider; default: all",
      }),
    ),
    partition: Type.Optional(
      Type.String({ minLength: 1, description: "Partition at clusters; default: the cluster's" }),
    ),
    condition: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 10_000,
        description:
          "ClassAd expression over the facts of a site, as in `stint when --condition`; sites for " +
          "which it is true are recommended",
      }),
    ),
    select: Type.Optional(
      Type.Enum([...SITE_SELECTORS], {
        description: "Selector among recommended sites; default: the organisation's",
      }),
    ),
    deadline: Type.Optional(
      Type.String({
        pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d)$",
        description: "an instant as in 2026-11-20T08:30:00Z, by which it is to start",
      }),
    ),
  },
  strict,
);

const waitSec = Type.Number({ description: "Seconds, to the millisecond" });

/** Record of a method's predictions. */
export const scoreSchema = Type.Object(
  {
    of: Type.Enum(["class", "site"]),
    kept: Type.Array(
      Type.Object(
        {
          probability: part,
          promises: count,
          kept: Type.Number({
            minimum: 0,
            maximum: 1,
            description: "Fraction of the predictions that came true",
          }),
          fellShort: Type.Boolean(),
        },
        strict,
      ),
    ),
    medianErrorSec: Type.Number({ description: "Seconds, to the millisecond" }),
  },
  {
    ...strict,
    description:
      "How often this method's predictions came true: for similar jobs (`class`) or for all jobs " +
      "of the site (`site`)",
  },
);

const forecast = Type.Object(
  {
    method: Type.Enum([...START_METHODS]),
    promises: Type.Array(
      Type.Object(
        { probability: part, waitSec, startAt: instant },
        { ...strict, description: "Probability that it starts within `waitSec`" },
      ),
    ),
    score: scoreSchema,
    hasBeenWrong: Type.Boolean({
      description: "True if significantly fewer predictions came true than their probability promises",
    }),
    assumptions: Type.Array(as<Assumption>(Type.String())),
  },
  strict,
);

const choice = Type.Object(
  {
    honoured: Type.Enum(["now", "later", "never"]),
    limit: orNull(Type.String({ description: "Policy limit that the job would exceed; null: none" })),
    level: orNull(Type.String({ description: "Consumer to whom the limit applies; null: the site itself" })),
    policy: orNull(
      Type.Object(
        { resource: Type.String(), provider: Type.String(), consumer: Type.String() },
        { ...strict, description: "Policy that sets the limit; null: none" },
      ),
    ),
    priceSu: orNull(Type.Number({ description: "Price of the job if it uses its whole limit" })),
    usedShare: Type.Number({ minimum: 0, description: "Use and demand as a fraction of the site" }),
    freeProcs: count,
    honouredRate: orNull(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: "Fraction of placements in which the site did as predicted",
      }),
    ),
    followed: Type.Integer({ minimum: 0, description: "Number of placements behind the rate" }),
    isRecommended: Type.Boolean({
      description: "The site accepts jobs, its policies admit this one, and it meets the condition",
    }),
    isChosen: Type.Boolean({ description: "Chosen by the selector" }),
  },
  { ...strict, description: "Facts from which a site is chosen: a row of `stint when -o wide`" },
);

const prospect = Type.Object(
  {
    site: Type.String(),
    peers: Type.Optional(peersAtSiteSchema),
    partition: orNull(Type.String()),
    takesJobs: Type.Boolean({ description: "True if jobs are submitted there now" }),
    imitates: Type.Optional(
      Type.Boolean({ description: "The site runs no programs; only jobs that name it are sent there" }),
    ),
    fits: orNull(Type.Boolean({ description: "null: the site could not be queried" })),
    refusal: orNull(
      as<RefusalThere>(
        Type.Object(
          { kind: Type.String(), text: Type.String() },
          { ...open, description: "Reason why it would never start there, with the facts" },
        ),
      ),
    ),
    trouble: orNull(Type.String({ description: "Reason why the site cannot be queried or is out of date" })),
    forecast: orNull(forecast),
    otherMethods: Type.Array(forecast),
    noRecord: orNull(
      Type.Object(
        {
          ...{ settled: count, needed: count },
          scheduled: orNull(
            Type.Object(
              { waitSec, startAt: instant, assumptions: Type.Array(Type.String()) },
              {
                ...strict,
                description: "Prediction from the site's schedule, not yet compared with actual starts",
              },
            ),
          ),
        },
        {
          ...strict,
          description:
            "Set while no method has a record here: number of predictions scored so far (`settled`) and " +
            "needed",
        },
      ),
    ),
    probabilityByDeadline: orNull(part),
    slot: orNull(ref<PricedStartView>("PricedStart")),
    policy: Type.Optional(
      Type.Object(
        {
          when: Type.Enum(["now", "later", "never"]),
          limit: orNull(Type.String()),
          level: orNull(Type.String({ description: "Consumer to whom the limit applies" })),
          text: Type.String(),
        },
        {
          ...strict,
          description: "Verdict of the site's usage policies; absent where none concerns the job",
        },
      ),
    ),
    choice: Type.Optional(choice),
    learnt: orNull(
      Type.Object(
        { past: count, live: count },
        {
          ...strict,
          description:
            "Number of jobs from which the predictions were learnt: from the site's records (`past`), " +
            "and observed since (`live`)",
        },
      ),
    ),
  },
  strict,
);

/** Response: a prospect per site. */
export const prospectListSchema = Type.Object(
  {
    items: Type.Array(prospect),
    match: Type.Optional(ref<JobMatchView>("JobMatch")),
  },
  { ...strict, description: "Predicted starts of a job, by site" },
);

/** Reason why a site would never start a job, with the facts beside `text`. */
export type RefusalThere = FactsView<Unfit> & { readonly text: string };
/** A job that is not submitted; absent fields have the defaults. */
export type HypotheticalJob = Shape<typeof thoughtOfSchema>;
/** Prediction of a start by one method, with its record. */
export type ForecastView = Shape<typeof forecast>;
/** Predictions of one site for a job that is not submitted. */
export type ProspectView = Shape<typeof prospect>;
/** Known facts on a start before any method has a record of such predictions. */
export type UnrecordedView = NonNullable<ProspectView["noRecord"]>;
/** Predictions of all sites, and which of them match where the job has requirements or a rank. */
export type ProspectListView = Shape<typeof prospectListSchema>;
/** A site's row of the choice table. */
export type ChoiceView = Shape<typeof choice>;
