/** Conditions on events of the log beside their job and their instant. */
import { jobNamedBy, type StintEvent, siteNamedBy } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";

/** Conditions of a query; absent ones hold for every event. */
interface Conditions {
  readonly site?: string | undefined;
  readonly exitCode?: number | undefined;
}

/**
 * Test whether an event meets the conditions, for the events of one response. An event that names a job but
 * no site belongs to the site of the job's last attempt.
 */
export function eventConditions(
  brokerApi: Pick<BrokerApi, "job">,
  { site, exitCode }: Conditions,
): (event: StintEvent) => Promise<boolean> {
  const sites = new Map<string, Promise<string | null>>();
  const siteOfJob = (id: string): Promise<string | null> => {
    const known = sites.get(id) ?? brokerApi.job(id).then((job) => job?.site ?? null);
    sites.set(id, known);
    return known;
  };
  return async (event) => {
    if (exitCode !== undefined && !(event.kind === "attemptEnded" && event.end.exitCode === exitCode)) {
      return false;
    }
    if (site === undefined) return true;
    const job = jobNamedBy(event);
    return (siteNamedBy(event) ?? (job === null ? null : await siteOfJob(job))) === site;
  };
}
