/**
 * Pauses of enforcers that were asked for while no broker answered: a file each, `pause/SITE` in the state
 * directory, which the broker reads when it starts, before it decides anything.
 */
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LeftPauses } from "../cli/index.ts";
import { type Environment, findStateDirectory } from "./settings.ts";

/** What a site may be called: such a name is a file's, and no path. */
const SITE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Leaves and takes back pauses for the broker that this environment means, if it is of this machine. */
export async function leftPauses(environment: Environment): Promise<LeftPauses> {
  const isElsewhere = Boolean(environment.STINT_URL);
  const directory = isElsewhere ? undefined : await findStateDirectory(environment);
  return {
    leave: async (site) => {
      if (directory === undefined || !SITE_NAME.test(site) || !(await isThere(directory))) return undefined;
      await mkdir(folderOf(directory), { recursive: true, mode: 0o700 });
      const file = fileOf(directory, site);
      await writeFile(file, "", { mode: 0o600 });
      return file;
    },
    takeBack: async (site) => {
      if (directory === undefined || !SITE_NAME.test(site)) return false;
      const file = fileOf(directory, site);
      const wasThere = await isThere(file);
      await rm(file, { force: true });
      return wasThere;
    },
  };
}

/** The sites whose enforcers are to rest. */
export async function pausesLeft(directory: string): Promise<readonly string[]> {
  const names = await readdir(folderOf(directory)).catch(() => []);
  return names.filter((name) => SITE_NAME.test(name)).sort();
}

/** They are in the log now. */
export async function forgetPauses(directory: string, sites: readonly string[]): Promise<void> {
  for (const site of sites) await rm(fileOf(directory, site), { force: true });
}

function folderOf(directory: string): string {
  return join(directory, "pause");
}

function fileOf(directory: string, site: string): string {
  return join(folderOf(directory), site);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
