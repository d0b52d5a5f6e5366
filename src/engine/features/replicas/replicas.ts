/**
 * Replica catalogue (rule EN-280): which stores have copies of a file. All copies of a logical name have one
 * size and checksum; a name is gone with its last copy, and copies are gone with their site.
 */
import { accepted, refused } from "../../../base/index.ts";
import {
  type JobRecord,
  outputsOf,
  type Replica,
  refusalText,
  type StintEvent,
} from "../../../model/index.ts";
import type { Answer, CommandOf, EventOf, Feature } from "../../feature.ts";
import { erased, written } from "../../state/books.ts";
import { inputDataAt, missingData } from "../../state/input-data.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";

type ReplicaCopy = Replica["copies"][number];

/** Most files that a cause names. */
const MOST_NAMED = 8;

export const replicas = {
  name: "replicas",
  answers: { addReplica, removeReplica, registerOutputs },
  applies: {
    replicaAdded,
    replicaRemoved,
    outputsRegistered: ({ books }, { job }) => (books.outputsDue.has(job) ? [erased("outputsDue", job)] : []),
  },
  after: (projection, event, jobs) => {
    const { books } = projection;
    if (event.kind === "attemptEnded") return jobs.flatMap((job) => outputsDue(projection, job));
    if (event.kind !== "siteRemoved") return [];
    const due = [...books.outputsDue.values()].filter(({ site }) => site === event.site);
    return [
      ...[...books.replicas.values()].flatMap((replica) =>
        without(replica, ({ site }) => site === event.site),
      ),
      ...due.map(({ job }) => erased("outputsDue", job)),
    ];
  },
  explain: {
    keepsFrom: (projection, { description }, sites) => {
      const missing = missingData(projection, description);
      if (missing.length === 0) return [];
      const cause = {
        kind: "dataMissing",
        names: missing.slice(0, MOST_NAMED),
        count: missing.length,
      } as const;
      return [{ sites: sites.map(({ name }) => name), cause, by: "description" }];
    },
    everywhere: (projection, { description, site: name, startedAtMs }) => {
      const site = projection.sites.get(name ?? "");
      if (site === undefined || startedAtMs !== null) return [];
      const there = inputDataAt(projection, site, description);
      return there === undefined ? [] : [{ kind: "dataThere", site: site.name, ...there }];
    },
  },
  queries: {
    /** Files whose logical names begin with this text, by name. */
    replicas: ({ books }: Projection, under: string) =>
      [...books.replicas.values()]
        .filter(({ name }) => name.startsWith(under))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
  },
} as const satisfies Feature;

/** Records a copy; an equal one changes nothing. */
function addReplica(projection: Projection, command: CommandOf<"addReplica">, nowMs: number): Answer {
  const { sites, books } = projection;
  const { name, site, store, checksum, kind: _, ...same } = command;
  const there = sites.get(site);
  if (there === undefined) return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
  const known = Object.keys(there.spec.stores ?? {});
  if (!known.includes(store)) return refused({ kind: "unknownStore", site, store, known });
  const before = books.replicas.get(name);
  const bytes = command.bytes ?? before?.bytes;
  if (bytes === undefined) return refused({ kind: "replicaSizeNeeded", name });
  const sum = checksum ?? before?.checksum;
  if (before !== undefined && (bytes !== before.bytes || sum !== (before.checksum ?? sum))) {
    return refused({ kind: "replicaDiffers", name, known: before });
  }
  const copy = before?.copies.find((it) => it.site === site && it.store === store);
  if (copy !== undefined && copy.url === command.url && before?.checksum === sum) return accepted([]);
  return accepted([
    {
      ...same,
      ...{ kind: "replicaAdded", name, bytes, site, store, atMs: nowMs },
      ...(sum === undefined ? {} : { checksum: sum }),
    },
  ]);
}

/** Record that the outputs of a job that succeeded are still to be registered (rule EN-282). */
function outputsDue({ sites }: Projection, job: JobRecord): RecordChange[] {
  const site = sites.get(job.site ?? "");
  if (job.result !== "ok" || site === undefined) return [];
  const outputs = outputsOf(job, site.spec);
  if (outputs.length === 0) return [];
  const { id, attempt, owner } = job;
  return [written("outputsDue", { job: id, attempt, site: site.name, owner, outputs })];
}

/** Records copies of the declared outputs of a job; files that it did not declare are ignored. */
function registerOutputs(
  projection: Projection,
  { job, left }: CommandOf<"registerOutputs">,
  nowMs: number,
): Answer {
  const due = projection.books.outputsDue.get(job);
  if (due === undefined) return accepted([]);
  const { site, owner: by } = due;
  const events: StintEvent[] = [];
  const names: string[] = [];
  const failed: { name: string; why: string }[] = [];
  for (const { name, store, path } of due.outputs) {
    const found = left.find((one) => one.name === name);
    if (found === undefined || path === null) {
      failed.push({ name, why: "the job did not report a copy" });
      continue;
    }
    const copy = { ...found, site, store, url: `file://${encodeURI(path)}`, by };
    const added = addReplica(projection, { kind: "addReplica", ...copy }, nowMs);
    if (!added.ok) {
      const { what, why } = refusalText(added.refusal);
      failed.push({ name, why: `${what}: ${why}` });
      continue;
    }
    names.push(name);
    events.push(...added.value);
  }
  return accepted([...events, { kind: "outputsRegistered", job, names, failed, atMs: nowMs }]);
}

function replicaAdded(projection: Projection, event: EventOf<"replicaAdded">): RecordChange[] {
  const { name, bytes, checksum, site, store, url } = event;
  const others = (projection.books.replicas.get(name)?.copies ?? []).filter(
    (copy) => copy.site !== site || copy.store !== store,
  );
  const copy: ReplicaCopy = { site, store, ...(url === undefined ? {} : { url }) };
  const sum = checksum === undefined ? {} : { checksum };
  return [written("replicas", { name, bytes, ...sum, copies: [...others, copy] })];
}

function removeReplica(
  { books }: Projection,
  { name, at, by }: CommandOf<"removeReplica">,
  nowMs: number,
): Answer {
  const copies = books.replicas.get(name)?.copies ?? [];
  const isThere = at === null ? copies.length > 0 : copies.some((copy) => isAt(copy, at));
  if (!isThere) {
    return refused({ kind: "unknownReplica", name, at: at === null ? null : `${at.site}/${at.store}` });
  }
  return accepted([{ kind: "replicaRemoved", name, at, by, atMs: nowMs }]);
}

function replicaRemoved({ books }: Projection, { name, at }: EventOf<"replicaRemoved">): RecordChange[] {
  const replica = books.replicas.get(name);
  return replica === undefined ? [] : without(replica, (copy) => at === null || isAt(copy, at));
}

function isAt({ site, store }: ReplicaCopy, at: Pick<ReplicaCopy, "site" | "store">): boolean {
  return site === at.site && store === at.store;
}

function without(replica: Replica, isGone: (copy: ReplicaCopy) => boolean): RecordChange[] {
  const copies = replica.copies.filter((copy) => !isGone(copy));
  if (copies.length === replica.copies.length) return [];
  return [
    copies.length === 0 ? erased("replicas", replica.name) : written("replicas", { ...replica, copies }),
  ];
}
