/** Words of sbatch for an order, or the fault with the reason why it can never be a job. */
import { Fault } from "../../base/index.ts";
import { isInnerPath, isWithinSite, type SlurmSiteSpec } from "../../model/index.ts";
import { checkReservationToken, type SiteCapacity, type SubmitOrder } from "../../runtime/index.ts";
import { checkToken } from "./own-jobs.ts";
import { isBaseName } from "./site-files.ts";

const MS_PER_MINUTE = 60_000;
const MIB = 1024 ** 2;

/**
 * Refuses orders that can never be a job here.
 *
 * @throws Fault `badAttemptToken`, `badSubmitOrder`, or of kind `refused`: `widerThanSite`
 */
export function checkSubmission(order: SubmitOrder, capacity: SiteCapacity): void {
  checkToken(order.token);
  const { command, environment, inputFiles, stdError, stdOutput } = order;
  const { gpus = 0, limitMs, memoryBytes, procs } = order;
  const refuse = (why: string): never => {
    throw badOrder(order.token, why);
  };
  if (command[0] === undefined || command[0] === "") refuse("the command names no program");
  for (const text of [...command, ...Object.entries(environment).flat()]) {
    if (/\0|\p{Surrogate}/u.test(text)) refuse(`${JSON.stringify(text)} is no text that can be passed on`);
  }
  for (const name of Object.keys(environment)) {
    if (name === "" || name.includes("=")) refuse(`${JSON.stringify(name)} is no name of a variable`);
  }
  const streams = [stdOutput, stdError].filter((name) => !isBaseName(name));
  const strange = inputFiles.map((it) => it.name).filter((name) => !isInnerPath(name));
  for (const name of [...strange, ...streams]) {
    refuse(`${JSON.stringify(name)} is not the name of a file in its directory`);
  }
  const { stdInput, workingDirectory = "/" } = order;
  if (stdInput !== undefined && !inputFiles.some((it) => it.name === stdInput)) {
    refuse(`${JSON.stringify(stdInput)}, its standard input, is none of its input files`);
  }
  if (!/^\/[^\0\p{Surrogate}]*$/u.test(workingDirectory)) {
    refuse(`${JSON.stringify(workingDirectory)} is not an absolute path`);
  }
  if (!(Number.isSafeInteger(procs) && procs >= 1)) refuse(`${procs} is no number of processors`);
  if (!(Number.isSafeInteger(memoryBytes) && memoryBytes >= 0)) refuse(`${memoryBytes} bytes are no memory`);
  if (!(Number.isSafeInteger(gpus) && gpus >= 0)) refuse(`${gpus} is no number of GPUs`);
  if (!(Number.isSafeInteger(limitMs) && limitMs > 0)) refuse(`a limit of ${limitMs} ms is no time`);
  if (order.reservation !== null) checkReservationToken(order.reservation);
  if (!isWithinSite(capacity, order)) throw tooWide(order, capacity);
}

/** Place, name and comment of a job. */
export interface SubmissionPlace {
  readonly jobName: string;
  readonly comment: string;
  /** Directory of the attempt. */
  readonly directory: string;
  /** Name of its reservation; null: none. */
  readonly reservation: string | null;
}

/** Words of sbatch for a held job; the script comes from standard input. */
export function submissionWords(
  { avoidedNodes = [], gpus = 0, hosts = {}, limitMs, memoryBytes, procs, queue }: SubmitOrder,
  { jobName, comment, directory, reservation }: SubmissionPlace,
  { account, partition, qos }: Pick<SlurmSiteSpec, "account" | "partition" | "qos">,
): readonly string[] {
  const asked = { account, partition: queue ?? partition, qos, reservation };
  // Memory goes by processor, as Slurm may spread a job over nodes.
  const mebibytes = Math.ceil(memoryBytes / MIB / procs);
  return [
    "sbatch",
    ...["--parsable", "--hold", "--no-requeue", "--export=ALL", "--open-mode=append"],
    `--job-name=${jobName}`,
    `--comment=${comment}`,
    `--ntasks=${procs}`,
    `--time=${Math.ceil(limitMs / MS_PER_MINUTE)}`,
    `--chdir=${directory}`,
    `--output=${directory}/log`,
    ...(mebibytes > 0 ? [`--mem-per-cpu=${mebibytes}M`] : []),
    ...(gpus > 0 ? [`--gpus=${gpus}`] : []),
    ...hostWords(hosts),
    ...(avoidedNodes.length > 0 ? [`--exclude=${avoidedNodes.join(",")}`] : []),
    ...wordsOf(asked),
  ];
}

/** Words that replace the nodes on which waiting jobs are not to run; the jobs follow. */
export function avoidanceWords(nodes: readonly string[]): readonly string[] {
  return ["scontrol", "update", `ExcNodeList=${nodes.join(",")}`, "JobId="];
}

function hostWords({ hostNumber, smpGranularity, wholeNodes }: NonNullable<SubmitOrder["hosts"]>) {
  return [
    ...(hostNumber === undefined ? [] : [`--nodes=${hostNumber}`]),
    ...(smpGranularity === undefined ? [] : [`--ntasks-per-node=${smpGranularity}`]),
    ...(wholeNodes === true ? ["--exclusive"] : []),
  ];
}

/** Words that test whether a small job would be accepted, without submitting it. */
export function trialWords({
  account,
  partition,
  qos,
}: Pick<SlurmSiteSpec, "account" | "partition" | "qos">): readonly string[] {
  const asked = { account, partition, qos };
  return ["sbatch", "--test-only", "--ntasks=1", "--time=1", "--output=/dev/null", ...wordsOf(asked)];
}

function wordsOf(asked: Readonly<Record<string, string | null>>): readonly string[] {
  return Object.entries(asked).flatMap(([name, value]) => (value === null ? [] : [`--${name}=${value}`]));
}

/** Id in the output of `sbatch --parsable`: `1234`, or `1234;cluster`. */
export function submittedJob(text: string): string | undefined {
  return /^(\d+)(?:;\S*)?$/.exec(text.trim())?.[1];
}

function badOrder(token: string, why: string): Fault {
  const remedy = "correct it and submit it again";
  return new Fault({ kind: "badInput", code: "badSubmitOrder", what: `cannot submit ${token}`, why, remedy });
}

function tooWide({ token, procs, memoryBytes, gpus = 0 }: SubmitOrder, capacity: SiteCapacity): Fault {
  return new Fault({
    kind: "refused",
    code: "widerThanSite",
    what: `cannot submit ${token}`,
    why:
      `it needs ${procs} processors, ${memoryBytes} bytes and ${gpus} GPUs, ` +
      `and the site has ${capacity.procs}, ${capacity.memoryBytes} and ${capacity.gpus ?? 0}`,
    remedy: "request less, or choose another site",
  });
}
