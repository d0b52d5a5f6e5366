/** Sites: requests and responses. */
import { Type } from "typebox";
import { DISCIPLINES, IDENTITY_MODES, type InSeconds, LOCAL_ACCOUNT, type SiteSpec } from "../model/index.ts";
import {
  as,
  consumerPath,
  count,
  instant,
  instantGiven,
  lengthSec,
  orNull,
  ref,
  SHORTEST_SEC,
  type Shape,
  shownSec,
  strict,
} from "./fields.ts";
import { peersAtSiteSchema } from "./peer.ts";
import { consumersThere, enforcementRequestSchema, enforcementSchema } from "./policy.ts";
import { rulesRequestSchema, rulesSchema } from "./reservation-rules.ts";
import { responseTimesSchema } from "./response-times.ts";
import { resourceFields } from "./site-resources.ts";

const SEC_PER_HOUR = 3600;
const MOST_SKIP_SEC = 100 * 366 * 24 * SEC_PER_HOUR;
const upTo = (maximum: number) => Type.Optional(Type.Integer({ minimum: 0, maximum }));
const ppm = upTo(1_000_000);
const skipSec = lengthSec("Offset into the trace, from its first submission, at which the site begins", {
  most: MOST_SKIP_SEC,
});
const defaultLimit = lengthSec("The time limit of jobs that name none", { least: SHORTEST_SEC });
const delayFields = {
  orderSec: lengthSec("Delay from a command to its effect in the queue", { most: SEC_PER_HOUR }),
  startSec: lengthSec("Delay from a job's start in the queue to the start of its program", {
    most: SEC_PER_HOUR,
  }),
};

const gpus = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Its GPUs; absent: none" }),
);

const background = Type.Object(
  {
    trace: Type.String({
      pattern: "^/[^\\u0000]*[^/\\u0000]$",
      maxLength: 4096,
      description: "the absolute path of an SWF file on the broker's machine",
    }),
    skipSec: Type.Optional(skipSec),
  },
  { ...strict, description: "Background jobs of other users" },
);

/** Request for a simulated site; `managed` is recognised, so that its refusal can explain. */
const simulatedRequest = Type.Object(
  {
    type: Type.Enum(["simulated", "managed"]),
    procs: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    memoryBytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "1 GiB a processor where absent",
      }),
    ),
    gpus,
    discipline: Type.Optional(Type.Enum([...DISCIPLINES])),
    defaultWallTimeSec: Type.Optional(defaultLimit),
    jobs: Type.Optional(Type.Enum(["run", "imitate"])),
    speedUp: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    background: Type.Optional(Type.Union([background, Type.Null()])),
    delays: Type.Optional(Type.Partial(Type.Object(delayFields), strict)),
    losses: Type.Optional(Type.Object({ failedPpm: ppm, doubtfulPpm: ppm, vanishedPpm: ppm }, strict)),
    seed: upTo(2 ** 32 - 1),
    reservations: Type.Optional(rulesRequestSchema),
    enforcement: Type.Optional(enforcementRequestSchema),
    ...resourceFields,
  },
  strict,
);

const nameThere = Type.Union([
  Type.String({ pattern: "^[A-Za-z0-9_][A-Za-z0-9_.@:,+-]{0,127}$" }),
  Type.Null(),
]);
const pathThere = Type.Union([Type.String({ pattern: "^/[^\\u0000]*$", maxLength: 4096 }), Type.Null()]);

const identityRules = Type.Object(
  {
    mode: Type.Enum([...IDENTITY_MODES]),
    rules: Type.Array(
      Type.Object(
        {
          path: Type.Union([consumerPath, Type.Null()]),
          executable: Type.Union([Type.String({ minLength: 1, maxLength: 4096 }), Type.Null()]),
          fromSec: lengthSec("Start of its period, a time of day in UTC", { most: 86_400 }),
          untilSec: lengthSec("End of its period, a time of day in UTC", { most: 86_400 }),
          account: Type.Union([Type.String({ pattern: LOCAL_ACCOUNT }), Type.Null()]),
        },
        { ...strict, description: "Mapping rule; without an account it refuses the job" },
      ),
      { maxItems: 1000 },
    ),
    banned: Type.Array(consumerPath, { maxItems: 10_000 }),
  },
  { ...strict, description: "Local accounts of jobs in pilots: the first rule decides, then the ban list" },
);

