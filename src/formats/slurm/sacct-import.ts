/**
 * An accounting of Slurm as a workload that can be simulated: the whole of `stint import accounting`.
 *
 * Everything is held, about 1 KB a row: pools are known only at the end.
 */
import { Fault, MS_PER_SECOND } from "../../base/index.ts";
import { hostList } from "./host-list.ts";
import { type ImportCounts, noCounts } from "./sacct-counts.ts";
import { type InstantReader, instantReader } from "./sacct-instants.ts";
import { type ImportedJob, type ImportPeriod, jobsOfRuns } from "./sacct-jobs.ts";
import type { Disguise } from "./sacct-names.ts";
import {
  type ImportedPool,
  poolsFromUse,
  poolsOfSite,
  type ShownSite,
  sharingPartitions,
  shownSite,
  type Use,
} from "./sacct-pools.ts";
import { readRuns } from "./sacct-read.ts";

/** Options of an import. */
export interface ImportRules {
  /** For messages. */
  readonly file: string;
  /** A name of the time zone database, for instants that have no zone. */
  readonly zone: string;
  /** The period of the record, in words as sacct's `-S` and `-E` take them. */
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly disguise: Disguise;
  /** Output of scontrol for nodes and partitions. */
  readonly site: string | undefined;
  /** Skip and count malformed rows instead of stopping at the first. */
  readonly lenient: boolean;
}

/** Lines of the workload, with counts and warnings. */
export interface ImportedAccounting {
  /** Lines of a workload, each with its end; iterate once. */
  readonly lines: Iterable<string>;
  readonly counts: ImportCounts;
  readonly pools: readonly ImportedPool[];
  /** Sentences on assumptions. */
  readonly warnings: readonly string[];
  /** The messages of the first malformed rows that were skipped. */
  readonly malformedMessages: readonly string[];
}

/**
 * Imports what sacct printed.
 *
 * @throws Fault `zoneUnknown`, `optionValueNoInstant`, `accountingFields`, `accountingRow`,
 * `accountingField`, `accountingEmpty`
 */
export function importAccounting(text: Iterable<string>, rules: ImportRules): ImportedAccounting {
  const instants = instantsOf(rules.zone);
  const period = periodOf(rules, instants);
  const before = instants.counts.local;
  const counts = noCounts();
  const { runs, rows, malformed, malformedMessages } = readRuns(text, rules, instants);
  counts.rows = rows;
  counts.skipped.malformed = malformed;
  const site = rules.site === undefined ? undefined : siteIn(rules.site);
  const jobs = jobsOfRuns(
    runs,
    {
      period,
      limitOf: (partition) => site?.limitMsOf.get(partition),
      isKnown: (partition) => site === undefined || site.nodesOf.has(partition),
      isReplayed: true,
    },
    counts,
  );
  if (jobs.length === 0) throw nothingThere(rules.file, counts);
  const { pools, warnings } = poolsFor(jobs, site);
  const local = instants.counts.local - before;
  return {
    lines: workloadLines({ period, pools, jobs, disguise: rules.disguise }),
    ...{ counts, pools, malformedMessages },
    warnings: [
      ...zoneWarnings(instants, local),
      ...periodWarnings(period),
      ...jobWarnings(counts),
      ...warnings,
    ],
  };
}

function instantsOf(zone: string): InstantReader {
  const instants = instantReader(zone);
  if (instants !== undefined) return instants;
  throw new Fault({
    kind: "badInput",
    code: "zoneUnknown",
    what: `--zone: there is no time zone "${zone}"`,
    why: "time zones are those of the IANA database, named after cities",
    remedy: "write for instance --zone Europe/Amsterdam, or --zone UTC",
  });
}

