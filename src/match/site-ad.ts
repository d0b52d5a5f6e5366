/**
 * The ad of a site, or of one of its queues, in the names of GLUE 1.3; what is not known is left out, so that
 * it is `undefined` to a match.
 *
 * Units of GLUE: limits in minutes, response times in seconds, memory and disks in MB, stores in GB.
 * Attributes that the site's administrators give replace those that follow from what is seen.
 */
import { adOf, adWith, type ClassAd, type PlainValue, parseExpression, unparse } from "../classad/index.ts";
import { versionIn } from "./application-range.ts";
import type { GivenAttributes } from "./given-attributes.ts";

/** Production state of a site: whether it accepts and starts jobs. */
export type GlueStatus = "Production" | "Queueing" | "Draining" | "Closed";

/** A store of a site; bytes. */
interface StoreFacts {
  readonly name: string;
  readonly bytes: number;
  readonly freeBytes?: number;
  /** Where jobs may leave files in it; absent: nowhere. */
  readonly directory?: string;
}

/** Share that the policies of a site leave to an organisation. */
export interface OrganisationView {
  readonly vo: string;
  /** Free processors that jobs of the organisation may use. */
  readonly freeProcs: number;
  readonly runningJobs: number;
  readonly waitingJobs: number;
  readonly accessRule: string;
  /** Until its shares admit a job of one processor, and one of all that it may use; absent: never. */
  readonly shareWaitMs?: number;
  readonly worstShareWaitMs?: number;
}

/** Least and greatest of an amount. */
type Range = readonly [number, number];

/** Ranges of amounts over the queues of a site and their nodes; absent: unknown. */
export interface SiteRanges {
  readonly nodeProcs?: Range;
  readonly nodeMemoryBytes?: Range;
  readonly maxWallTimeMs?: Range;
}

/** Facts about a site or one of its queues. Times are durations in ms, unless they are instants. */
export interface SiteFacts {
  readonly site: string;
  /** The queue or partition; absent: the site as a whole. */
  readonly queue?: string;
  /** The batch system, in small letters: `slurm`, `stint`. */
  readonly system: string;
  readonly systemVersion?: string;
  readonly hostName?: string;
  readonly status: GlueStatus;
  readonly procs: number;
  readonly freeProcs?: number;
  readonly gpus?: number;
  readonly runningJobs?: number;
  readonly waitingJobs?: number;
  readonly responseMs?: number;
  readonly worstResponseMs?: number;
  readonly defaultWallTimeMs?: number;
  readonly maxWallTimeMs?: number;
  readonly preempts?: boolean;
  /** A node: its processors and memory. */
  readonly nodeProcs?: number;
  readonly nodeMemoryBytes?: number;
  readonly nodes?: number;
  /** Processor architecture, and name and release of the operating system, common to all nodes. */
  readonly architecture?: string;
  readonly osName?: string;
  readonly osRelease?: string;
  /** Node-local disk that each node has at least. */
  readonly scratchBytes?: number;
  /** Precedence of the queue over others; larger is sooner. */
  readonly queuePriority?: number;
  /** True where a job can have nodes to itself. */
  readonly givesWholeNodes?: boolean;
  /** Access rules in the syntax of GLUE: `VO:cms`, `DENY:VOMS:/cms/higgs`; absent: no restriction. */
  readonly accessRules?: readonly string[];
  /** Views of the organisations that its policies name; absent: none. */
  readonly views?: readonly OrganisationView[];
  readonly stores: readonly StoreFacts[];
  /** Names of its applications; absent: it says nothing of them. */
  readonly applications?: readonly string[];
  /** Least and greatest amounts over its queues and nodes, where no single one is shown. */
  readonly ranges?: SiteRanges;
  /** Price of a processor for an hour that a job from the queue would pay now, in thousandths of an SU. */
  readonly priceThousandths?: number;
}

const MS_PER_MINUTE = 60_000;
const BYTES_PER_MB = 1024 * 1024;
const BYTES_PER_GB = 1024 * BYTES_PER_MB;

/** The ad of a site. */
export function siteAdOf(facts: SiteFacts, given: GivenAttributes = {}): ClassAd {
  return withGiven(adOf(glueOf(facts)), given);
}

