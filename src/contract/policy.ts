/** Usage policies, enforcers and use: requests and responses. */
import { Type } from "typebox";
import {
  type ConfigurationLine,
  ENFORCEMENT_STEPS,
  type EnforcementCause,
  type EnforcementRules,
  type EnforcementVerb,
  type InSeconds,
  type Policy,
  SHARED_RESOURCES,
  type ShareChange,
} from "../model/index.ts";
import type { FactsView } from "./facts.ts";
import {
  as,
  cursor,
  instant,
  lengthSec,
  limit,
  next,
  open,
  orNull,
  ppm,
  ref,
  SHORTEST_SEC,
  type Shape,
  shortId,
  strict,
} from "./fields.ts";
import type { PeerView } from "./peer.ts";

const path = (description: string) =>
  Type.String({ minLength: 1, maxLength: 600, pattern: "^[^\\s\\p{Cc}]+$", description });
const span = (description: string) => lengthSec(description, { least: SHORTEST_SEC });

/** Window over which use is counted. */
export const windowSchema = Type.Union([
  Type.Object({ kind: Type.Enum(["sliding"]), lengthSec: span("How far it reaches back") }, strict),
  Type.Object(
    {
      kind: Type.Enum(["fixed"]),
      unit: Type.Enum(["hour", "day", "week", "month"]),
      offsetSec: lengthSec("How far the clock of the windows is ahead of UTC", {
        least: -86_400,
        most: 86_400,
      }),
    },
    strict,
  ),
]);

/** A usage policy at a border. */
export const policySchema = as<PolicyEntry>(
  Type.Object(
    {
      resource: Type.Enum([...SHARED_RESOURCES]),
      provider: path("A site, site/pool, or a consumer that divides its own share"),
      consumer: path("vo, vo/group, or vo/group/user"),
      epoch: Type.Object({ window: windowSchema, sharePpm: ppm }, strict),
      burst: Type.Object(
        {
          bucketSec: span("Length of the intervals over which violations of the burst share are measured"),
          sharePpm: ppm,
        },
        strict,
      ),
      rule: Type.Enum(["entitlement", "cap"]),
      mode: Type.Enum(["shared", "preempting", "dedicated"]),
      carry: Type.Enum(["forgive", "repay"]),
    },
    { ...strict, description: "A usage policy" },
  ),
);

/** `PUT /policies` */
export const policiesRequestSchema = Type.Object(
  {
    policies: Type.Array(policySchema, { maxItems: 100_000 }),
    effectiveFrom: Type.Optional(instant),
    note: Type.Optional(Type.String({ maxLength: 1000 })),
  },
  strict,
);

/** `GET /policies/actions` */
export const actionsQuery = Type.Object(
  {
    site: Type.Optional(Type.String({ maxLength: 63 })),
    job: Type.Optional(shortId),
    limit,
    cursor,
  },
  strict,
);

/** Version that a change is based on, `"3"`, as in the ETag of `GET /policies`. */
export const ifMatchHeaders = Type.Object({
  "if-match": Type.Optional(Type.String({ pattern: '^"[0-9]{1,15}"$' })),
});

const rules = {
  granted: Type.Array(Type.Enum([...ENFORCEMENT_STEPS]), {
    maxItems: ENFORCEMENT_STEPS.length,
    description: "Permitted actions of the enforcer on jobs; watch alone: none",
  }),
  form: Type.Enum(["ours", "literal"]),
  minRunSec: lengthSec("Shortest run of a job before it may be suspended or requeued"),
  maxSuspensions: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  actionsPerHour: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
  suspendedPpm: ppm,
  leaseSec: span("Holds and suspensions expire when the broker has not renewed them for this time"),
};

/** Enforcement settings of a site in a response. */
export const enforcementSchema = as<EnforcementRulesView>(
  Type.Object(rules, {
    ...strict,
    description: "Enforcement of usage policies; absent: watch only",
  }),
);

/** Enforcement settings in a request: all optional. */
export const enforcementRequestSchema = as<Partial<EnforcementRulesView>>(
  Type.Partial(Type.Object(rules), strict),
);

/** Consumer path of each account of a cluster. */
export const consumersThere = Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 600 }), {
  description:
    "Consumer for each account of the cluster; an account that is not listed maps to the consumer of the " +
    "same name",
});