function periodOf({ since, until }: ImportRules, instants: InstantReader): ImportPeriod {
  const at = (option: string, text: string | undefined): number | undefined => {
    const ms = text === undefined ? undefined : instants.read(text, 0);
    if (text === undefined || typeof ms === "number") return ms ?? undefined;
    throw badInstant(option, text);
  };
  const period = { fromMs: at("--since", since), untilMs: at("--until", until) };
  if ((period.untilMs ?? Number.POSITIVE_INFINITY) <= (period.fromMs ?? -1)) {
    throw badInstant("--until", until ?? "");
  }
  return period;
}

function badInstant(option: string, text: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionValueNoInstant",
    what: `${option}: "${text.slice(0, 40)}" is not valid as this end of a period`,
    why: "it must be a date, or a date with a time, and the period must end after its start",
    remedy: `write for instance ${option} 2026-03-01, or ${option} 2026-03-01T08:00:00`,
  });
}

function siteIn(text: string): ShownSite {
  const site = shownSite(text);
  if (site.nodesOf.size > 0 && site.amountsOf.size > 0) return site;
  throw new Fault({
    kind: "badInput",
    code: "siteFile",
    what: "--site: the file shows no nodes or no partitions",
    why: "both are needed to determine which partitions share which nodes",
    remedy: "make it with (scontrol -a -o show node; scontrol -a -o show partition) > site.txt",
  });
}

function nothingThere(file: string, { rows, skipped }: ImportCounts): Fault {
  const reasons = Object.entries(skipped).filter(([, count]) => count > 0);
  return new Fault({
    kind: "badInput",
    code: "accountingEmpty",
    what: `${file}: none of the ${rows} rows is a usable job`,
    why: reasons.map(([reason, count]) => `${reason} ${count}`).join(", ") || "the file has no rows",
    remedy: "see stint import accounting --print-command for the sacct command",
  });
}

function poolsFor(jobs: readonly ImportedJob[], site: ShownSite | undefined) {
  const uses = jobs.flatMap(useOf);
  if (site !== undefined) {
    return poolsOfSite(sharingPartitions(site.nodesOf), site, uses);
  }
  const pools = poolsFromUse(sharingPartitions(nodesSeen(jobs)), uses).filter(({ procs }) => procs > 0);
  const warning =
    "the size of the site is not given (--site): pools are as large as what was in use at once, " +
    "partitions seen on the same nodes are one pool, and memory is not scheduled";
  return { pools, warnings: [warning] };
}

function useOf({ run, startMs, runtimeMs }: ImportedJob): Use[] {
  if (startMs === undefined) return [];
  const { procs, memoryBytes = 0, gpus, ending } = run;
  const endMs = ending === "running" ? Number.POSITIVE_INFINITY : startMs + (runtimeMs ?? 0);
  return [{ ...{ partition: run.partitions[0] ?? "", startMs, endMs, procs, memoryBytes, gpus } }];
}

function nodesSeen(jobs: readonly ImportedJob[]): ReadonlyMap<string, ReadonlySet<string>> {
  const seen = new Map<string, Set<string>>();
  const done = new Set<string>();
  for (const { run } of jobs) {
    const [partition = ""] = run.partitions;
    const nodes = seen.get(partition) ?? new Set();
    seen.set(partition, nodes);
    const said = `${partition}|${run.nodeList}`;
    if (run.nodeList === undefined || done.has(said)) continue;
    done.add(said);
    for (const node of hostList(run.nodeList)) nodes.add(node);
  }
  return seen;
}

function zoneWarnings({ zone, counts }: InstantReader, local: number): string[] {
  const twice = `${counts.ambiguous} of them lie in an hour that the clock showed twice`;
  return [
    ...(local > 0 ? [`${local} instants have no zone and were taken in ${zone}`] : []),
    ...(counts.ambiguous > 0 ? [`${twice}; the first was taken that is not before what came earlier`] : []),
  ];
}

function periodWarnings({ fromMs }: ImportPeriod): string[] {
  if (fromMs !== undefined) return [];
  return [
    "when the record begins is not said (--since): nothing runs before its first job, so the first " +
      "starts are too early where the site was busy then",
  ];
}

