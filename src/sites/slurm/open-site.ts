/** Opens a cluster under Slurm as a site. */
import { mkdir, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { Fault } from "../../base/index.ts";
import type { SiteCheck, SiteRemovalReport, SlurmSiteSpec } from "../../model/index.ts";
import type { Clock, SiteCapacity } from "../../runtime/index.ts";
import { askWith } from "./ask.ts";
import { openAttemptBook } from "./attempt-book.ts";
import { capacityOf, nodesFor, pilotMisfit } from "./capacity.ts";
import { commandRunner, endConnection, type RunCommand } from "./run-command.ts";
import type { RunProcess } from "./run-process.ts";
import { siteChecks } from "./site-checks.ts";
import { SlurmSite } from "./slurm-site.ts";
import { cleanTraces, tracesOf } from "./traces.ts";
import { type StartWatchdog, watchdogOf } from "./watchdog.ts";

/** Settings of a site. */
export interface SlurmSiteOptions {
  readonly name: string;
  readonly spec: SlurmSiteSpec;
  /** Directory for the broker's records of the site. */
  readonly directory: string;
  readonly clock: Pick<Clock, "nowMs">;
  /** Time between TERM and KILL at the time limit, in ms; default 10 s. */
  readonly graceMs?: number;
  /** Runs commands; default: as the spec says. */
  readonly run?: RunCommand;
  /** Starts the watchdog that resumes suspended jobs; absent: none. */
  readonly startWatchdog?: StartWatchdog;
}

const GRACE_MS = 10_000;

/**
 * Opens the site; runs no command yet.
 *
 * @throws Fault `siteMisconfigured` if jobs may be submitted and there is no directory for them,
 * `slurmConfMissing`
 */
export async function openSlurmSite(options: SlurmSiteOptions): Promise<SlurmSite> {
  const { name, spec, directory, clock, graceMs = GRACE_MS } = options;
  await checkSpec(name, spec);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const opened = await openAttemptBook(directory);
  const watched = { site: name, spec, directory, enforced: opened.enforced };
  const watchdog = watchdogOf(watched, options.startWatchdog);
  const book = { ...opened, enforced: watchdog.enforced };
  await watchdog.beat();
  const run = options.run ?? slurmRunner(spec, directory);
  return new SlurmSite({ name, spec, book, run, clock, watchdog, graceMs });
}

/**
 * Capacity of a spec's cluster, read from the cluster.
 *
 * @throws Fault, also for an invalid spec, and for pilots that fit on no node
 */
export async function slurmCapacity(
  name: string,
  spec: SlurmSiteSpec,
  directory: string,
): Promise<SiteCapacity> {
  await checkSpec(name, spec);
  const nodes = await nodesFor(askWith(slurmRunner(spec, directory)), spec.partition);
  const misfit = spec.pilots && pilotMisfit(spec.pilots, nodes);
  if (misfit !== undefined) throw badSpec(name, misfit, "make pilots smaller: pilots.procs, memory, gpus");
  return capacityOf(nodes);
}

/** Tests which operations work at the cluster of a spec. */
export async function testSlurmSite(
  name: string,
  spec: SlurmSiteSpec,
  directory: string,
): Promise<readonly SiteCheck[]> {
  await checkSpec(name, spec);
  return siteChecks({ spec, run: slurmRunner(spec, directory), nowMs: () => performance.now() });
}

/** Removes what is ours at the cluster, or, unless `isClean`, lists it. The site must be closed. */
export async function leaveSlurmSite(
  spec: SlurmSiteSpec,
  directory: string,
  isClean: boolean,
): Promise<SiteRemovalReport> {
  const site = { spec, directory, run: slurmRunner(spec, directory) };
  const leavings = isClean ? await cleanTraces(site) : { removed: [], left: await tracesOf(site) };
  await endConnection({ ...spec, socketDirectory: directory });
  return leavings;
}

/** Runs the commands of a spec, by default as child processes. */
export function slurmRunner(
  { sshHost, slurmConf }: SlurmSiteSpec,
  directory: string,
  start?: RunProcess,
): RunCommand {
  return commandRunner({ sshHost, slurmConf, socketDirectory: directory }, start);
}

async function checkSpec(name: string, spec: SlurmSiteSpec): Promise<void> {
  const { readOnly, submitDirectory, sshHost, slurmConf } = spec;
  if (sshHost !== null && !/^[A-Za-z0-9_][A-Za-z0-9_.@:-]*$/.test(sshHost)) {
    throw badSpec(name, `${JSON.stringify(sshHost)} is no host of ssh`, "write it as in ssh HOST");
  }
  // Slurm's own commands would look for it for a minute.
  const isHere = sshHost === null && slurmConf !== null;
  if (isHere && !(await stat(slurmConf).catch(() => undefined))?.isFile()) throw noConf(name, slurmConf);
  if (readOnly) return;
  if (submitDirectory === null || !isAbsolute(submitDirectory)) {
    const why = "jobs may be submitted, and there is no directory for them";
    throw badSpec(name, why, "name a submitDirectory that the nodes share, or write readOnly: true");
  }
}

function noConf(name: string, slurmConf: string): Fault {
  return new Fault({
    kind: "notFound",
    code: "slurmConfMissing",
    what: `cannot open site ${name}`,
    why: `there is no file ${slurmConf} on the broker's machine`,
    remedy: "correct slurmConf, or omit it if the cluster uses the default path",
  });
}

function badSpec(name: string, why: string, remedy: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "siteMisconfigured",
    what: `cannot open site ${name}`,
    why,
    remedy,
  });
}
