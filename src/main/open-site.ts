/**
 * Opens sites for a broker, each with its folder below the state directory.
 *
 *     site/                  this machine, under the name `local`
 *     sites/NAME/            any other site
 *     sites/NAME/programs/   where the programs run of a simulated site whose jobs run
 */
import { join } from "node:path";
import { type BrokerParts, type OpenSite, systemClock } from "../broker/index.ts";
import type { ManagedSiteSpec, SimulatedSiteSpec } from "../model/index.ts";
import type { ForeignSite, ManagedSite } from "../runtime/index.ts";
import { openManagedSite } from "../sites/managed/index.ts";
import { thisMachine } from "./this-machine.ts";

/** What opens a site of the broker that keeps its state in `stateDirectory`. */
export function siteOpener(stateDirectory: string): BrokerParts["openSite"] {
  return (name, spec) => {
    const folder = join(stateDirectory, "sites", name);
    if (spec.type === "simulated") return openSimulated(name, spec, folder);
    return openManaged(name, spec, name === thisMachine.name ? join(stateDirectory, "site") : folder);
  };
}

async function openManaged(
  name: string,
  { procs, memoryBytes }: ManagedSiteSpec,
  directory: string,
): Promise<OpenSite> {
  return { kind: "managed", site: await openManagedSite({ name, directory, procs, memoryBytes }) };
}

/** The simulator of sites is loaded for the first of them. */
async function openSimulated(name: string, spec: SimulatedSiteSpec, directory: string): Promise<OpenSite> {
  const { openSimulatedSite } = await import("../sites/simulated/index.ts");
  const options = { name, spec, directory, clock: systemClock };
  if (spec.jobs === "imitate") return { kind: "foreign", site: await openSimulatedSite(options) };
  const programs = await openManagedSite({ name, directory: join(directory, "programs") });
  try {
    return { kind: "foreign", site: closedWith(programs, await openSimulatedSite({ ...options, programs })) };
  } catch (error) {
    await programs.close();
    throw error;
  }
}

/** A site that closes what was opened for it alone. */
function closedWith(programs: ManagedSite, site: ForeignSite): ForeignSite {
  const closeSite = site.close.bind(site);
  site.close = async () => {
    await closeSite();
    await programs.close();
  };
  return site;
}