/** A version of the policies. */
export const policySetSchema = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    effectiveFrom: instant,
    appliedAt: instant,
    by: Type.String(),
    note: Type.String(),
    policies: Type.Array(policySchema),
  },
  { ...strict, description: "Policies as they were applied together" },
);

/** Enforcer of a site. */
export const enforcerSchema = Type.Object(
  {
    site: Type.String(),
    version: orNull(Type.Integer({ description: "Version in force; null: none concerns the site" })),
    granted: rules.granted,
    form: rules.form,
    isPaused: Type.Boolean(),
    cannotAct: Type.Optional(
      Type.String({ description: "Obstacle to enforcing the policies; absent: none" }),
    ),
  },
  { ...strict, description: "Enforcer of a site" },
);

const followerSite = Type.String({ minLength: 1, maxLength: 63, pattern: "^[^\\s\\p{Cc}/]+$" });

/** `/policies/followers/:name` */
export const followerParameters = Type.Object({
  name: Type.String({
    pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$",
    description: "Name of the follower, which it chooses itself",
  }),
});

/** `PUT /policies/followers/:name` */
export const followerRequestSchema = Type.Object(
  {
    sites: Type.Array(followerSite, {
      maxItems: 1000,
      uniqueItems: true,
      description: "Sites of the follower",
    }),
    version: orNull(Type.Integer({ minimum: 1, description: "Version that it has copied" })),
  },
  strict,
);

/** A broker that copies the policies of this one. */
const followerSchema = Type.Object(
  {
    name: Type.String(),
    sites: Type.Array(Type.String()),
    version: orNull(Type.Integer({ description: "Last version that it has copied; null: none yet" })),
    since: instant,
    heardAt: orNull(
      Type.String({ format: "date-time", description: "Last report; null: none since this broker started" }),
    ),
    by: Type.String(),
  },
  { ...strict, description: "A broker that copies the policies of this one" },
);

/** `GET /policies` */
export const policiesSchema = Type.Object(
  {
    now: orNull(policySetSchema),
    coming: Type.Array(policySetSchema),
    enforcers: Type.Array(enforcerSchema),
    followers: Type.Array(followerSchema),
    peers: Type.Optional(Type.Array(ref<PeerView>("Peer"))),
    sitesElsewhere: Type.Optional(
      Type.Array(Type.String(), { description: "Sites of other brokers that policies may name" }),
    ),
    caller: Type.Optional(Type.String({ description: "Consumer of the caller" })),
  },
  { ...strict, description: "Current and future policies, and their enforcement" },
);

/** `GET /policies/versions` */
export const policyVersionsSchema = Type.Object(
  { items: Type.Array(policySetSchema) },
  { ...strict, description: "All versions of the policies, newest first" },
);

/** `GET /policies/actions` */
export const actionsSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          at: instant,
          site: Type.String(),
          verb: as<EnforcementVerb>(Type.String()),
          job: Type.String(),
          cause: as<FactsView<EnforcementCause>>(Type.Object({ kind: Type.String() }, open)),
          text: Type.String({ description: "The same in words" }),
          isAdvice: Type.Boolean({
            description: "True: the action was only reported, because the site does not grant it",
          }),
        },
        strict,
      ),
    ),
    next,
  },
  { ...strict, description: "Actions of enforcers on jobs, newest first" },
);

const amounts = Type.Object(
  { procs: Type.Integer(), gpus: Type.Integer(), memoryBytes: Type.Integer() },
  strict,
);

