/**
 * The 18 columns of the Standard Workload Format.
 *
 * Source: SWF 2.2, Chapin et al. 1999 [SWF]; times in seconds, memory in kilobytes per processor, -1 for
 * unknown. Which columns must be whole numbers is our reading of it: identifiers and counts are, times,
 * averages and memory need not be (the archive's own logs have CPU times like 552.21).
 */

/** Column of each field, from 0, in the order of a line. */
export const swfField = {
  jobNumber: 0,
  submit: 1,
  wait: 2,
  runtime: 3,
  allocatedProcs: 4,
  averageCpu: 5,
  usedMemory: 6,
  requestedProcs: 7,
  requestedTime: 8,
  requestedMemory: 9,
  status: 10,
  user: 11,
  group: 12,
  executable: 13,
  queue: 14,
  partition: 15,
  precedingJob: 16,
  thinkTime: 17,
} as const;

/** Fields on a line. */
export const swfFieldCount = 18;

/** Names of the columns for people, in order. */
export const swfFieldNames: readonly string[] = [
  "job number",
  "submit time",
  "wait time",
  "run time",
  "allocated processors",
  "average CPU time",
  "used memory",
  "requested processors",
  "requested time",
  "requested memory",
  "status",
  "user",
  "group",
  "executable",
  "queue",
  "partition",
  "preceding job",
  "think time",
];

/** For each column, whether only whole numbers make sense there. */
export const swfFieldIsIntegral: readonly boolean[] = swfFieldNames.map((name) => !/time|memory/.test(name));
