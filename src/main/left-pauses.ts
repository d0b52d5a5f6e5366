/**
 * Pauses of enforcers that were requested while no broker answered: one file each, `pause/SITE` in the
 * state directory, which the broker reads at its start before any decision.
 */
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LeftPauses } from "../cli/index.ts";
import { type Environment, findStateDirectory } from "./settings.ts";

/** Names of sites that can be file names. */
const SITE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Stores and withdraws pauses for the environment's broker, if it is of this machine. */
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

/** Sites whose enforcers are to pause. */
export async function pausesLeft(directory: string): Promise<readonly string[]> {
  const names = await readdir(folderOf(directory)).catch(() => []);
  return names.filter((name) => SITE_NAME.test(name)).sort();
}

/** Deletes pauses that are in the log. */
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
