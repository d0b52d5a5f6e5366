/**
 * What the API answers, as schemas: for its OpenAPI document and for the tests, which hold every answer
 * against them. Fields are only ever added.
 */
import { type TSchema, Type } from "@fastify/type-provider-typebox";
import { DISCIPLINES, JOB_STATES, RESOURCE_KINDS, ROLES, SCOPES } from "../../model/index.ts";
import { coReservationQuoteSchema, coReservationSchema } from "./co-reservation.ts";
import { dispatchesSchema, peerListSchema, peerSchema, peersAtSiteSchema } from "./peers.ts";
import {
  actionsSchema,
  compiledPoliciesSchema,
  consumersThere,
  enforcementSchema,
  enforcerSchema,
  policiesSchema,
  policySetSchema,
  policyVersionsSchema,
  shareStepsSchema,
  siteUsageSchema,
} from "./policies.ts";
import { prospectListSchema } from "./prospects.ts";
import { rulesSchema } from "./reservation-rules.ts";
import {
  accountsSchema,
  grantSchema,
  pricedStartSchema,
  quoteSchema,
  reservationSchema,
} from "./reservations.ts";
import { responseTimesSchema } from "./response-times.ts";
import { resourceFields } from "./site-resources.ts";
import { procMs } from "./slot-fields.ts";
import {
  ticketCheckSchema,
  ticketKeyListSchema,
  ticketKeySchema,
  ticketListSchema,
  ticketSchema,
} from "./tickets.ts";
import { hostsSchema, readingsTakenSchema, usageHistorySchema } from "./usage.ts";
import { virtualReservationJobSchema, virtualReservationQuoteSchema } from "./virtual-reservation.ts";
import { voListSchema, voSchema } from "./vos.ts";

/** A reference to one of the shared schemas below. */
export function ref(name: keyof typeof sharedSchemas): TSchema {
  return Type.Unsafe({ $ref: `${name}#` });
}

const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const count = Type.Integer({ minimum: 0 });
const instant = Type.String({ format: "date-time", description: "ISO 8601, in UTC" });
const strict = { additionalProperties: false };

const job = Type.Object(
  {
    id: Type.String(),
    state: Type.Enum([...JOB_STATES]),
    result: orNull(
      Type.Enum(["ok", "failed", "imitated"], { description: "imitated: its site runs nothing" }),
    ),
    exitCode: orNull(Type.Integer()),
    signal: orNull(Type.String()),
    timeLimit: Type.Boolean({ description: "Whether it ran into its time limit" }),
    site: orNull(Type.String()),
    reservation: orNull(Type.String({ description: "The reservation it runs in" })),
    ticket: Type.Optional(Type.String({ description: "The ticket that it was taken under, `vo/id`" })),
    virtual: orNull(virtualReservationJobSchema),
    siteJob: orNull(Type.String({ description: "A foreign site's own id for the present attempt" })),
    attempt: count,
    consumer: Type.String(),
    owner: Type.String(),
    executable: Type.String(),
    arguments: Type.Array(Type.String()),
    cpuNumber: Type.Integer({ minimum: 1 }),
    memoryBytes: orNull(count),
    wallTimeSec: orNull(Type.Number({ description: "The time limit asked for; null: the site's default" })),
    delayCostSuPerHour: orNull(Type.Integer({ description: "As it has declared; null: its processors" })),
    userTags: Type.Record(Type.String(), Type.String()),
    stdOutput: Type.String(),
    stdError: Type.String(),
    outputSandbox: Type.Array(Type.String()),
    submittedAt: instant,
    startedAt: orNull(instant),
    endedAt: orNull(instant),
    ranSec: Type.Number({ minimum: 0, description: "For how long it has run, without the run under way" }),
    runningSince: orNull(instant),
    cpuSec: orNull(Type.Number()),
    reason: orNull(
      Type.String({ description: "Why it was ABORTED, or CANCELLED without anybody asking for it" }),
    ),
  },
  { ...strict, description: "A job" },
);

const cause = Type.Object(
  { kind: Type.String() },
  { additionalProperties: true, description: "One cause, with its facts beside `kind`" },
);

const why = Type.Object(
  {
    job: Type.String(),
    state: Type.String(),
    causes: Type.Array(cause),
    predictedStartAtMs: orNull(Type.Number({ description: "Unix time in ms" })),
    method: orNull(Type.Enum(["schedule"])),
    helpfulChanges: Type.Array(cause),
    lines: Type.Array(Type.String(), { description: "The same in sentences" }),
  },
  { ...strict, description: "Why a job is where it is" },
);