function jobWarnings({ running, startUnknown, parts, throttled, unlimited }: ImportCounts): string[] {
  const said: readonly (readonly [number, string])[] = [
    [running, "jobs were still running: they are taken to run until their limit"],
    [startUnknown, "jobs ran without a known start: they are there, and not compared"],
    [parts, "parts of jobs of several shapes are jobs of their own, which may start apart"],
    [throttled, "tasks are of arrays of which only some may run at once, which is not held"],
    [unlimited, "jobs have no time limit: they are planned with their run time"],
  ];
  return said.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
}

interface ImportedWorkload {
  readonly period: ImportPeriod;
  readonly pools: readonly ImportedPool[];
  readonly jobs: readonly ImportedJob[];
  readonly disguise: Disguise;
}

/** The lines, each with its end: the period, the pools, then each job with its cancellation. */
function* workloadLines({ period, pools, jobs, disguise }: ImportedWorkload): Generator<string> {
  if (period.fromMs !== undefined) {
    yield line({ period: instant(period.fromMs), until: instant(period.untilMs) });
  }
  const hasGpus = pools.some(({ gpus }) => gpus > 0);
  for (const { name, procs, memoryBytes, gpus } of pools) {
    yield line({ pool: name, procs, memory: size(memoryBytes), gpus: hasGpus ? gpus : undefined });
  }
  const poolOf = new Map(pools.flatMap(({ name, partitions }) => partitions.map((one) => [one, name])));
  for (const job of jobs) {
    yield line(jobLine(job, poolOf, disguise));
    if (job.withdrawnMs !== undefined) yield line({ cancel: job.id, at: instant(job.withdrawnMs) });
  }
}

type Value = string | number | readonly string[] | undefined;

function jobLine(
  { id, run, submittedMs, eligibleMs, startMs, runtimeMs, limitMs }: ImportedJob,
  poolOf: ReadonlyMap<string, string>,
  disguise: Disguise,
): Readonly<Record<string, Value>> {
  // A partition in which nothing ran has no pool, and a job of it alone fits nowhere.
  const names = run.partitions.length === 0 ? [""] : run.partitions;
  const pools = [...new Set(names.map((partition) => poolOf.get(partition) ?? partition))].filter(Boolean);
  const isEven = run.procs % run.nodes === 0 && run.gpus % run.nodes === 0;
  return {
    job: id,
    submit: instant(eligibleMs),
    submitted: submittedMs === eligibleMs ? undefined : instant(submittedMs),
    recordedStart: instant(startMs),
    runtime: seconds(runtimeMs),
    limit: seconds(limitMs),
    procs: run.procs,
    memory: size(run.memoryBytes),
    gpus: run.gpus === 0 ? undefined : run.gpus,
    nodes: isEven ? run.nodes : undefined,
    pools: pools.length === 0 ? undefined : pools,
    queue: run.partitions.length === 0 ? undefined : run.partitions.join(","),
    user: run.user === undefined ? undefined : disguise("user", run.user),
    group: run.account === undefined ? undefined : disguise("account", run.account),
  };
}

/** One line of JSON; undefined fields are omitted. */
function line(fields: Readonly<Record<string, Value>>): string {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `{${said.map(([name, value]) => `"${name}": ${JSON.stringify(value)}`).join(", ")}}\n`;
}

function instant(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString().replace(".000Z", "Z");
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / MS_PER_SECOND;
}

const UNITS = [
  ["G", 1024 ** 3],
  ["M", 1024 ** 2],
] as const;

/** In the largest unit of which it is a whole number. */
function size(bytes: number | undefined): string | number | undefined {
  if (bytes === undefined || bytes === 0) return bytes;
  const unit = UNITS.find(([, unitBytes]) => bytes % unitBytes === 0);
  return unit === undefined ? bytes : `${bytes / unit[1]}${unit[0]}`;
}
