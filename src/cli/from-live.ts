/**
 * `stint sim --from-live SITE`: the current queue of a cluster as a workload to simulate. The queue is
 * written to a file for the simulator, which is removed afterwards unless a path was given.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SiteQueueView, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { writeSafeFile } from "../formats/index.ts";
import type { Terminal } from "./terminal.ts";

/** A saved queue. */
export interface LiveWorkload {
  readonly file: string;
  /** Name of the queue in results. */
  readonly name: string;
  readonly view: SiteQueueView;
}

/** Source of the queue, and the stream for remarks on omitted jobs. */
export interface LiveWorld extends Pick<Terminal, "writeError"> {
  readonly client: () => Promise<Pick<StintClient, "queueThere">>;
}

/** Options of fetching a queue. */
export interface LiveRequest {
  readonly site: string;
  /** File that stays; undefined: none. */
  readonly keepAt: string | undefined;
}

/**
 * Fetches a queue, reports the jobs that it omits, and calls `use` with its file. @throws Fault `queueEmpty`
 * where no job waits, and those of the broker
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
    what: `there is nothing to simulate: no job waits at ${site}`,
    why: `its queue was read at ${at}`,
    remedy: "try again when jobs wait there, or use a recorded period (docs/guides/what-if.md)",
  });
}
