/** This machine as a site: its name and default limits. */
import type { ConfiguredSite } from "../formats/stint-yaml/index.ts";
import type { ManagedSiteSpec, SiteSpec } from "../model/index.ts";
import { machineCapacity } from "../sites/managed/index.ts";

/** Default walltime limit, in ms: long, so that it seldom ends a job unexpectedly. */
const DEFAULT_WALL_TIME_MS = 24 * 3_600_000;

/** Site that is offered if none is configured. */
export const thisMachine: ConfiguredSite = {
  name: "local",
  line: 0,
  settings: { type: "managed", discipline: "easy", defaultWallTimeMs: DEFAULT_WALL_TIME_MS },
  lines: new Map(),
};

/** Complete spec of a site; unset sizes of this machine are those it has. */
export function wholeSpec(settings: ConfiguredSite["settings"]): SiteSpec {
  if (settings.type === "simulated") return settings;
  // How large a cluster is it says itself when it is added.
  if (settings.type === "slurm" || settings.type === "exec") return { procs: 0, memoryBytes: 0, ...settings };
  const { type, discipline, defaultWallTimeMs, gpus, reservations, enforcement, stores, links } = settings;
  const { streams, applications, ads, publish } = settings;
  const { procs, memoryBytes } = { ...machineCapacity(), ...settings };
  const spec: ManagedSiteSpec = { type, procs, memoryBytes, discipline, defaultWallTimeMs };
  return {
    ...spec,
    ...(gpus === undefined ? {} : { gpus }),
    ...(reservations === undefined ? {} : { reservations }),
    ...(enforcement === undefined ? {} : { enforcement }),
    ...(stores === undefined ? {} : { stores }),
    ...(links === undefined ? {} : { links }),
    ...(streams === undefined ? {} : { streams }),
    ...(applications === undefined ? {} : { applications }),
    ...(ads === undefined ? {} : { ads }),
    ...(publish === undefined ? {} : { publish }),
  };
}
