/**
 * Snapshot of the whole cluster: every read-only command once.
 *
 * Only the queue, the nodes and the partitions must be readable; for every other part that is hidden the
 * snapshot has the reason.
 */

import type { Queue } from "../../formats/slurm/index.ts";
import {
  associationsCommand,
  LICENSES_COMMAND,
  NODES_COMMAND,
  PARTITIONS_COMMAND,
  PRIORITIES_COMMAND,
  QOS_COMMAND,
  RESERVATIONS_COMMAND,
  readAssociations,
  readLicenses,
  readNodes,
  readPartitions,
  readPriorities,
  readQos,
  readQueue,
  readReservations,
  readSettings,
  SETTINGS_COMMAND,
  SQUEUE_COMMAND,
  schedulingRules,
  withClusterMemory,
} from "../../formats/slurm/index.ts";
import type { ClusterSnapshot, HiddenPart } from "../../model/index.ts";
import { type Ask, failureReason } from "./ask.ts";

/** A recent reading of the queue. */
export interface SeenQueue {
  readonly atMs: number;
  readonly queue: Queue;
}

/**
 * Takes a snapshot; a recent reading of the queue is reused.
 *
 * @throws Fault if the queue, the nodes or the partitions cannot be read
 */
export async function takeSnapshot(
  ask: Ask,
  nowMs: () => number,
  seen?: SeenQueue,
): Promise<ClusterSnapshot> {
  const hidden: HiddenPart[] = [];
  const atMs = seen?.atMs ?? nowMs();
  const read = async <Value>(what: string, words: readonly string[], parse: (text: string) => Value) =>
    parse(await ask(what, words));
  /** Reads a part that may be missing; `none` replaces it. */
  const may = async <Value>(
    what: string,
    words: readonly string[],
    { parse, none }: { readonly parse: (text: string) => Value; readonly none: Value },
  ): Promise<Value> => {
    try {
      return await read(what, words, parse);
    } catch (error) {
      hidden.push({ what, why: failureReason(error) });
      return none;
    }
  };
  const queue = seen?.queue ?? (await read("jobs", SQUEUE_COMMAND, readQueue));
  const nodes = await read("nodes", NODES_COMMAND, readNodes);
  const partitions = await read("partitions", PARTITIONS_COMMAND, readPartitions);
  const settings = await may("settings", SETTINGS_COMMAND, { parse: readSettings, none: {} });
  const parts = await may("priority factors", PRIORITIES_COMMAND, {
    parse: readPriorities,
    none: new Map<string, Readonly<Record<string, number>>>(),
  });
  const name = settings.ClusterName ?? null;
  const associations =
    name === null
      ? []
      : await may("associations", associationsCommand(name), { parse: readAssociations, none: [] });
  return {
    atMs,
    system: "slurm",
    version: settings.SLURM_VERSION ?? null,
    name,
    partitions: withClusterMemory(partitions, settings),
    nodes,
    jobs: queue.jobs.map((job) => ({ ...job, priorityParts: parts.get(baseOf(job.siteJob)) ?? null })),
    reservations: await may("reservations", RESERVATIONS_COMMAND, { parse: readReservations, none: [] }),
    qos: await may("qos", QOS_COMMAND, { parse: readQos, none: [] }),
    associations,
    licenses: await may("free licences", LICENSES_COMMAND, { parse: readLicenses, none: [] }),
    settings,
    scheduling: schedulingRules(settings),
    hidden: [...hidden, ...unreadable(queue.unreadable), ...privateParts(settings)],
  };
}

/** Array id of a job id, as in the output of sprio. */
function baseOf(siteJob: string): string {
  return siteJob.split("_")[0] ?? siteJob;
}

function unreadable(rows: number): readonly HiddenPart[] {
  return rows === 0 ? [] : [{ what: `${rows} rows of the queue`, why: "they could not be read" }];
}

/** Parts that `PrivateData` hides from all but operators, by its words. */
const PRIVATE: Readonly<Record<string, string>> = {
  accounts: "accounts of others",
  jobs: "jobs of others",
  nodes: "nodes",
  partitions: "partitions that we may not use",
  reservations: "reservations of others",
  usage: "usage of others",
  users: "users",
};

/** Parts that the settings hide from users; operators may see more, which the settings do not show. */
export function privateParts(settings: Readonly<Record<string, string>>): readonly HiddenPart[] {
  const words = (settings.PrivateData ?? "").toLowerCase().split(",");
  return words.flatMap((word) => {
    const what = PRIVATE[word.trim()];
    const setting = `PrivateData=${word.trim()}`;
    const why = `${setting} hides them from all but operators; predictions leave out what is not shown`;
    return what === undefined ? [] : [{ what, why }];
  });
}