/** Pilots of a site. */
const pilotRules = Type.Object(
  {
    max: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: "Maximum number of pilots that are queued or running",
    }),
    procs: Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Processors of each, on one node" }),
    memoryBytes: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        description: "Memory of each; absent: what the cluster gives a job with these processors",
      }),
    ),
    gpus,
    wallTimeSec: lengthSec("Time limit of pilots", { least: SHORTEST_SEC }),
    idleSec: lengthSec("Time for which a pilot without jobs waits for one before it ends", {
      most: 30 * 86_400,
    }),
    consumer: consumerPath,
    identity: Type.Optional(identityRules),
  },
  {
    ...strict,
    description: "Pilots that run jobs of Stint; absent: each job is put into the cluster's queue",
  },
);

const slurmRequest = Type.Object(
  {
    type: Type.Enum(["slurm"]),
    procs: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: "absent: the value that the cluster reports",
      }),
    ),
    memoryBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    gpus,
    discipline: Type.Optional(Type.Enum([...DISCIPLINES])),
    defaultWallTimeSec: Type.Optional(defaultLimit),
    readOnly: Type.Optional(Type.Boolean({ description: "the cluster is only observed; true if absent" })),
    sshHost: Type.Optional(nameThere),
    slurmConf: Type.Optional(pathThere),
    account: Type.Optional(nameThere),
    partition: Type.Optional(nameThere),
    qos: Type.Optional(nameThere),
    submitDirectory: Type.Optional(pathThere),
    consumers: Type.Optional(consumersThere),
    pollsPerMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
    pilots: Type.Optional(pilotRules),
    reservations: Type.Optional(rulesRequestSchema),
    enforcement: Type.Optional(enforcementRequestSchema),
    ...resourceFields,
  },
  strict,
);

const specRequest = Type.Union([simulatedRequest, slurmRequest]);

/** `POST /sites` */
export const siteRequestSchema = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 63, pattern: "^[^\\p{Cc}]*$" }), spec: specRequest },
  strict,
);

/** `POST /site-tests` */
export const siteTrialSchema = Type.Object({ spec: specRequest }, strict);

/** `DELETE /sites/:name` */
export const removalQuery = Type.Object(
  { clean: Type.Optional(Type.Boolean({ description: "Also remove Stint's files there" })) },
  strict,
);

/** `/sites/:name` */
export const siteParameters = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 63, description: "The name of a site" }),
});

/** `/sites/:name/jobs/:siteJob` */
export const siteJobParameters = Type.Object({
  ...siteParameters.properties,
  siteJob: Type.String({
    pattern: "^[A-Za-z0-9_.+\\[\\],%-]{1,255}$",
    description: "The site's own id of a job: 1234, 1234_7",
  }),
});

const siteOffer = {
  procs: count,
  memoryBytes: count,
  gpus: Type.Optional(count),
  discipline: Type.Enum([...DISCIPLINES]),
  defaultWallTimeSec: shownSec,
  reservations: Type.Optional(rulesSchema),
  enforcement: Type.Optional(enforcementSchema),
  ...resourceFields,
};

const simulatedSpec = Type.Object(
  {
    type: Type.Enum(["simulated"]),
    ...siteOffer,
    jobs: Type.Enum(["run", "imitate"]),
    speedUp: count,
    background: orNull(Type.Object({ trace: Type.String(), skipSec: shownSec }, strict)),
    delays: Type.Object({ orderSec: shownSec, startSec: shownSec }, strict),
    losses: Type.Object({ failedPpm: count, doubtfulPpm: count, vanishedPpm: count }, strict),
    seed: count,
  },
  strict,
);

const textOrNull = orNull(Type.String());

const slurmSpec = Type.Object(
  {
    type: Type.Enum(["slurm"]),
    ...siteOffer,
    readOnly: Type.Boolean({ description: "Observed only; nothing is submitted or changed" }),
    sshHost: textOrNull,
    slurmConf: textOrNull,
    account: textOrNull,
    partition: textOrNull,
    qos: textOrNull,
    submitDirectory: textOrNull,
    consumers: Type.Optional(consumersThere),
    pollsPerMinute: count,
    pilots: Type.Optional(pilotRules),
  },
  strict,
);

const command = Type.Array(Type.String(), { description: "Program of the adapter with its arguments" });
const places = { command, submitDirectory: Type.String(), pollsPerMinute: count };
const execSpec = Type.Object({ type: Type.Enum(["exec"]), ...siteOffer, ...places }, strict);

const siteNoteSchema = Type.Object(
  {
    text: Type.String(),
    since: instant,
    until: orNull(Type.String({ format: "date-time", description: "Null: until it is removed" })),
    by: Type.String(),
  },
  { ...strict, description: "Note of the operators on a site" },
);