/** `GET /sites/:name/usage` */
export const siteUsageSchema = Type.Object(
  {
    site: Type.String(),
    at: instant,
    capacity: amounts,
    free: amounts,
    jobsRunning: Type.Integer({ description: "Jobs of all users" }),
    jobsWaiting: Type.Integer({ description: "Jobs of all users, including stopped ones" }),
    levels: Type.Array(
      Type.Object(
        {
          resource: Type.Enum([...SHARED_RESOURCES]),
          consumer: Type.String(),
          inUse: Type.Integer(),
          waiting: Type.Integer({ description: "Requested by its waiting and stopped jobs" }),
          jobsRunning: Type.Integer({ description: "Jobs that request this resource" }),
          jobsWaiting: Type.Integer({ description: "Jobs that request this resource" }),
          usedPpm: Type.Integer({
            description: "Average use over the window, in parts per million of the site's capacity",
          }),
          epochPpm: ppm,
          burstPpm: ppm,
          window: windowSchema,
          rule: Type.Enum(["entitlement", "cap"]),
          mode: Type.Enum(["shared", "preempting", "dedicated"]),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: "Use of a site by consumers, against their shares" },
);

const words = Type.Array(Type.String());

/** A change of a cluster's own shares. */
const shareChangeSchema = as<ShareChange>(
  Type.Object(
    {
      entity: Type.Enum(["account", "qos"]),
      name: Type.String(),
      consumer: Type.String({ description: "Empty for the whole site" }),
      kind: Type.Enum(["add", "modify"]),
      settings: Type.Array(
        Type.Object({ name: Type.String(), before: orNull(Type.String()), after: Type.String() }, strict),
      ),
      command: { ...words, description: "The command as a list of words; none needs quoting in a shell" },
      undo: { ...words, description: "Command that undoes it" },
      forget: Type.Optional({
        ...words,
        description: "Command that removes a new account, once it is unused",
      }),
    },
    strict,
  ),
);

/** `POST /sites/:name/compiled-policies/apply` and `/take-back` */
export const shareStepsSchema = Type.Object(
  {
    site: Type.String(),
    steps: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          change: shareChangeSchema,
          result: Type.Enum(["made", "failed", "unknown", "notTried", "takenBack", "already", "left"]),
          why: orNull(Type.String({ description: "Message of the batch system or of Stint" })),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: "Result of each change of a cluster's own shares" },
);

/** `POST /sites/:name/compiled-policies/take-back` */
export const takeBackQuery = Type.Object(
  {
    force: Type.Optional(
      Type.Boolean({ default: false, description: "Also undo values that others have changed since" }),
    ),
  },
  strict,
);

/** `GET /sites/:name/compiled-policies` */
export const compiledPoliciesSchema = Type.Object(
  {
    site: Type.String(),
    changes: Type.Array(shareChangeSchema),
    configuration: Type.Array(
      as<ConfigurationLine>(
        Type.Object(
          { name: Type.String(), before: orNull(Type.String()), after: Type.String(), why: Type.String() },
          {
            ...strict,
            description:
              "Line of the batch system's configuration that only an administrator of the cluster can " +
              "change",
          },
        ),
      ),
    ),
    remarks: { ...words, description: "Policies that the batch system cannot express" },
  },
  { ...strict, description: "Policies as settings of a batch system; none was applied" },
);

/** A usage policy at a border. */
export type PolicyEntry = InSeconds<Policy>;
/** Enforcement settings of a site, at a border. */
type EnforcementRulesView = InSeconds<EnforcementRules>;
/** Policies to apply, which replace all current ones. */
export type PoliciesRequest = Shape<typeof policiesRequestSchema>;
/** Policies that were applied together. */
export type PolicySetView = Shape<typeof policySetSchema>;
/** Enforcer of a site. */
export type SiteEnforcerView = Shape<typeof enforcerSchema>;
/** A broker that copies the policies of this one. */
export type PolicyFollowerView = Shape<typeof followerSchema>;
/** Report of a broker that copies the policies. */
export type FollowerRequest = Shape<typeof followerRequestSchema>;
/** Current and future policies, and their enforcement. */
export type PoliciesView = Shape<typeof policiesSchema>;
/** Filter of a list of actions; all conditions must hold. */
export type ActionFilter = Shape<typeof actionsQuery>;
/** One page of the actions of enforcers, newest first. */
export type EnforcementActionList = Shape<typeof actionsSchema>;
/** Action of an enforcer on a job, or advice where the action is not granted. */
export type EnforcementActionView = EnforcementActionList["items"][number];
/** Processors, GPUs and memory. */
export type AmountsView = Shape<typeof amounts>;
/** Use of a site by consumers against their shares. */
export type SiteUsageView = Shape<typeof siteUsageSchema>;
/** One level of a consumer; shares in parts per million of the site's capacity. */
export type LevelUsageView = SiteUsageView["levels"][number];
/** Policies as settings of a cluster's batch system; none was applied. */
export type CompiledPoliciesView = Shape<typeof compiledPoliciesSchema>;
/** Result of each change of a cluster's own shares. */
export type ShareStepsView = Shape<typeof shareStepsSchema>;
