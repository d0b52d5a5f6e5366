/**
 * Input files of a job on their way to its site: they wait for their turn on its links (rule BR-54).
 *
 * Bytes are charged before they are sent, piece by piece. A job that is cancelled meanwhile, or has left the
 * site, stops waiting; its caller handles that.
 */
import type { JobRecord } from "../model/index.ts";
import type { SiteWorld } from "./attached-site.ts";

/** Resolves when the files of a job may be sent. */
export async function staged(
  { id, attempt, site, consumer, inputBytes = 0, description: { reservation } }: JobRecord,
  { round, transfers }: Pick<SiteWorld, "round" | "transfers">,
): Promise<void> {
  let leftBytes = inputBytes;
  while (leftBytes > 0 && site !== null && isWanted()) {
    leftBytes -= await transfers.pass({ site, consumer, reservation, mostBytes: leftBytes });
  }
  function isWanted(): boolean {
    const job = round.projection.jobs.get(id);
    return job?.attempt === attempt && job.site === site && !job.isCancelRequested;
  }
}
