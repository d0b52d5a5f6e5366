/** `/reports/jobs`: sums of jobs by groups: query and response. */
import { Type } from "typebox";
import { JOB_TIMES, MOST_DIMENSIONS, REPORT_DIMENSIONS, type ReportDimension } from "../model/index.ts";
import { as, count, next, orNull, procMs, type Shape, shownSec, strict, su } from "./fields.ts";
import { jobConditions } from "./job.ts";

const dimension = as<ReportDimension>(
  Type.String({ pattern: `^(${REPORT_DIMENSIONS.join("|")}|tag:[^\\p{Cc}]{1,200})$` }),
);

/** `/reports/jobs` */
export const reportQuery = Type.Object(
  {
    by: Type.Optional(
      Type.Array(dimension, {
        maxItems: MOST_DIMENSIONS,
        description:
          `What jobs are grouped by; may be given several times: ${REPORT_DIMENSIONS.join(", ")}, or ` +
          "tag:KEY. user is the whole consumer path, group that above it; days, weeks and months are of " +
          "UTC. One sum of all jobs where absent",
      }),
    ),
    ...jobConditions,
    time: Type.Optional(
      Type.Enum([...JOB_TIMES], {
        description:
          "The instant to which since, until, day, week and month apply. Absent: ended, which counts " +
          "only jobs that have ended",
      }),
    ),
  },
  strict,
);

const wait = Type.Object(
  { meanSec: shownSec, medianSec: shownSec, maxSec: shownSec },
  { ...strict, description: "Time from submission to start, for the jobs that started" },
);

/** Sums of jobs by groups. */
export const jobReportSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          group: Type.Record(Type.String(), orNull(Type.String()), {
            description: "Value of each dimension; null where the jobs have none",
          }),
          jobs: count,
          ok: Type.Integer({ minimum: 0, description: "DONE with exit code 0, or imitated" }),
          failed: Type.Integer({ minimum: 0, description: "DONE in any other way" }),
          timeLimit: Type.Integer({
            minimum: 0,
            description: "Jobs among them that reached their time limit",
          }),
          cancelled: count,
          aborted: Type.Integer({ minimum: 0, description: "Could not be run" }),
          unfinished: count,
          usedProcSec: Type.Number({ minimum: 0, description: "Run time × processors, in seconds" }),
          askedProcSec: Type.Number({
            minimum: 0,
            description: "Time limit × processors, of started jobs with a limit of their own, in seconds",
          }),
          limitUse: orNull(Type.Number({ minimum: 0 }), {
            description:
              "Run time divided by time limit, weighted by processors, for started jobs with a limit of " +
              "their own",
          }),
          cpuSec: Type.Number({ minimum: 0, description: "Processor time, of jobs whose site measured it" }),
          cpuEfficiency: orNull(Type.Number({ minimum: 0 }), {
            description: "Processor time divided by run time × processors, for the same jobs",
          }),
          wait: orNull(wait),
          costSu: su,
          costProcMs: procMs,
        },
        strict,
      ),
    ),
    next,
  },
  { ...strict, description: "Sums of jobs by groups, in the order of their values" },
);

/** Filter and groups of a report. */
export type ReportFilter = Shape<typeof reportQuery>;
/** Sums of jobs by groups. */
export type JobReport = Shape<typeof jobReportSchema>;
/** Sums of the jobs of one group. */
export type JobReportRow = JobReport["items"][number];
