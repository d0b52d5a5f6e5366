/** History of use, and hosts of sites: requests, reports and responses. */
import { Type } from "typebox";
import { MOST_MS, SHARED_RESOURCES } from "../model/index.ts";
import { count, instant, instantGiven, lengthSec, orNull, type Shape, strict } from "./fields.ts";

const given = (description: string) => ({ ...instantGiven, description });

/** Limit on steps in one response. */
export const MOST_STEPS = 2000;

const period = {
  since: Type.Optional(given("Start of the period, as in 2026-11-20T08:30:00Z; absent: an hour ago")),
  until: Type.Optional(given("End of the period; absent: now")),
  everySec: Type.Optional(
    Type.Integer({ minimum: 10, maximum: 366 * 86_400, description: "The length of a step" }),
  ),
};

/** `GET /sites/:name/usage/history` */
export const historyQuery = Type.Object(
  {
    ...period,
    consumer: Type.Optional(Type.String({ maxLength: 600, description: "Consumer, with all below it" })),
  },
  strict,
);

/** `GET /sites/:name/hosts` */
export const hostsQuery = Type.Object(period, strict);

const part = Type.Union([
  Type.Object({ mean: Type.Number(), min: Type.Number(), max: Type.Number() }, strict),
  Type.Null(),
]);
const parts = Type.Array(part, { description: "One value per step; null if unknown" });
const stood = Type.Array(Type.Union([Type.Integer(), Type.Null()]), {
  description: "Value at the end of each step; null before the first one was recorded",
});
const grid = {
  since: instant,
  until: instant,
  everySec: Type.Integer({ minimum: 10 }),
  sampledSec: Type.Array(Type.Integer(), { description: "Sampled time of each step; 0 is a gap" }),
};
const resource = Type.Enum([...SHARED_RESOURCES]);

/** Use of a site over a period. */
export const usageHistorySchema = Type.Object(
  {
    site: Type.String(),
    ...grid,
    resources: Type.Array(Type.Object({ resource, inUse: parts, free: parts, capacity: stood }, strict)),
    jobsRunning: parts,
    jobsWaiting: parts,
    levels: Type.Array(
      Type.Object(
        {
          ...{ resource, consumer: Type.String(), inUse: parts, waiting: parts },
          ...{ jobsRunning: parts, jobsWaiting: parts, usedPpm: parts, epochPpm: stood, burstPpm: stood },
        },
        strict,
      ),
    ),
  },
  { ...strict, description: "Use over a period, step by step" },
);

const name = (description: string) => Type.String({ pattern: "^[^\\s\\p{Cc}]{1,255}$", description });

/** Hosts of a site. */
export const hostsSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          host: Type.String(),
          sensor: Type.String(),
          at: instant,
          isSilent: Type.Boolean({ description: "Reports are overdue" }),
          procs: orNull(Type.Number({ description: "Processors in use by jobs" })),
          memoryBytes: count,
          unreadable: Type.Integer({ description: "Processes whose owner could not be read" }),
          dropped: Type.Integer({ description: "Total of readings dropped after waiting too long" }),
          jobs: Type.Array(
            Type.Object(
              {
                ...{ job: orNull(Type.String()), siteJob: orNull(Type.String()), owner: Type.String() },
                ...{ processes: count, cpuSec: Type.Number(), procs: orNull(Type.Number()) },
                memoryBytes: count,
              },
              strict,
            ),
            { description: "Jobs that the caller may see" },
          ),
          course: orNull(Type.Object({ ...grid, procs: parts, memoryBytes: parts, jobs: parts }, strict)),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: "Readings of sensors on the hosts of a site" },
);

const bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const spent = (description: string) => lengthSec(description, { most: MOST_MS / 1000 });

/** `POST /sensors/reports` */
export const hostReportSchema = Type.Object(
  {
    site: Type.String({ minLength: 1, maxLength: 63 }),
    host: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$" }),
    sensor: Type.String({
      pattern: "^[A-Za-z0-9-]{1,64}$",
      description: "Id of the sensor that numbers these readings",
    }),
    readings: Type.Array(
      Type.Object(
        {
          seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          at: given("When the sensor took the reading"),
          overSec: orNull(spent("Time since the previous reading; null: this is the first one")),
          unreadable: count,
          dropped: count,
          jobs: Type.Array(
            Type.Object(
              {
                ...{
                  job: orNull(name("Id of the job at this broker")),
                  siteJob: orNull(name("Id of the job at the site")),
                },
                ...{ owner: name("The local account"), processes: count },
                ...{
                  cpuSec: spent("Processor time of the job so far"),
                  usedSec: orNull(spent("Processor time since the previous reading")),
                  memoryBytes: bytes,
                },
              },
              strict,
            ),
            { maxItems: 10_000 },
          ),
        },
        strict,
      ),
      { minItems: 1, maxItems: 1000 },
    ),
  },
  strict,
);

/** Result of a report. */
export const readingsTakenSchema = Type.Object(
  {
    lastSeq: Type.Integer({ minimum: 0, description: "Last stored reading of this sensor" }),
    taken: Type.Integer({ minimum: 0, description: "Number of new readings" }),
  },
  { ...strict, description: "Result of a sensor's report" },
);

/** Period of a request. */
export type PeriodRequest = Shape<typeof hostsQuery>;
/** A value over a step; null where it is unknown. */
export type StepView = Shape<typeof part>;
/** Use of a site over a period. */
export type UsageHistoryView = Shape<typeof usageHistorySchema>;
/** A level's series. */
export type LevelHistoryView = UsageHistoryView["levels"][number];
/** A period in steps of equal length. */
export type StepsView = Pick<UsageHistoryView, "since" | "until" | "everySec" | "sampledSec">;
/** A host, from its last report. */
export type HostView = Shape<typeof hostsSchema>["items"][number];
/** A job on a host. */
export type HostJobView = HostView["jobs"][number];
/** Report of a sensor. */
export type HostReportRequest = Shape<typeof hostReportSchema>;
/** Result of a report. */
export type ReadingsTakenView = Shape<typeof readingsTakenSchema>;
