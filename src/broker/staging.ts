/**
 * Input files of a job on their way to its site: they wait for their turn on its links (rule BR-54).
 *
 * Bytes are charged before they are sent, piece by piece. A job that is cancelled meanwhile, or has left the
 * site, stops waiting; its caller handles that.
 */
import type { JobRecord } from "../model/index.ts";
import type { ForeignSite } from "../runtime/index.ts";
import type { SiteWorld } from "./attached-site.ts";

/**
 * Resolves when the files of a job may be sent.
 *
 * @returns how many bytes did not pass, of a job that is not wanted there any more
 */
export async function staged(
  job: JobRecord,
  { round, transfers }: Pick<SiteWorld, "round" | "transfers">,
  bytes = job.inputBytes ?? 0,
): Promise<number> {
  const { id, attempt, site, consumer, description } = job;
  const { reservation } = description;
  let leftBytes = bytes;
  while (leftBytes > 0 && site !== null && isWanted()) {
    leftBytes -= await transfers.pass({ site, consumer, reservation, mostBytes: leftBytes });
  }
  return leftBytes;
  function isWanted(): boolean {
    const job = round.projection.jobs.get(id);
    return job?.attempt === attempt && job.site === site && !job.isCancelRequested;
  }
}

/** Transfers of input files to one site. */
export interface Stagings {
  /** Resolves when the files of a job may be sent. */
  pass(job: JobRecord): Promise<void>;
  /** Forgets an array, whose files are no longer at the site. */
  forget(array: string): void;
}

/** Passages to a site: files that the elements of an array share there pass with the first of them. */
export function stagingsAt(
  { sharedInputs }: Pick<ForeignSite, "sharedInputs">,
  world: Pick<SiteWorld, "round" | "transfers">,
): Stagings {
  const leftOf = new Map<string, Promise<number>>();
  return {
    async pass(job) {
      const { array, part, inputBytes = 0 } = job;
      if (sharedInputs === undefined || array === undefined || part !== undefined) {
        await staged(job, world);
        return;
      }
      const isThere = sharedInputs.arrays().includes(array.id);
      const before = leftOf.get(array.id) ?? Promise.resolve(isThere ? 0 : inputBytes);
      const now = before.then((bytes) => staged(job, world, bytes));
      leftOf.set(array.id, now);
      await now;
    },
    forget: (array) => void leftOf.delete(array),
  };
}
