/** Simulations that a broker runs: a workload under several variants of the rules, and what came of each. */
import { Type } from "typebox";
import type { FaultFacts } from "../base/index.ts";
import {
  DISCIPLINES,
  ESTIMATE_RULES,
  type MovedStarts,
  OVERRUN_RULES,
  PRIORITY_NAMES,
  type SimulationReport,
  STOPPED_RULES,
  type UtilisationSeries,
  type WhatIfBaseline,
  type WhatIfChange,
} from "../model/index.ts";
import {
  as,
  count,
  instant,
  instantGiven,
  open,
  orNull,
  part,
  type Shape,
  shortId,
  siteName,
  strict,
} from "./fields.ts";

/** Most variants of one simulation; the first is what the others are compared with. */
const MOST_VARIANTS = 8;
/** Most characters of an uploaded workload, packed or not, that fit into a request with all else. */
const MOST_UPLOADED = 9_500_000;
/** Most characters of a text of rules or policies. */
const MOST_RULES = 262_144;
const MOST_PROCS = 1_000_000;

/** States of a simulation: it waits for a processor, runs, or has ended. */
export const SIMULATION_STATES = ["queued", "running", "done", "failed"] as const;

const title = Type.String({ minLength: 1, maxLength: 100, description: "for people; need not be unique" });
const rulesText = (description: string) => Type.Optional(Type.String({ maxLength: MOST_RULES, description }));

const amounts = {
  procs: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_PROCS })),
  memoryBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  gpus: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_PROCS })),
};

const poolChange = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 128 }),
    nodes: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_PROCS })),
    ...amounts,
  },
  { ...strict, description: "Changed capacity of a pool of the workload" },
);

const variantFields = {
  name: Type.String({ minLength: 1, maxLength: 60 }),
  discipline: Type.Optional(
    Type.Enum([...DISCIPLINES], {
      description: "default: that of the cluster for a live queue, else easy",
    }),
  ),
  priority: Type.Optional(
    Type.Enum([...PRIORITY_NAMES], { description: "order of the queue; default: order of arrival" }),
  ),
  priorityRules: rulesText("settings of that priority in YAML, as in a file of --priority-config"),
  estimates: Type.Optional(Type.Enum([...ESTIMATE_RULES], { default: "requested" })),
  overrun: Type.Optional(Type.Enum([...OVERRUN_RULES], { default: "extend" })),
  onOutage: Type.Optional(Type.Enum([...STOPPED_RULES], { default: "requeue" })),
  policies: rulesText("usage policies of one site in YAML, by which an enforcer admits jobs"),
  owners: rulesText("maps users to consumers, in YAML, as in a file of --owners"),
  ...amounts,
  pools: Type.Optional(Type.Array(poolChange, { maxItems: 64 })),
};

const variantGiven = Type.Object(variantFields, {
  ...strict,
  description: "Rules and size of one run; `procs`, `memoryBytes` and `gpus` where no pools are described",
});

const uploadGiven = Type.Object(
  {
    file: Type.String({ minLength: 1, maxLength: 200, description: "its name, for people" }),
    text: Type.Optional(Type.String({ maxLength: MOST_UPLOADED })),
    base64: Type.Optional(
      Type.String({
        maxLength: MOST_UPLOADED,
        description: "The bytes of the file, plain or gzip, in base64",
      }),
    ),
  },
  { ...strict, description: "A workload in SWF or JSON lines, as `text` or as `base64`" },
);

const pastGiven = Type.Object(
  { site: siteName, since: instantGiven, until: Type.Optional(instantGiven) },
  { ...strict, description: "Jobs of the broker that ended at a site in a period, to now by default" },
);

const workloadGiven = Type.Object(
  {
    example: Type.Optional(
      Type.String({ maxLength: 100, description: "name of a workload that the broker has" }),
    ),
    upload: Type.Optional(uploadGiven),
    queue: Type.Optional(siteName),
    past: Type.Optional(pastGiven),
    again: Type.Optional(shortId),
    isRecord: Type.Optional(
      Type.Boolean({
        description:
          "True: begin with the jobs that ran and waited when the recorded period began, and compare " +
          "with the recorded starts, as stint sim --what-if does. Always so for a live queue and for " +
          "past jobs",
      }),
    ),
  },
  {
    ...strict,
    description: "One of `example`, `upload`, `queue` (a site), `past`, `again` (a simulation)",
  },
);

/** Body of a simulation. */
export const simulationRequestSchema = Type.Object(
  {
    name: title,
    workload: workloadGiven,
    variants: Type.Array(variantGiven, { minItems: 1, maxItems: MOST_VARIANTS }),
    shared: Type.Optional(
      Type.Boolean({
        default: false,
        description: "anybody who is signed in and has its address may see it",
      }),
    ),
  },
  strict,
);

/** Body of a change. */
export const simulationChangeSchema = Type.Object(
  { name: Type.Optional(title), shared: Type.Optional(Type.Boolean()) },
  strict,
);

/** Path of a simulation. */
export const simulationParameters = Type.Object({ id: shortId });
/** Query of a schedule. */
export const scheduleQuery = Type.Object({
  variant: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_VARIANTS - 1, default: 0 })),
});

const workloadView = Type.Object(
  {
    kind: Type.Enum(["example", "upload", "queue", "past"]),
    name: Type.String(),
    site: orNull(Type.String({ description: "Site of the live queue or of the past jobs" })),
    at: orNull(instant, {
      description: "When the live queue was observed, or the end of the period of past jobs",
    }),
    isRecord: Type.Boolean(),
  },
  strict,
);

