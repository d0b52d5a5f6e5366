/**
 * The facts of a site in the entities of GLUE 2: a computing service with its share, manager and environment.
 * Times are in seconds, other than in GLUE 1.3.
 */
import type { PlainValue } from "../classad/index.ts";
import { type GlueStatus, type OrganisationView, rangesIn, type SiteFacts, viewWaits } from "./site-ad.ts";

const STATES: Readonly<Record<GlueStatus, string>> = {
  Production: "production",
  Queueing: "queueing",
  Draining: "draining",
  Closed: "closed",
};
const BYTES_PER_MB = 1024 * 1024;
const BYTES_PER_GB = 1024 * BYTES_PER_MB;

/** GLUE 2 entities of a site, or of one of its queues. @param createdAt ISO 8601 */
export function glue2Of(
  facts: SiteFacts,
  { createdAt, validitySec }: { readonly createdAt: string; readonly validitySec: number },
): PlainValue {
  const { site, queue = "default", system, systemVersion, procs, stores } = facts;
  const stamp = { CreationTime: createdAt, Validity: validitySec };
  const id = (kind: string) => `urn:stint:${kind}:${site}:${queue}`;
  const running = facts.runningJobs;
  const waiting = facts.waitingJobs;
  return {
    ComputingService: {
      ...{ ...stamp, ID: id("service"), Name: site, Type: "org.stint.site" },
      ...known({ RunningJobs: running, WaitingJobs: waiting }),
    },
    ComputingShare: {
      ...{ ...stamp, ID: id("share"), Name: queue, ServingState: STATES[facts.status] },
      ...known({ RunningJobs: running, WaitingJobs: waiting, FreeSlots: facts.freeProcs }),
      ...known({
        EstimatedAverageWaitingTime: seconds(facts.responseMs),
        EstimatedWorstWaitingTime: seconds(facts.worstResponseMs),
        MaxWallTime: seconds(facts.maxWallTimeMs),
        DefaultWallTime: seconds(facts.defaultWallTimeMs),
        OtherInfo: otherInfo(facts),
      }),
    },
    ComputingManager: {
      ...{ ...stamp, ID: id("manager"), ProductName: system, TotalSlots: procs },
      ...known({ ProductVersion: systemVersion }),
    },
    ExecutionEnvironment: {
      ...{ ...stamp, ID: id("environment") },
      ...known({ LogicalCPUs: facts.nodeProcs, MainMemorySize: megabytes(facts.nodeMemoryBytes) }),
      ...known({ Platform: facts.architecture, OSName: facts.osName, OSVersion: facts.osRelease }),
    },
    ...(facts.accessRules === undefined ? {} : { AccessPolicy: accessPolicy(facts, stamp) }),
    ...(facts.views === undefined
      ? {}
      : { VOShares: facts.views.map((view) => shareOf(view, facts, stamp)) }),
    ...(facts.applications === undefined ? {} : { ApplicationEnvironment: applicationsOf(facts, stamp) }),
    StorageShare: stores.map(({ name, bytes, freeBytes }) => ({
      ...{ ...stamp, ID: `urn:stint:store:${site}:${name}`, TotalSize: Math.floor(bytes / BYTES_PER_GB) },
      ...known({ FreeSize: freeBytes === undefined ? undefined : Math.floor(freeBytes / BYTES_PER_GB) }),
    })),
  };
}

type Stamp = Readonly<Record<string, PlainValue>>;

function accessPolicy({ site, queue = "default", accessRules = [] }: SiteFacts, stamp: Stamp): PlainValue {
  return {
    ...{ ...stamp, ID: `urn:stint:access:${site}:${queue}`, Scheme: "org.glite.standard", Rule: accessRules },
  };
}

/** The share of an organisation, with the policy that maps its jobs to the share. */
function shareOf(
  view: OrganisationView,
  { site, queue = "default", status, ...waits }: SiteFacts,
  stamp: Stamp,
): PlainValue {
  const { vo, freeProcs, runningJobs, waitingJobs, accessRule } = view;
  const { responseMs, worstResponseMs } = viewWaits(view, waits);
  return {
    ...{ ...stamp, ID: `urn:stint:share:${site}:${queue}:${vo}`, Name: vo, ServingState: STATES[status] },
    ...{ FreeSlots: freeProcs, RunningJobs: runningJobs, WaitingJobs: waitingJobs },
    ...known({
      EstimatedAverageWaitingTime: seconds(responseMs),
      EstimatedWorstWaitingTime: seconds(worstResponseMs),
    }),
    MappingPolicy: { Scheme: "org.glite.standard", Rule: [accessRule] },
  };
}

function applicationsOf({ site, applications = [] }: SiteFacts, stamp: Readonly<Record<string, PlainValue>>) {
  return applications.map((name) => ({
    ...{ ...stamp, ID: `urn:stint:application:${site}:${name}`, AppName: name },
  }));
}

/** Values for which GLUE 2 has no attribute, as `Name=value`; undefined if there are none. */
function otherInfo({ priceThousandths, ranges }: SiteFacts): readonly string[] | undefined {
  const lines = [
    ...(priceThousandths === undefined ? [] : [`UnitPrice=${priceThousandths / 1000}`]),
    ...Object.entries(rangesIn(ranges)).map(([name, range]) => `${name}=${range.join("-")}`),
  ];
  return lines.length === 0 ? undefined : lines;
}

function known(values: Readonly<Record<string, PlainValue>>): Readonly<Record<string, PlainValue>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined || !Number.isFinite(ms) ? undefined : Math.ceil(ms / 1000);
}

function megabytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Math.floor(bytes / BYTES_PER_MB);
}
