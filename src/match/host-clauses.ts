/** Requirements of a job on the nodes of its site, as clauses (rule MT-11). */
import type { JobDescription } from "../model/index.ts";

type Asked = Partial<Pick<JobDescription, "procs" | "hostNumber" | "smpGranularity" | "wholeNodes">>;

/** The clauses; a site that does not say how its nodes are is not excluded by their number or size. */
export function hostClauses({ procs = 1, hostNumber, smpGranularity, wholeNodes }: Asked): readonly string[] {
  const onEach = smpGranularity ?? (hostNumber === undefined ? 1 : Math.ceil(procs / hostNumber));
  return [
    ...(hostNumber === undefined ? [] : ["CpuNumber >= HostNumber", unlessUnknown("NodeCount", hostNumber)]),
    ...(onEach < 2 ? [] : [unlessUnknown("GlueHostArchitectureSMPSize", onEach)]),
    ...(wholeNodes === true ? ["other.WholeNodes == true"] : []),
  ];
}

function unlessUnknown(attribute: string, least: number): string {
  return `(other.${attribute} =?= undefined || other.${attribute} >= ${least})`;
}