const siteHealthSchema = Type.Union(
  [
    Type.Object(
      {
        state: Type.Literal("setAside"),
        since: instant,
        quickFailures: Type.Integer({ description: "Jobs that failed immediately after their start there" }),
        ended: Type.Integer({ description: "Jobs that ended in the same period" }),
        nextTest: Type.String({ format: "date-time", description: "When the next job may go there" }),
      },
      strict,
    ),
    Type.Object(
      {
        state: Type.Literal("onTrial"),
        most: Type.Integer({ description: "Maximum number of jobs at a time" }),
        endedWell: count,
        needed: Type.Integer({ description: "Successful jobs needed before the site is reinstated" }),
      },
      strict,
    ),
  ],
  { description: "Why a site is given few or no jobs; absent if the site is healthy" },
);

const nodeHealthSchema = Type.Array(
  Type.Object(
    {
      node: Type.String(),
      state: Type.Enum(["setAside", "onTrial"]),
      since: Type.Optional(instant),
      quickFailures: Type.Optional(count),
      ended: Type.Optional(count),
      nextTest: Type.Optional(Type.String({ format: "date-time" })),
      endedWell: Type.Optional(count),
    },
    strict,
  ),
  { description: "Nodes to which no or only a few jobs are assigned, and why; absent: none, or not shown" },
);

/** `PUT /sites/:name/note` */
export const siteNoteRequestSchema = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 500, pattern: "^[^\\p{Cc}]+$", description: "One line" }),
    until: Type.Optional(instantGiven),
  },
  strict,
);

/** A site with its load; of a foreign site as observed last, jobs of other users included. */
export const siteSchema = Type.Object(
  {
    name: Type.String(),
    spec: as<SiteSpecView>(
      Type.Union([
        Type.Object({ type: Type.Enum(["managed"]), ...siteOffer }, strict),
        simulatedSpec,
        slurmSpec,
        execSpec,
      ]),
    ),
    state: Type.Enum(["open", "draining", "read-only", "trouble"]),
    running: count,
    waiting: count,
    procsBusy: count,
    draining: Type.Boolean({ description: "True if no new jobs are submitted there" }),
    seenAt: orNull(
      Type.String({
        format: "date-time",
        description:
          "When a site with its own queue was last observed; null: not yet, or a site of type managed",
      }),
    ),
    adAgeSec: Type.Optional(
      orNull(Type.Number({ minimum: 0, description: "Age of its ad; null: not observed yet" })),
    ),
    adLifetimeSec: Type.Optional(Type.Number({ description: "An ad that is older is out of date" })),
    trouble: orNull(Type.String({ description: "Reason why it cannot be reached or used" })),
    cannotAct: Type.Optional(
      Type.String({ description: "Reason why its enforcer cannot act; absent: none" }),
    ),
    responseTimes: responseTimesSchema,
    peers: Type.Optional(peersAtSiteSchema),
    note: Type.Optional(siteNoteSchema),
    health: Type.Optional(siteHealthSchema),
    nodeHealth: Type.Optional(nodeHealthSchema),
  },
  { ...strict, description: "A site with its load" },
);

/** Checks of a site with their results. */
export const siteTestSchema = Type.Object(
  {
    checks: Type.Array(
      Type.Object(
        {
          what: Type.String(),
          works: orNull(Type.Boolean({ description: "null: unknown" })),
          needed: Type.Boolean({ description: "True if the site's configuration requires it" }),
          why: Type.String(),
          remedy: orNull(Type.String({ description: "Remedy, or the missing right" })),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: "Checks of a site with their results" },
);

/** What was removed with a site, and what remains. */
export const siteRemovalSchema = Type.Object(
  { name: Type.String(), removed: Type.Array(Type.String()), left: Type.Array(Type.String()) },
  { ...strict, description: "What was removed with a site, and what remains" },
);

/** List of sites. */
export const siteListSchema = Type.Object(
  { items: Type.Array(ref<SiteView>("Site")) },
  { ...strict, description: "The sites, with their load" },
);

/** Specification of a site, at a border. */
type SiteSpecView = InSeconds<SiteSpec>;
/** Request for a new site. */
export type SiteSpecRequest = Shape<typeof specRequest>;
/** A cluster that is simulated. */
export type SimulatedSiteRequest = Shape<typeof simulatedRequest>;
/** A site that is requested. */
export type SiteRequest = Shape<typeof siteRequestSchema>;
/** A site with its load. */
export type SiteView = Shape<typeof siteSchema>;
/** Checks of a site with their results. */
export type SiteTestView = Shape<typeof siteTestSchema>;
/** One check of a site. */
export type SiteCheckView = SiteTestView["checks"][number];
/** Items that were removed with a site, and items that remain; a sentence each. */
export type SiteRemovalView = Shape<typeof siteRemovalSchema>;
/** Note on a site. */
export type SiteNoteRequest = Shape<typeof siteNoteRequestSchema>;
