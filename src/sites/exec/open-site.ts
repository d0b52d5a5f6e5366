/** Opens a batch system behind a program as a site. */
import { mkdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { Fault } from "../../base/index.ts";
import type { ExecSiteSpec } from "../../model/index.ts";
import type { Clock, SiteCapacity } from "../../runtime/index.ts";
import { AttemptFiles, openRecordFolder, runProcess } from "../slurm/index.ts";
import { adapterProcess } from "./adapter-process.ts";
import type { ExecJob } from "./exec-job.ts";
import { ExecSite } from "./exec-site.ts";
import { describeAdapter } from "./protocol.ts";

/** Settings of a site. */
export interface ExecSiteOptions {
  readonly name: string;
  readonly spec: ExecSiteSpec;
  /** Directory for the broker's records of the site. */
  readonly directory: string;
  readonly clock: Pick<Clock, "nowMs">;
  /** Time between TERM and KILL at the time limit, in ms; default 10 s. */
  readonly graceMs?: number;
}

const GRACE_MS = 10_000;

/** Opens the site; its program is started when it is first asked. @throws Fault `siteMisconfigured` */
export async function openExecSite(options: ExecSiteOptions): Promise<ExecSite> {
  const { name, spec, directory, clock, graceMs = GRACE_MS } = options;
  if (!isAbsolute(spec.command[0] ?? "") || !isAbsolute(spec.submitDirectory)) throw notAbsolute(name);
  await mkdir(spec.submitDirectory, { recursive: true, mode: 0o700 });
  const jobs = await openRecordFolder<ExecJob>(join(directory, "jobs"));
  const program = adapterProcess({ site: name, command: spec.command, clock });
  const files = new AttemptFiles(
    (request) => runProcess({ ...request, variables: {} }),
    spec.submitDirectory,
  );
  return new ExecSite({ name, spec, program, jobs, files, clock, graceMs });
}

/** Size of the batch system, as its program describes it. @throws Fault */
export async function execCapacity(name: string, { command }: ExecSiteSpec): Promise<SiteCapacity> {
  const program = adapterProcess({ site: name, command, clock: { nowMs: () => performance.now() } });
  try {
    const { procs, memoryBytes, gpus } = await describeAdapter(name, program.ask);
    return { procs, memoryBytes, gpus };
  } finally {
    await program.close();
  }
}

function notAbsolute(name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "siteMisconfigured",
    what: `cannot open site ${name}`,
    why: "command and submitDirectory are absolute paths, since the broker may be started anywhere",
    remedy: "write absolute paths, which begin with /",
  });
}
