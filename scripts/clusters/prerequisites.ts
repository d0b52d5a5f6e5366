/** Prerequisites of a test cluster: Debian's packages, and root. */
import { accessSync, constants, lstatSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../../src/base/index.ts";
import { bareEnvironment } from "./run.ts";

/** Required programs, with Debian's packages for them. */
const needed = [
  { program: "slurmctld", package: "slurmctld" },
  { program: "slurmd", package: "slurmd" },
  { program: "slurmdbd", package: "slurmdbd" },
  { program: "sbatch", package: "slurm-client" },
  { program: "munged", package: "munge" },
  { program: "mariadbd", package: "mariadb-server" },
  { program: "flock", package: "util-linux" },
  { program: "setpriv", package: "util-linux" },
  { program: "useradd", package: "passwd" },
];

/**
 * Longest state directory, in characters: the paths inside must fit into the 107 of a Unix socket's name.
 */
const LONGEST_DIRECTORY = 60;

/** Packages missing from `path`; empty if a cluster can be brought up. */
export function missingPackages(path = bareEnvironment.PATH ?? ""): string[] {
  const missing = needed.filter(({ program }) => !isInstalled(program, path));
  return [...new Set(missing.map((it) => it.package))];
}

/** Command that installs packages, for people to copy. */
export function installCommand(packages: readonly string[]): string {
  return `apt-get install -y --no-install-recommends ${packages.join(" ")}`;
}

/**
 * Checks the prerequisites.
 *
 * @throws Fault (`notAllowed`: not root, `notFound`: packages are missing)
 */
export function requirePrerequisites(): void {
  const missing = missingPackages();
  if (missing.length > 0) {
    throw new Fault({
      kind: "notFound",
      code: "slurmMissing",
      what: "there can be no test cluster on this machine",
      why: `these Debian packages are missing: ${missing.join(" ")}`,
      remedy: `As root: ${installCommand(missing)} (or scripts/ci-setup, for all that tests need).`,
    });
  }
  if (process.getuid?.() !== 0) {
    throw new Fault({
      kind: "notAllowed",
      code: "notRoot",
      what: "there can be no test cluster for this user",
      why: "Slurm's daemons start other people's jobs, which takes root",
      remedy: "Run it as root, in a container or on a machine of your own.",
    });
  }
}

/**
 * Makes the state directory: ours, and accessible to the daemons' users and all jobs.
 *
 * @throws Fault (badInput)
 */
export function makeStateDirectory(dir: string): void {
  if (dir.length > LONGEST_DIRECTORY || /[^\w./-]/.test(dir)) {
    const why = "sockets with limited names lie in it, and Slurm reads its path";
    throw badDirectory(dir, `${why}: ${LONGEST_DIRECTORY} characters at most, letters, digits and ._-/`);
  }
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  const { uid, mode } = lstatSync(dir);
  if (!lstatSync(dir).isDirectory() || uid !== process.getuid?.() || (mode & 0o022) !== 0)
    throw badDirectory(dir, "it is somebody else's, or others may write there");
  for (let folder = dir; folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0)
      throw badDirectory(dir, `the users of the cluster may not enter ${folder}`);
  }
}

function badDirectory(dir: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "stateDirectory",
    what: `${dir} cannot hold test clusters`,
    why,
    remedy: "Name another state directory with --dir, for example below /tmp.",
  });
}

function isInstalled(program: string, path: string): boolean {
  return path.split(":").some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
