/**
 * What is asked of a job that is only thought of, and what is answered.
 */
import { Type } from "typebox";
import type { Assumption, Unfit } from "../engine/index.ts";
import { SITE_SELECTORS } from "../model/index.ts";
import { START_METHODS } from "../predict/index.ts";
import { descriptionFields } from "./description.ts";
import type { FactsView } from "./facts.ts";
import { as, count, instant, open, orNull, part, ref, type Shape, strict } from "./fields.ts";
import { peersAtSiteSchema } from "./peer.ts";
import type { PricedStartView } from "./quote.ts";

const { executable, ...otherFields } = descriptionFields;

/** A description of which only what the queue sees counts; nothing of it is mandatory. */
export const thoughtOfSchema = Type.Object(
  {
    executable: Type.Optional(executable),
    ...otherFields,
    sites: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { maxItems: 1000, description: "These alone; default: all" }),
    ),
    partition: Type.Optional(
      Type.String({ minLength: 1, description: "Of clusters; default: the usual one" }),
    ),
    condition: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 10_000,
        description: "A ClassAd expression over the rows: sites are recommended of which it is true",
      }),
    ),
    select: Type.Optional(
      Type.Enum([...SITE_SELECTORS], {
        description: "Which of those that are recommended is taken; default: as the organisation has said",
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

/** A method's record. */
export const scoreSchema = Type.Object(
  {
    of: Type.Enum(["class", "site"]),
    kept: Type.Array(
      Type.Object(
        {
          probability: part,
          promises: count,
          kept: Type.Number({ minimum: 0, maximum: 1, description: "The part that was kept" }),
          fellShort: Type.Boolean(),
        },
        strict,
      ),
    ),
    medianErrorSec: Type.Number({ description: "Seconds, to the millisecond" }),
  },
  { ...strict, description: "How often such forecasts were right: of jobs like it, or of the site's" },
);

const forecast = Type.Object(
  {
    method: Type.Enum([...START_METHODS]),
    promises: Type.Array(
      Type.Object(
        { probability: part, waitSec, startAt: instant },
        { ...strict, description: "It starts within `waitSec` with this probability" },
      ),
    ),
    score: scoreSchema,
    hasBeenWrong: Type.Boolean({ description: "Fewer were kept than promised, beyond chance" }),
    assumptions: Type.Array(as<Assumption>(Type.String())),
  },
  strict,
);

const choice = Type.Object(
  {
    honoured: Type.Enum(["now", "later", "never"]),
    limit: orNull(Type.String({ description: "What speaks against it; null where nothing does" })),
    level: orNull(Type.String({ description: "The consumer whose limit it is; null: the site's own" })),
    policy: orNull(
      Type.Object(
        { resource: Type.String(), provider: Type.String(), consumer: Type.String() },
        { ...strict, description: "The policy that says so; null where none does" },
      ),
    ),
    priceSu: orNull(Type.Number({ description: "What the job costs there if it uses its whole limit" })),
    usedShare: Type.Number({ minimum: 0, description: "In use or asked for, as a part of the site" }),
    freeProcs: count,
    honouredRate: orNull(
      Type.Number({ minimum: 0, maximum: 1, description: "How often the site did as its row said" }),
    ),
    followed: Type.Integer({ minimum: 0, description: "Of how many placements the rate is" }),
    isRecommended: Type.Boolean({ description: "It takes jobs, would honour it, meets the condition" }),
    isChosen: Type.Boolean({ description: "The selector takes it" }),
  },
  { ...strict, description: "The row of the choice table" },
);

const prospect = Type.Object(
  {
    site: Type.String(),
    peers: Type.Optional(peersAtSiteSchema),
    partition: orNull(Type.String()),
    takesJobs: Type.Boolean({ description: "Whether jobs are submitted there now" }),
    imitates: Type.Optional(Type.Boolean({ description: "Nothing runs there: only jobs that name it go" })),
    fits: orNull(Type.Boolean({ description: "null: the site could not be asked" })),
    refusal: orNull(
      as<RefusalThere>(
        Type.Object(
          { kind: Type.String(), text: Type.String() },
          { ...open, description: "Why it would never start there, with the facts" },
        ),
      ),
    ),
    trouble: orNull(Type.String({ description: "What keeps the site from being asked or up to date" })),
    forecast: orNull(forecast),
    otherMethods: Type.Array(forecast),
    noRecord: orNull(
      Type.Object(
        {
          ...{ settled: count, needed: count },
          scheduled: orNull(
            Type.Object(
              { waitSec, startAt: instant, assumptions: Type.Array(Type.String()) },
              { ...strict, description: "By the site's schedule, which nobody has compared with starts yet" },
            ),
          ),
        },
        { ...strict, description: "No method has a record of such forecasts: so many of so many needed" },
      ),
    ),
    probabilityByDeadline: orNull(part),
    slot: orNull(ref<PricedStartView>("PricedStart")),
    policy: Type.Optional(
      Type.Object(
        {
          when: Type.Enum(["now", "later", "never"]),
          limit: orNull(Type.String()),
          level: orNull(Type.String({ description: "The consumer whose limit it is" })),
          text: Type.String(),
        },
        { ...strict, description: "What the usage policies of the site say; absent where none concerns it" },
      ),
    ),
    choice: Type.Optional(choice),
    learnt: orNull(
      Type.Object({ past: count, live: count }, { ...strict, description: "Submissions learnt from" }),
    ),
  },
  strict,
);

/** The answer. */
export const prospectListSchema = Type.Object(
  { items: Type.Array(prospect) },
  { ...strict, description: "Where and when a job could start, a site each" },
);

/** Why a site would never start a job, with the facts beside `text`. */
export type RefusalThere = FactsView<Unfit> & { readonly text: string };
/** A job that is only thought of: what is not said has the defaults. */
export type HypotheticalJob = Shape<typeof thoughtOfSchema>;
/** What one method says of a start, with its record. */
export type ForecastView = Shape<typeof forecast>;
/** What a site could do for a job that is only thought of. */
export type ProspectView = Shape<typeof prospect>;
/** What is known of a start before any method has a record of such forecasts. */
export type UnrecordedView = NonNullable<ProspectView["noRecord"]>;
/** A site's row of the choice table. */
export type ChoiceView = Shape<typeof choice>;
