/**
 * Detects a login node of a cluster: a batch system's client is installed and its controller answers.
 *
 * Such a machine is shared, and jobs belong on the cluster. A client without a controller (an installed
 * package) is no cluster. Slurm alone is tested, in bounded time, since its client waits for minutes if its
 * controller is down.
 */
import { execFile } from "node:child_process";

/** Longest wait for the answer, in ms. */
const PATIENCE_MS = 3000;
const MOST_BYTES = 64 * 1024;

/** Name of the batch system whose controller answers; undefined if none does. */
export async function batchSystemHere(
  environment: Readonly<Record<string, string | undefined>>,
  patienceMs = PATIENCE_MS,
): Promise<string | undefined> {
  const answer = await outputOf("scontrol", ["ping"], { environment, patienceMs });
  return answer !== undefined && slurmIsUp(answer) ? "Slurm" : undefined;
}

/**
 * True if any controller is up, in the output of `scontrol ping`: one line each, in older versions one for
 * both (`Slurmctld(primary/backup) at a/b are UP/DOWN`).
 */
export function slurmIsUp(answer: string): boolean {
  return /^Slurmctld\([^)]*\) at .+ (?:is|are) (?:[A-Z]+\/)*UP\b/m.test(answer);
}

interface Asking {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly patienceMs: number;
}

/** Output of a program, whatever its exit code; undefined if it is missing or too slow. */
function outputOf(
  program: string,
  words: readonly string[],
  { environment, patienceMs }: Asking,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const env = { ...environment, LC_ALL: "C" };
    const child = execFile(program, words, { env, maxBuffer: MOST_BYTES }, (error, stdout) => {
      clearTimeout(timer);
      resolve(error !== null && typeof error.code === "string" ? undefined : stdout);
    });
    // Its own children may keep the streams open: what is not said in time is not waited for.
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve(undefined);
    }, patienceMs);
  });
}
