/**
 * Tests and removal of sites, by type, with their folders below the state directory.
 *
 * The folder of a site that is removed without cleaning moves to `removed/`, so that a new site of the same
 * name does not use records of another cluster.
 */
import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SiteCare } from "../broker/index.ts";
import type { ExecSiteSpec, SiteCheck, SiteRemovalReport, SiteSpec } from "../model/index.ts";
import { siteFolder } from "./open-site.ts";

/** Tests and removal for the broker with this state directory. */
export function siteCare(stateDirectory: string): SiteCare {
  return {
    async test(name, spec) {
      if (spec.type === "exec") return execChecks(spec);
      if (spec.type !== "slurm") return checksOf(spec);
      const { testSlurmSite } = await import("../sites/slurm/index.ts");
      if (name !== null) return testSlurmSite(name, spec, siteFolder(stateDirectory, name, spec));
      // Short, for a socket of ssh lies in it.
      const directory = await mkdtemp(join(stateDirectory, "try-"));
      try {
        const checks = await testSlurmSite("under test", spec, directory);
        await leave(spec, directory, false);
        return checks;
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
    leave: (name, spec, isClean) => leave(spec, siteFolder(stateDirectory, name, spec), isClean),
    putAway: (name, spec, isClean) =>
      putAway(stateDirectory, siteFolder(stateDirectory, name, spec), { name, isClean }),
  };
}

/** Runs the conformance suite in a directory of its own below that of the site's jobs. */
async function execChecks({ command, submitDirectory }: ExecSiteSpec): Promise<readonly SiteCheck[]> {
  const { checkAdapter } = await import("../sites/exec/index.ts");
  await mkdir(submitDirectory, { recursive: true, mode: 0o700 });
  return checkAdapter({ command, directory: submitDirectory, patienceMs: ADAPTER_PATIENCE_MS });
}

/** Time for each step of a test job: a busy batch system starts it late. */
const ADAPTER_PATIENCE_MS = 60_000;

async function leave(spec: SiteSpec, directory: string, isClean: boolean): Promise<SiteRemovalReport> {
  if (spec.type !== "slurm") return { removed: [], left: [] };
  const { leaveSlurmSite } = await import("../sites/slurm/index.ts");
  return leaveSlurmSite(spec, directory, isClean);
}

async function putAway(
  stateDirectory: string,
  folder: string,
  { name, isClean }: { readonly name: string; readonly isClean: boolean },
): Promise<SiteRemovalReport> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  if (!isThere) return { removed: [], left: [] };
  if (isClean) {
    await rm(folder, { recursive: true, force: true });
    return { removed: [`the broker's folder of the site, ${folder}`], left: [] };
  }
  const kept = join(stateDirectory, "removed");
  await mkdir(kept, { recursive: true, mode: 0o700 });
  const place = join(await mkdtemp(join(kept, `${name}-`)), "site");
  await rename(folder, place);
  return { removed: [], left: [`the broker's folder of the site, with what jobs wrote there, as ${place}`] };
}

/** Checks of a managed or simulated site, which needs no rights. */
function checksOf({ type, procs }: SiteSpec): readonly SiteCheck[] {
  const about = { isNeeded: true, remedy: null, works: true };
  const aside = { isNeeded: false, remedy: null, works: false };
  const where = type === "managed" ? "this machine" : "a simulated cluster";
  return [
    { ...about, what: "submission", why: `${where}, with ${procs} processors` },
    { ...about, what: "own jobs", why: "they are held, released, suspended, resumed and cancelled" },
    { ...aside, what: "requeue", why: `a site of type ${type} cannot requeue jobs` },
    { ...aside, what: "raising priorities", why: `a site of type ${type} has none` },
    {
      ...aside,
      what: "accounting",
      why: `a site of type ${type} keeps none; the broker's own records are used`,
    },
  ];
}
