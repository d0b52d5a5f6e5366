/** `/reports/jobs`: sums of the jobs that the caller may see. */
import { PROC_MS_PER_SU } from "../../base/index.ts";
import { type JobReportRow, reportQuery } from "../../contract/index.ts";
import { jobsWithin } from "../../engine/index.ts";
import type { ReportDimension } from "../../model/index.ts";
import type { JobReportQuery, JobSums } from "../../runtime/index.ts";
import { whoOf } from "../identity.ts";
import { conditionsGiven } from "../job-conditions.ts";
import { createLongQuestions } from "../long-questions.ts";
import { seenOf } from "../within-sight.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the route of reports. */
export function addReports(api: Api, { brokerApi }: RouteWorld): void {
  const questions = createLongQuestions();
  api.get(
    urlOf("reportJobs"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "Sum jobs by user, site, month and other dimensions",
        tags: ["jobs"],
        querystring: reportQuery,
        response: answers("JobReport", 200),
      },
    },
    async (request) => {
      const { by = [], time = "ended", ...conditions } = request.query;
      const who = whoOf(request);
      const asked = { ...conditionsGiven(conditions), by, time };
      const query = seenOf<JobReportQuery>(asked, jobsWithin(who, "seeJob"));
      if (query === undefined) return { items: [], next: null };
      const sums = await questions.answered(who.owner, () => brokerApi.reportJobs(query));
      return { items: sums.map((one) => rowOf(one, by)), next: null };
    },
  );
}

function rowOf(sums: JobSums, by: readonly ReportDimension[]): JobReportRow {
  const { jobs, ok, failed, timeLimit, cancelled, aborted, unfinished, wait } = sums;
  return {
    group: Object.fromEntries(by.map((dimension, at) => [dimension, sums.keys[at] ?? null])),
    ...{ jobs, ok, failed, timeLimit, cancelled, aborted, unfinished },
    usedProcSec: sums.usedProcMs / 1000,
    askedProcSec: sums.askedProcMs / 1000,
    limitUse: partOf(sums.usedOfAskedProcMs, sums.askedProcMs),
    cpuSec: sums.cpuMs / 1000,
    cpuEfficiency: partOf(sums.cpuMs, sums.measuredProcMs),
    wait:
      wait === null
        ? null
        : { meanSec: wait.meanMs / 1000, medianSec: wait.medianMs / 1000, maxSec: wait.maxMs / 1000 },
    costSu: sums.costProcMs / PROC_MS_PER_SU,
    costProcMs: sums.costProcMs,
  };
}

function partOf(one: number, of: number): number | null {
  return of === 0 ? null : one / of;
}