const siteWhy = Type.Object(
  {
    site: Type.String(),
    siteJob: Type.String(),
    at: Type.String({ format: "date-time", description: "Of which instant it is true" }),
    state: orNull(Type.String()),
    stateText: Type.String({ description: "The state in the batch system's own word" }),
    blockers: Type.Array(cause),
    openPartitions: Type.Array(Type.String()),
    system: Type.Object({ reason: orNull(Type.String()), agreement: Type.String() }, strict),
    unknown: Type.Array(Type.Object({ what: Type.String(), why: Type.String() }, strict)),
    prediction: orNull(
      Type.Object(
        {
          startAtMs: orNull(Type.Number({ description: "Unix time in ms" })),
          method: Type.Enum(["schedule"]),
        },
        { additionalProperties: true, description: "When it would start, and what that rests on" },
      ),
    ),
    changes: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: "The smallest changes that would let it start sooner, each with that start",
    }),
    lines: Type.Array(Type.String(), { description: "The same in sentences" }),
  },
  { ...strict, description: "Why a job of a cluster waits" },
);

const siteQueue = Type.Object(
  {
    site: Type.String(),
    at: Type.String({ format: "date-time", description: "Of which instant it is true" }),
    discipline: Type.Enum([...DISCIPLINES]),
    running: count,
    waiting: count,
    leftOut: Type.Object({ forTheirOwn: count, tooWide: count, inReservations: count }, strict),
    unknown: Type.Array(Type.Object({ what: Type.String(), why: Type.String() }, strict)),
    lines: Type.Array(Type.String(), { description: "Of a workload file, each without its end" }),
  },
  { ...strict, description: "The queue of a cluster as a workload" },
);

const siteOffer = {
  procs: count,
  memoryBytes: count,
  discipline: Type.Enum([...DISCIPLINES]),
  defaultWallTimeMs: count,
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
    background: orNull(Type.Object({ trace: Type.String(), skipMs: count }, strict)),
    delays: Type.Object({ orderMs: count, startMs: count }, strict),
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
    readOnly: Type.Boolean({ description: "It is only looked at; nothing is submitted or changed" }),
    sshHost: textOrNull,
    slurmConf: textOrNull,
    account: textOrNull,
    partition: textOrNull,
    qos: textOrNull,
    submitDirectory: textOrNull,
    consumers: Type.Optional(consumersThere),
    pollsPerMinute: count,
  },
  strict,
);

const site = Type.Object(
  {
    name: Type.String(),
    spec: Type.Union([
      Type.Object({ type: Type.Enum(["managed"]), ...siteOffer }, strict),
      simulatedSpec,
      slurmSpec,
    ]),
    state: Type.Enum(["open", "draining", "read-only", "trouble"]),
    running: count,
    waiting: count,
    procsBusy: count,
    draining: Type.Boolean({ description: "Whether no new job goes there" }),
    seenAt: orNull(Type.String({ format: "date-time", description: "Of a foreign site: the last look" })),
    trouble: orNull(Type.String({ description: "What keeps it from being reached or used" })),
    cannotAct: Type.Optional(
      Type.String({ description: "What keeps its enforcer from acting; absent: nothing" }),
    ),
    responseTimes: responseTimesSchema,
    peers: Type.Optional(peersAtSiteSchema),
  },
  { ...strict, description: "A site with its load" },
);