const failure = Type.Object(
  { code: Type.String(), what: Type.String(), why: Type.String(), remedy: Type.String() },
  { ...strict, description: "Reason for the failure, and remedy" },
);

const simulationFields = {
  id: Type.String(),
  name: Type.String(),
  owner: Type.String(),
  consumer: Type.String(),
  shared: Type.Boolean(),
  mine: Type.Boolean({ description: "True if the caller may rename, share and delete it" }),
  state: Type.Enum([...SIMULATION_STATES]),
  ahead: count,
  progress: part,
  workload: workloadView,
  variants: Type.Array(variantGiven),
  createdAt: instant,
  startedAt: orNull(instant),
  endedAt: orNull(instant),
  failure: orNull(failure),
};

const summarySchema = as<SimulationSummary>(
  Type.Object(
    { jobs: count, waitMeanSec: Type.Number(), utilisation: Type.Number() },
    { ...open, description: "Measures over all jobs, with the names of the report of stint sim" },
  ),
);

const variantResult = Type.Object(
  {
    name: Type.String(),
    procs: count,
    summary: summarySchema,
    waitQuantilesSec: Type.Array(Type.Number({ minimum: 0 }), {
      description: "101 quantiles of the waits, from the shortest to the longest",
    }),
    report: orNull(
      as<SimulationReport>(Type.Object({}, { ...open, description: "The report of stint sim -o json" })),
    ),
    course: orNull(
      as<UtilisationSeries>(Type.Object({}, { ...open, description: "Busy share of the machine over time" })),
    ),
    baseline: orNull(
      as<WhatIfBaseline>(
        Type.Object(
          {},
          { ...open, description: "For a recorded workload: its starts compared with the recorded ones" },
        ),
      ),
    ),
    change: orNull(
      as<VariantChange>(
        Type.Object(
          {},
          {
            ...open,
            description:
              "Comparison with the first variant: which jobs start earlier or later, and by how much",
          },
        ),
      ),
    ),
    scheduled: count,
  },
  strict,
);

/** A simulation in a list. */
export const simulationSchema = Type.Object(simulationFields, {
  ...strict,
  description: "A simulation: its request and its progress",
});

/** A simulation with what came of it. */
export const simulationResultSchema = Type.Object(
  {
    ...simulationFields,
    version: orNull(Type.String({ description: "Version of the program that ran the simulation" })),
    results: orNull(Type.Array(variantResult), { description: "One per variant, in order; null until done" }),
  },
  { ...strict, description: "A simulation with the results of each variant" },
);

/** List of simulations. */
export const simulationListSchema = Type.Object(
  { items: Type.Array(simulationSchema) },
  { ...strict, description: "Simulations, newest first" },
);

const workloadListing = Type.Object(
  {
    name: Type.String(),
    file: Type.String(),
    description: Type.String(),
    bytes: count,
  },
  strict,
);

/** Workloads that the broker has. */
export const simulationWorkloadsSchema = Type.Object(
  { items: Type.Array(workloadListing) },
  { ...strict, description: "Workloads that come with the broker" },
);

const column = Type.Array(Type.Number());
/** Jobs of a variant in columns, in order of their starts. */
export const simulationScheduleSchema = Type.Object(
  {
    variant: count,
    procs: count,
    jobs: Type.Integer({
      description: "Total number of jobs; if there are fewer bars, only the first jobs to start have one",
    }),
    users: Type.Array(Type.String(), { description: "User names; `user` is an index into this list" }),
    queues: Type.Array(Type.String()),
    id: Type.Array(Type.String()),
    user: column,
    queue: column,
    procsOf: column,
    submitSec: column,
    startSec: column,
    endSec: column,
  },
  { ...strict, description: "When each job starts and ends, in columns; seconds from the beginning" },
);

/** Measures of a variant, of all its jobs. */
export type SimulationSummary = Pick<
  SimulationReport,
  | "jobs"
  | "backfilled"
  | "waitMeanSec"
  | "waitMedianSec"
  | "waitP95Sec"
  | "waitP99Sec"
  | "waitMaxSec"
  | "responseMeanSec"
  | "boundedSlowdownMean"
  | "boundedSlowdownMedian"
  | "boundedSlowdownP95"
  | "utilisation"
  | "makespanSec"
>;
/** Difference between a variant and the first one, over jobs that start in both. */
export interface VariantChange extends MovedStarts {
  readonly incomparable: number;
  /** By queue, size, group and user; of each kind the groups with most jobs. */
  readonly groups: WhatIfChange["groups"];
  /** Of a record: true where the baseline's error exceeds the differences. */
  readonly isWithinError: boolean | null;
}

/** Request for a simulation. */
export type SimulationGiven = Shape<typeof simulationRequestSchema>;
/** Change of a simulation. */
export type SimulationChangeGiven = Shape<typeof simulationChangeSchema>;
/** Rules and size of one run as they were requested. */
export type VariantGiven = SimulationGiven["variants"][number];
/** A simulation in a list. */
export type SimulationView = Shape<typeof simulationSchema>;
/** A simulation with its results. */
export type SimulationResultView = Shape<typeof simulationResultSchema>;
/** Results of a variant. */
export type VariantResult = Shape<typeof variantResult>;
/** Jobs of a variant in columns. */
export type SimulationSchedule = Shape<typeof simulationScheduleSchema>;
/** A workload that the broker has. */
export type SimulationWorkload = Shape<typeof workloadListing>;
/** Where the jobs come from, without them. */
export type SimulationWorkloadView = SimulationView["workload"];
/** Reason of a failure. */
export type SimulationFailure = Pick<FaultFacts, "code" | "what" | "why" | "remedy">;
