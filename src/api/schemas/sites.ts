/**
 * Sites as they are requested, and as the API writes them.
 */
import { Type } from "@fastify/type-provider-typebox";
import {
  DISCIPLINES,
  isReadOnly,
  type SimulatedSiteSpec,
  SLURM_DEFAULTS,
  type SlurmSiteSpec,
} from "../../model/index.ts";
import type { SiteView as DoorSite, SiteResponse } from "../../runtime/index.ts";
import type {
  ResponseTimesView,
  SimulatedSiteRequest,
  SiteRequest,
  SiteSpecRequest,
  SiteView,
} from "../client/types.ts";
import { isoInstant } from "../iso-instant.ts";
import { peersThere } from "../peer-view.ts";
import { cannotAct } from "../policy-view.ts";
import { completeEnforcement, consumersThere, enforcementRequestSchema } from "./policies.ts";
import { completeRules, rulesRequestSchema } from "./reservation-rules.ts";
import { demandOwnNames, resourceFields } from "./site-resources.ts";

const strict = { additionalProperties: false };
const MS_PER_HOUR = 3_600_000;
const MS_PER_YEAR = 366 * 24 * MS_PER_HOUR;
const BYTES_PER_PROC = 2 ** 30;
const upTo = (maximum: number) => Type.Optional(Type.Integer({ minimum: 0, maximum }));
const ppm = upTo(1_000_000);

const background = Type.Object(
  {
    trace: Type.String({
      pattern: "^/[^\\u0000]*[^/\\u0000]$",
      maxLength: 4096,
      description: "the absolute path of an SWF file on the broker's machine",
    }),
    skipMs: upTo(100 * MS_PER_YEAR),
  },
  { ...strict, description: "Other people's jobs" },
);

/** What a simulated site is requested to be; `managed` is understood, so that its refusal can say why. */
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
    discipline: Type.Optional(Type.Enum([...DISCIPLINES])),
    defaultWallTimeMs: Type.Optional(Type.Integer({ minimum: 1, maximum: MS_PER_YEAR })),
    jobs: Type.Optional(Type.Enum(["run", "imitate"])),
    speedUp: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    background: Type.Optional(Type.Union([background, Type.Null()])),
    delays: Type.Optional(Type.Object({ orderMs: upTo(MS_PER_HOUR), startMs: upTo(MS_PER_HOUR) }, strict)),
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

const slurmRequest = Type.Object(
  {
    type: Type.Enum(["slurm"]),
    procs: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: "what the cluster says where absent" }),
    ),
    memoryBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    discipline: Type.Optional(Type.Enum([...DISCIPLINES])),
    defaultWallTimeMs: Type.Optional(Type.Integer({ minimum: 1, maximum: MS_PER_YEAR })),
    readOnly: Type.Optional(Type.Boolean({ description: "true where absent: it is only looked at" })),
    sshHost: Type.Optional(nameThere),
    slurmConf: Type.Optional(pathThere),
    account: Type.Optional(nameThere),
    partition: Type.Optional(nameThere),
    qos: Type.Optional(nameThere),
    submitDirectory: Type.Optional(pathThere),
    consumers: Type.Optional(consumersThere),
    pollsPerMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
    reservations: Type.Optional(rulesRequestSchema),
    enforcement: Type.Optional(enforcementRequestSchema),
    ...resourceFields,
  },
  strict,
);

const specRequest = Type.Union([simulatedRequest, slurmRequest]);

/** `POST /sites` */
export const siteRequestSchema = Type.Unsafe<SiteRequest>(
  Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 63, pattern: "^[^\\p{Cc}]*$" }), spec: specRequest },
    strict,
  ),
);

/** `POST /site-tests` */
export const siteTrialSchema = Type.Unsafe<Pick<SiteRequest, "spec">>(
  Type.Object({ spec: specRequest }, strict),
);

/** `DELETE /sites/:name` */
export const removalQuery = Type.Object(
  { clean: Type.Optional(Type.Boolean({ description: "Remove what is ours there too" })) },
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

/**
 * The spec of a site with everything said that was left out; 0 where the cluster is to say it.
 *
 * @throws ProblemError where a link has the name of a store
 */
export function completeSpec(request: SiteSpecRequest): SimulatedSiteSpec | SlurmSiteSpec {
  demandOwnNames(request);
  if (request.type !== "slurm") return completeSimulated(request);
  const { reservations, enforcement, ...said } = request;
  const rules = { ...completeRules(reservations), ...completeEnforcement(enforcement) };
  return { ...SLURM_DEFAULTS, procs: 0, memoryBytes: 0, ...said, ...rules };
}

function completeSimulated({
  type: _,
  background: others = null,
  delays,
  losses,
  reservations,
  enforcement,
  ...said
}: SimulatedSiteRequest): SimulatedSiteSpec {
  return {
    type: "simulated",
    memoryBytes: said.procs * BYTES_PER_PROC,
    discipline: "easy",
    defaultWallTimeMs: MS_PER_HOUR,
    jobs: "imitate",
    speedUp: 1,
    seed: 1,
    ...said,
    background: others === null ? null : { skipMs: 0, ...others },
    delays: { orderMs: 0, startMs: 0, ...delays },
    losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0, ...losses },
    ...completeRules(reservations),
    ...completeEnforcement(enforcement),
  };
}

/** The site as JSON for people. */
export function siteView({ isDraining, seenAtMs, ...site }: DoorSite): SiteView {
  return {
    name: site.name,
    spec: site.spec,
    state: stateOf(site, isDraining),
    running: site.running,
    waiting: site.waiting,
    procsBusy: site.procsBusy,
    draining: isDraining,
    seenAt: seenAtMs === null ? null : isoInstant(seenAtMs),
    trouble: site.trouble,
    ...cannotAct(site.obstacles),
    responseTimes: site.response === null ? null : responseTimesView(site.response),
    ...peersThere(site.peers),
  };
}

function responseTimesView({ atMs, partition, estimated, worst }: SiteResponse): ResponseTimesView {
  return { at: isoInstant(atMs), partition, estimated, worst };
}

/** Trouble is told first: a site that is drained is so because somebody wanted it. */
function stateOf({ trouble, spec }: Pick<DoorSite, "trouble" | "spec">, isDraining: boolean) {
  if (trouble !== null) return "trouble";
  if (isReadOnly(spec)) return "read-only";
  return isDraining ? "draining" : "open";
}
