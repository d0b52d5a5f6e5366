/**
 * Whether this is a login node of a cluster: a batch system's client is here, and its controller answers.
 *
 * On such a machine others work too, and jobs belong on the cluster. A client without a controller (a
 * package that somebody installed) makes no cluster. Asked is Slurm; the answer is bounded in time, for
 * its client waits for minutes where its controller has gone.
 */
import { execFile } from "node:child_process";

/** The longest that an answer is waited for. */
const PATIENCE_MS = 3000;
const MOST_BYTES = 64 * 1024;

/** The name of the batch system that answers here; undefined where none does. */
export async function batchSystemHere(
  environment: Readonly<Record<string, string | undefined>>,
  patienceMs = PATIENCE_MS,
): Promise<string | undefined> {
  const answer = await outputOf("scontrol", ["ping"], { environment, patienceMs });
  return answer !== undefined && slurmIsUp(answer) ? "Slurm" : undefined;
}

/**
 * Whether any controller is up, as `scontrol ping` says it: a line each, of older versions one for both
 * (`Slurmctld(primary/backup) at a/b are UP/DOWN`).
 */
export function slurmIsUp(answer: string): boolean {
  return /^Slurmctld\([^)]*\) at .+ (?:is|are) (?:[A-Z]+\/)*UP\b/m.test(answer);
}

interface Asking {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly patienceMs: number;
}

/** What a program says, whatever its exit code; undefined where there is none, or none in time. */
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
