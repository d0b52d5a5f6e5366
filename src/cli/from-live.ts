/**
 * `stint sim --from-live SITE`: the queue of a cluster as it is now, as a workload that is played forward.
 *
 * It is written to a file for the simulator, which is gone afterwards unless it was asked for.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SiteQueueView, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { writeSafeFile } from "../formats/index.ts";
import type { Terminal } from "./terminal.ts";

/** A queue that lies in a file. */
export interface LiveWorkload {
  readonly file: string;
  /** What it is called in an answer. */
  readonly name: string;
  readonly view: SiteQueueView;
}

/** From where it comes, and where is told what it leaves out. */
export interface LiveWorld extends Pick<Terminal, "writeError"> {
  readonly client: () => Promise<Pick<StintClient, "queueThere">>;
}

/** What is needed to fetch one. */
export interface LiveRequest {
  readonly site: string;
  /** Where it stays; undefined: nowhere. */
  readonly keepAt: string | undefined;
}

/**
 * Fetches a queue, says what is not in it, and does something with its file.
 *
 * @throws Fault `queueEmpty` where nobody waits for a turn, and as the broker
 */
export async function withLiveQueue(
  { client, writeError }: LiveWorld,
  { site, keepAt }: LiveRequest,
  use: (workload: LiveWorkload) => Promise<void>,
): Promise<void> {
  const view = await (await client()).queueThere(site);
  for (const note of notesOn(view)) writeError(`stint: ${note}\n`);
  if (view.waiting === 0) throw queueEmpty(view);
  const folder = keepAt === undefined ? await mkdtemp(join(tmpdir(), "stint-queue-")) : undefined;
  const file = keepAt ?? join(folder ?? "", "queue.workload.jsonl");
  try {
    await writeSafeFile(file, `${view.lines.join("\n")}\n`);
    await use({ file, view, name: `the queue of ${view.site} at ${view.at}` });
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

function notesOn({ leftOut, unknown, site }: SiteQueueView): readonly string[] {
  const { forTheirOwn, tooWide, inReservations } = leftOut;
  const parts = [
    [forTheirOwn, "held, too early, dependent or over a limit"],
    [tooWide, "for nodes of several sets of partitions, or for more than there is"],
    [inReservations, "for a reservation"],
  ] as const;
  const left = parts.flatMap(([jobs, words]) => (jobs === 0 ? [] : [`${jobs} ${words}`]));
  return [
    ...(left.length === 0 ? [] : [`waiting jobs of ${site} that are left out: ${left.join("; ")}`]),
    ...unknown.map(({ what, why }) => `not known: ${what} (${why})`),
  ];
}

function queueEmpty({ site, at }: SiteQueueView): Fault {
  return new Fault({
    kind: "refused",
    code: "queueEmpty",
    what: `nothing to play: nobody waits for a turn at ${site}`,
    why: `so its queue was at ${at}`,
    remedy: "ask when jobs wait there, or about a recorded period (docs/guides/what-if.md)",
  });
}