const siteTest = Type.Object(
  {
    checks: Type.Array(
      Type.Object(
        {
          what: Type.String(),
          works: orNull(Type.Boolean({ description: "null: it cannot be told" })),
          needed: Type.Boolean({ description: "Whether the site as it is configured takes it" }),
          why: Type.String(),
          remedy: orNull(Type.String({ description: "What to do, or which right would change it" })),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: "What works at a site and what does not" },
);

const siteRemoval = Type.Object(
  { name: Type.String(), removed: Type.Array(Type.String()), left: Type.Array(Type.String()) },
  { ...strict, description: "What went with a site, and what stays where" },
);

const freeTime = {
  start: instant,
  durationSec: Type.Number({ minimum: 0 }),
  divisible: Type.Boolean({ description: "Whether a part of it may be had; sites sell parts of every slot" }),
  extensible: Type.Boolean({ description: "Whether nothing scheduled ends it" }),
  priceSu: Type.Number({ description: "All of it, in SU: its time at the unit price, and the fixed price" }),
  priceProcMs: procMs,
  fixedSu: Type.Number({ description: "In SU, however much of it is had: f₀, as nobody is delayed" }),
  fixedProcMs: procMs,
  unitPrice: Type.Number({ description: "SU for an SU, c, at its start" }),
};

const slot = Type.Object({ ...freeTime, procs: Type.Integer({ minimum: 1 }) }, strict);

const resourceSlots = Type.Object(
  {
    kind: Type.Enum([...RESOURCE_KINDS]),
    name: Type.String(),
    slots: Type.Array(Type.Object({ ...freeTime, amount: Type.Integer({ minimum: 1 }) }, strict)),
  },
  { ...strict, description: "What is free of a store in bytes, of a link in bytes per second" },
);

const slotSet = Type.Object(
  {
    site: Type.String(),
    sequence: Type.Integer({ description: "Grows when the set has changed, not when time has passed" }),
    at: instant,
    slots: Type.Array(slot),
    resources: Type.Array(resourceSlots, { description: "Of its stores and links" }),
  },
  { ...strict, description: "What a site's whole queue leaves free; advisory" },
);

const tokenFields = {
  id: Type.String(),
  state: Type.Enum(["valid", "expired", "revoked"]),
  role: Type.Enum([...ROLES]),
  consumer: Type.String(),
  site: orNull(Type.String()),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  label: Type.String(),
  createdBy: Type.String({ description: "The owner who made it" }),
  createdAt: instant,
  expiresAt: instant,
  revokedAt: orNull(instant),
};

const place = Type.Object(
  {
    pointer: Type.Optional(Type.String({ description: "JSON pointer into the body" })),
    parameter: Type.Optional(Type.String({ description: "Of the path, the query or a header" })),
    detail: Type.String(),
  },
  { additionalProperties: true },
);

const problem = Type.Object(
  {
    type: Type.String({ description: "`urn:stint:<code>`, stable" }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: "What happened" }),
    why: Type.String(),
    remedy: Type.String({ description: "What to do about it" }),
    pointer: Type.Optional(Type.String({ description: "JSON pointer to the offending field" })),
    parameter: Type.Optional(Type.String({ description: "The offending parameter" })),
    errors: Type.Optional(Type.Array(place)),
  },
  { additionalProperties: true, description: "Problem details (RFC 9457); more members are facts" },
);

/** Schemas that several routes share, by their name in the OpenAPI document. */
export const sharedSchemas = {
  Job: job,
  JobList: Type.Object(
    {
      items: Type.Array(Type.Unsafe({ $ref: "Job#" })),
      next: orNull(Type.String({ description: "The cursor of the next page" })),
    },
    { ...strict, description: "One page of jobs, newest first" },
  ),
  Ids: Type.Object(
    { ids: Type.Array(Type.String()) },
    { ...strict, description: "Ids in the order of the descriptions" },
  ),
  ProspectList: prospectListSchema,
  Why: why,
  SiteWhy: siteWhy,
  SiteQueue: siteQueue,
  Site: site,
  SiteList: Type.Object({ items: Type.Array(Type.Unsafe({ $ref: "Site#" })) }, strict),
  SiteTest: siteTest,
  SiteRemoval: siteRemoval,
  SlotSet: slotSet,
  SlotSetList: Type.Object({ items: Type.Array(Type.Unsafe({ $ref: "SlotSet#" })) }, strict),
  FileList: Type.Object(
    { items: Type.Array(Type.Object({ name: Type.String(), sizeBytes: count }, strict)) },
    strict,
  ),
  Token: Type.Object(tokenFields, { ...strict, description: "A token, without its secret" }),
  TokenList: Type.Object({ items: Type.Array(Type.Unsafe({ $ref: "Token#" })) }, strict),
  NewToken: Type.Object(
    { ...tokenFields, token: Type.String({ description: "All of it; said this once" }) },
    { ...strict, description: "A new token, with its secret" },
  ),
  PricedStart: pricedStartSchema,
  Quote: quoteSchema,
  Reservation: reservationSchema,
  ReservationList: Type.Object(
    {
      items: Type.Array(Type.Unsafe({ $ref: "Reservation#" })),
      next: orNull(Type.String({ description: "The cursor of the next page" })),
    },
    { ...strict, description: "One page of reservations, newest first" },
  ),
  TogetherQuote: coReservationQuoteSchema,
  Together: coReservationSchema,
  VirtualQuote: virtualReservationQuoteSchema,
  Accounts: accountsSchema,
  Grant: grantSchema,
  PolicySet: policySetSchema,
  Policies: policiesSchema,
  PolicyVersions: policyVersionsSchema,
  EnforcementActions: actionsSchema,
  SiteEnforcer: enforcerSchema,
  Ticket: ticketSchema,
  TicketList: ticketListSchema,
  TicketCheck: ticketCheckSchema,
  TicketKey: ticketKeySchema,
  TicketKeyList: ticketKeyListSchema,
  Vo: voSchema,
  VoList: voListSchema,
  Dispatches: dispatchesSchema,
  Peer: peerSchema,
  PeerList: peerListSchema,
  SiteUsage: siteUsageSchema,
  UsageHistory: usageHistorySchema,
  Hosts: hostsSchema,
  ReadingsTaken: readingsTakenSchema,
  CompiledPolicies: compiledPoliciesSchema,
  ShareSteps: shareStepsSchema,
  Status: Type.Object({ status: Type.Enum(["ok", "notReady"]) }, strict),
  Problem: problem,
} as const;