/** An ad as text, an attribute a line. */
export function adText({ node }: ClassAd): string {
  const lines = node.attributes.map((attribute) => `  ${attribute.name} = ${unparse(attribute.node)};\n`);
  return `[\n${lines.join("")}]`;
}

/** An ad with attributes that people give; what cannot be read is left out. */
export function withGiven(ad: ClassAd, given: GivenAttributes): ClassAd {
  const read = Object.entries(given).flatMap(([name, text]) => {
    const expression = parseExpression(text);
    return expression.ok ? [[name, expression.value] as const] : [];
  });
  return read.length === 0 ? ad : adWith(ad, read);
}

/** The attributes that follow from what is known (rule MT-4). */
function glueOf(facts: SiteFacts): Readonly<Record<string, PlainValue>> {
  const all = {
    ...elementOf(facts),
    ...stateOf(facts),
    ...policyOf(facts),
    ...hostOf(facts),
    ...ownOf(facts),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function elementOf({ site, queue = "default", system, systemVersion, hostName, procs, stores }: SiteFacts) {
  const names = stores.map(({ name }) => name);
  return {
    GlueCEUniqueID: `${hostName ?? site}/jobmanager-${system}-${queue}`,
    ...{ GlueCEName: queue, GlueCEInfoHostName: hostName ?? site, GlueCEInfoJobManager: system },
    ...{ GlueCEInfoLRMSType: system, GlueCEInfoLRMSVersion: systemVersion, GlueCEInfoTotalCPUs: procs },
    GlueCEInfoDefaultSE: names.at(0),
    GlueCESEBindGroupSEUniqueID: names.length === 0 ? undefined : names,
    GlueCESEBindCEAccesspoint: someOf(stores.map(({ directory }) => directory)),
  };
}

function stateOf(facts: SiteFacts) {
  const { status, runningJobs, waitingJobs, freeProcs, responseMs, worstResponseMs } = facts;
  const isCounted = runningJobs !== undefined && waitingJobs !== undefined;
  return {
    ...{ GlueCEStateStatus: status, GlueCEStateRunningJobs: runningJobs },
    ...{ GlueCEStateWaitingJobs: waitingJobs },
    GlueCEStateTotalJobs: isCounted ? runningJobs + waitingJobs : undefined,
    ...{ GlueCEStateFreeCPUs: freeProcs, GlueCEStateFreeJobSlots: freeProcs },
    GlueCEStateEstimatedResponseTime: inUnits(responseMs, 1000),
    GlueCEStateWorstResponseTime: inUnits(worstResponseMs, 1000),
  };
}

function policyOf(facts: SiteFacts) {
  const { maxWallTimeMs, defaultWallTimeMs, preempts, queuePriority, procs } = facts;
  return {
    GlueCEPolicyMaxWallClockTime: inUnits(maxWallTimeMs, MS_PER_MINUTE, "down"),
    GlueCEPolicyMaxObtainableWallClockTime: inUnits(maxWallTimeMs, MS_PER_MINUTE, "down"),
    GlueCEPolicyDefaultWallClockTime: inUnits(defaultWallTimeMs, MS_PER_MINUTE, "down"),
    ...{ GlueCEPolicyPreemption: preempts, GlueCEPolicyPriority: queuePriority },
    GlueCEPolicyAssignedJobSlots: procs,
    GlueCEAccessControlBaseRule: facts.accessRules,
  };
}

function hostOf({ nodeProcs, nodeMemoryBytes, stores, applications, ...node }: SiteFacts) {
  return {
    GlueHostArchitecturePlatformType: node.architecture,
    ...{ GlueHostOperatingSystemName: node.osName, GlueHostOperatingSystemRelease: node.osRelease },
    GlueSubClusterTmpSize: inUnits(node.scratchBytes, BYTES_PER_MB, "down"),
    GlueHostApplicationSoftwareRunTimeEnvironment: applications,
    ApplicationVersions: versionsOf(applications),
    GlueHostArchitectureSMPSize: nodeProcs,
    GlueHostMainMemoryRAMSize: inUnits(nodeMemoryBytes, BYTES_PER_MB, "down"),
    Stores: stores.map(({ name, bytes, freeBytes }) => ({
      GlueSEUniqueID: name,
      GlueSESizeTotal: inUnits(bytes, BYTES_PER_GB, "down"),
      ...(freeBytes === undefined ? {} : { GlueSESizeFree: inUnits(freeBytes, BYTES_PER_GB, "down") }),
    })),
  };
}

function ownOf({ site, gpus, nodeProcs, nodeMemoryBytes, stores, ...facts }: SiteFacts) {
  return {
    ...{ NodeCount: facts.nodes, WholeNodes: facts.givesWholeNodes },
    VOViews: facts.views?.map((view) => viewAttributes(view, facts)),
    OutputStores: someOf(stores.map(({ name, directory }) => (directory === undefined ? undefined : name))),
    ...{ Type: "Machine", Name: site, Gpus: gpus, NodeProcs: nodeProcs },
    UnitPrice: facts.priceThousandths === undefined ? undefined : facts.priceThousandths / 1000,
    NodeMemory: inUnits(nodeMemoryBytes, BYTES_PER_MB, "down"),
    ...rangesIn(facts.ranges),
  };
}

/** A VOView of GLUE 1.3. */
function viewAttributes(view: OrganisationView, facts: QueueWaits): Readonly<Record<string, PlainValue>> {
  const { vo, freeProcs, runningJobs, waitingJobs, accessRule } = view;
  const { responseMs, worstResponseMs } = viewWaits(view, facts);
  const estimated = inUnits(responseMs, 1000);
  const worst = inUnits(worstResponseMs, 1000);
  return {
    GlueVOViewLocalID: vo,
    ...{ GlueCEStateFreeCPUs: freeProcs, GlueCEStateFreeJobSlots: freeProcs },
    ...{ GlueCEStateRunningJobs: runningJobs, GlueCEStateWaitingJobs: waitingJobs },
    GlueCEStateTotalJobs: runningJobs + waitingJobs,
    GlueCEAccessControlBaseRule: [accessRule],
    ...(estimated === undefined ? {} : { GlueCEStateEstimatedResponseTime: estimated }),
    ...(worst === undefined ? {} : { GlueCEStateWorstResponseTime: worst }),
  };
}

type QueueWaits = Pick<SiteFacts, "responseMs" | "worstResponseMs">;

/** Response times of an organisation: the longer wait of the queue and of its shares; undefined: never. */
export function viewWaits(
  { shareWaitMs, worstShareWaitMs }: OrganisationView,
  { responseMs, worstResponseMs }: QueueWaits,
) {
  const longer = (queueMs: number | undefined, shareMs: number | undefined) =>
    queueMs === undefined || shareMs === undefined ? undefined : Math.max(queueMs, shareMs);
  return {
    responseMs: longer(responseMs, shareWaitMs),
    worstResponseMs: longer(worstResponseMs, worstShareWaitMs),
  };
}

/** Ranges in the units of GLUE, by the names of their attributes; none that are unknown. */
export function rangesIn({ nodeProcs, nodeMemoryBytes, maxWallTimeMs }: SiteRanges = {}) {
  const inUnit = (range: Range | undefined, unit: number) =>
    range?.map((amount) => Math.floor(amount / unit));
  const all = {
    NodeProcsRange: nodeProcs,
    NodeMemoryRange: inUnit(nodeMemoryBytes, BYTES_PER_MB),
    MaxWallClockTimeRange: inUnit(maxWallTimeMs, MS_PER_MINUTE),
  };
  return Object.fromEntries(Object.entries(all).flatMap(([name, range]) => (range ? [[name, range]] : [])));
}

/** Versions by which jobs ask for applications; undefined where no name has one. */
function versionsOf(applications: readonly string[] = []) {
  const found = applications.flatMap((application) => versionIn(application) ?? []);
  return found.length === 0
    ? undefined
    : found.map(({ name, version }) => ({ Name: name, Version: version }));
}

/** The items that are there; undefined where none is. */
function someOf(items: readonly (string | undefined)[]): readonly string[] | undefined {
  const there = items.filter((item) => item !== undefined);
  return there.length === 0 ? undefined : there;
}

function inUnits(amount: number | undefined, unit: number, rounding: "up" | "down" = "up") {
  if (amount === undefined || !Number.isFinite(amount)) return undefined;
  return rounding === "up" ? Math.ceil(amount / unit) : Math.floor(amount / unit);
}
