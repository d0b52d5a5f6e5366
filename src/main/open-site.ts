/**
 * Opens sites for a broker, each with its folder below the state directory.
 *
 *     site/                  this machine, under the name `local`
 *     sites/NAME/            any other site
 *     sites/NAME/programs/   the programs of a simulated site whose jobs run
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { BrokerParts, OpenSite } from "../broker/index.ts";
import type {
  ExecSiteSpec,
  ManagedSiteSpec,
  SimulatedSiteSpec,
  SiteSpec,
  SlurmSiteSpec,
} from "../model/index.ts";
import type { BrokerApi, Clock, ForeignSite, ManagedSite, SiteCapacity } from "../runtime/index.ts";
import { openManagedSite } from "../sites/managed/index.ts";
import type { RunProcess } from "../sites/slurm/index.ts";
import { thisMachine } from "./this-machine.ts";

/** Folder of a site. */
export function siteFolder(stateDirectory: string, name: string, { type }: SiteSpec): string {
  const isThisMachine = type === "managed" && name === thisMachine.name;
  return isThisMachine ? join(stateDirectory, "site") : join(stateDirectory, "sites", name);
}

/** Function that opens sites of the broker with this state directory. */
export function siteOpener(stateDirectory: string, clock: Clock): BrokerParts["openSite"] {
  const openSlurm = slurmOpener(clock);
  return (name, spec) => {
    const folder = siteFolder(stateDirectory, name, spec);
    if (spec.type === "simulated") return openSimulated({ name, spec, directory: folder, clock });
    if (spec.type === "slurm") return openSlurm(name, spec, folder);
    if (spec.type === "exec") return openExec({ name, spec, directory: folder, clock });
    return openManaged(name, spec, folder);
  };
}

async function openManaged(
  name: string,
  { procs, memoryBytes }: ManagedSiteSpec,
  directory: string,
): Promise<OpenSite> {
  return { kind: "managed", site: await openManagedSite({ name, directory, procs, memoryBytes }) };
}

/** Opener of Slurm sites; loads the adapter for the first one, and starts all commands from one process. */
function slurmOpener(clock: Clock) {
  let start: RunProcess | undefined;
  return async (name: string, spec: SlurmSiteSpec, directory: string): Promise<OpenSite> => {
    const { commandProcess, openSlurmSite, slurmRunner, startWatchdog } = await import(
      "../sites/slurm/index.ts"
    );
    start ??= commandProcess();
    const run = slurmRunner(spec, directory, start);
    const options = { name, spec, directory, clock, run, startWatchdog };
    return { kind: "foreign", site: await openSlurmSite(options) };
  };
}

/** Fills in the size of a cluster if its spec says 0. @throws Fault if the cluster cannot be read */
export type MeasureSite = <Spec extends SiteSpec>(name: string, spec: Spec) => Promise<Spec>;

/** Function that measures sites of the broker with this state directory. */
export function siteMeasure(stateDirectory: string): MeasureSite {
  return async (name, spec) => {
    const isMeasured = spec.type === "slurm" || spec.type === "exec";
    if (!isMeasured || (spec.procs > 0 && spec.memoryBytes > 0)) return spec;
    const directory = siteFolder(stateDirectory, name, spec);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const { procs, memoryBytes, gpus = 0 } = await measuredCapacity(name, spec, directory);
    const size = { procs: spec.procs || procs, memoryBytes: spec.memoryBytes || memoryBytes };
    return { ...spec, ...size, ...(spec.gpus === undefined && gpus > 0 ? { gpus } : {}) };
  };
}

async function measuredCapacity(
  name: string,
  spec: SlurmSiteSpec | ExecSiteSpec,
  directory: string,
): Promise<SiteCapacity> {
  if (spec.type === "slurm") {
    const { slurmCapacity } = await import("../sites/slurm/index.ts");
    return slurmCapacity(name, spec, directory);
  }
  const { execCapacity } = await import("../sites/exec/index.ts");
  return execCapacity(name, spec);
}

/**
 * The API with sizes of clusters filled in where a request leaves them open. Sizes that arrive when the
 * broker is ending open no site.
 */
export function measuringBrokerApi(
  brokerApi: BrokerApi,
  measure: MeasureSite,
  ending: AbortSignal,
): BrokerApi {
  return {
    ...brokerApi,
    ask: async (command) => {
      if (command.kind !== "addSite" && command.kind !== "changeSite") return brokerApi.ask(command);
      const spec = await measure(command.site, command.spec);
      ending.throwIfAborted();
      return brokerApi.ask({ ...command, spec });
    },
  };
}

/** Opener of sites behind a program; loads the adapter for the first one. */
async function openExec(options: ExecOrder): Promise<OpenSite> {
  const { openExecSite } = await import("../sites/exec/index.ts");
  return { kind: "foreign", site: await openExecSite(options) };
}

interface ExecOrder {
  readonly name: string;
  readonly spec: ExecSiteSpec;
  readonly directory: string;
  readonly clock: Clock;
}

/** Opener of simulated sites; loads the simulator for the first one. */
async function openSimulated(options: SimulatedOrder): Promise<OpenSite> {
  const { name, spec, directory } = options;
  const { openSimulatedSite } = await import("../sites/simulated/index.ts");
  if (spec.jobs === "imitate") return { kind: "foreign", site: await openSimulatedSite(options) };
  const programs = await openManagedSite({ name, directory: join(directory, "programs") });
  try {
    return { kind: "foreign", site: closedWith(programs, await openSimulatedSite({ ...options, programs })) };
  } catch (error) {
    await programs.close();
    throw error;
  }
}

interface SimulatedOrder {
  readonly name: string;
  readonly spec: SimulatedSiteSpec;
  readonly directory: string;
  readonly clock: Clock;
}

/** The site, extended to close the programs' site that was opened for it. */
function closedWith(programs: ManagedSite, site: ForeignSite): ForeignSite {
  const closeSite = site.close.bind(site);
  site.close = async () => {
    await closeSite();
    await programs.close();
  };
  return site;
}
