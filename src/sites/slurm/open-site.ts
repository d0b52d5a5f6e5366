/**
 * Opens a cluster under Slurm as a site.
 */
import { mkdir } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { Fault } from "../../base/index.ts";
import type { SlurmSiteSpec } from "../../model/index.ts";
import type { Clock, SiteCapacity } from "../../runtime/index.ts";
import { askWith } from "./ask.ts";
import { openAttemptBook } from "./attempt-book.ts";
import { capacityOf } from "./capacity.ts";
import { commandRunner, type RunCommand } from "./run-command.ts";
import { SlurmSite } from "./slurm-site.ts";

/** What a site is opened with. */
export interface SlurmSiteOptions {
  readonly name: string;
  readonly spec: SlurmSiteSpec;
  /** Where the broker's side of it is remembered. */
  readonly directory: string;
  readonly clock: Pick<Clock, "nowMs">;
  /** Between TERM and KILL at the time limit; 10 s where absent. */
  readonly graceMs?: number;
  /** Where commands are run; by the spec where absent. */
  readonly run?: RunCommand;
}

const GRACE_MS = 10_000;

/**
 * Opens it; the cluster itself is not asked anything yet.
 *
 * @throws Fault `siteNoSubmitDirectory` where jobs may be submitted and have no place
 */
export async function openSlurmSite(options: SlurmSiteOptions): Promise<SlurmSite> {
  const { name, spec, directory, clock, graceMs = GRACE_MS } = options;
  checkSpec(name, spec);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const book = await openAttemptBook(directory);
  const run = options.run ?? slurmRunner(spec, directory);
  return new SlurmSite({ name, spec, book, run, clock, graceMs });
}

/** How large the cluster of a spec is, from itself. */
export function slurmCapacity(spec: SlurmSiteSpec, directory: string): Promise<SiteCapacity> {
  return capacityOf(askWith(slurmRunner(spec, directory)), spec.partition);
}

/** What runs the commands of a spec. */
export function slurmRunner({ sshHost, slurmConf }: SlurmSiteSpec, directory: string): RunCommand {
  return commandRunner({ sshHost, slurmConf, socketDirectory: directory });
}

function checkSpec(name: string, { readOnly, submitDirectory, sshHost }: SlurmSiteSpec): void {
  if (sshHost !== null && !/^[A-Za-z0-9_][A-Za-z0-9_.@:-]*$/.test(sshHost)) {
    throw badSpec(name, `${JSON.stringify(sshHost)} is no host of ssh`, "write it as in ssh HOST");
  }
  if (readOnly) return;
  if (submitDirectory === null || !isAbsolute(submitDirectory)) {
    const why = "jobs may be submitted, and there is no directory for them";
    throw badSpec(name, why, "name a submitDirectory that the nodes share, or write readOnly: true");
  }
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
