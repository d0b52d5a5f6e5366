/**
 * What a log tells of files at a site: how much lay there for whom, and who waited for room (rule EN-114).
 *
 * A stretch between two changes of what a job has there is a run of so many bytes. Files wait at a site
 * from the event after which it has no room for them, while no other site that their job may use has; the
 * log is looked at event by event, as the broker saw it.
 */
import { type Projection, type RecordChange, whyStoreFull } from "../engine/index.ts";
import type { JobRecord, StoredFiles, StoreLimit } from "../model/index.ts";
import type { OpenStretch, UseRecord } from "../policy/index.ts";

/** What was told of files so far. */
export interface FilesStory {
  readonly site: string;
  readonly files: Map<string, StoredFiles>;
  /** By job; those whose last stretch is open wait now. */
  readonly waits: Map<string, ToldWait>;
}

interface ToldWait {
  readonly job: JobRecord;
  readonly bytes: number;
  readonly waits: OpenStretch[];
}

/** Nothing was told of files at a site. */
export function noFilesTold(site: string): FilesStory {
  return { site, files: new Map(), waits: new Map() };
}

/** Takes in what an event has changed. */
export function tellFiles({ site, files }: FilesStory, change: RecordChange): void {
  if (change.kind === "files" && change.record.site === site) files.set(change.record.id, change.record);
}

/** Looks at who waits for room once an event is applied. */
export function tellWaiting({ site, waits }: FilesStory, state: Projection, atMs: number): void {
  for (const [id, { waits: its }] of waits) {
    const last = its.at(-1);
    if (last?.toMs === null && !waitsFor(state, id, site, atMs)) {
      its[its.length - 1] = { fromMs: last.fromMs, toMs: atMs };
    }
  }
  for (const id of state.unplaced) {
    const job = state.jobs.get(id);
    if (job === undefined || (job.inputBytes ?? 0) === 0) continue;
    const told = waits.get(id) ?? { job, bytes: job.inputBytes ?? 0, waits: [] };
    if (told.waits.at(-1)?.toMs === null || !waitsFor(state, id, site, atMs)) continue;
    waits.set(id, told);
    told.waits.push({ fromMs: atMs, toMs: null });
  }
}

/** Stores as a verification is made of: a record for each amount that lay there, and for each wait. */
export function fileRecords({ files, waits }: FilesStory): readonly UseRecord[] {
  return [...[...files.values()].flatMap(lainRecords), ...[...waits].flatMap(waitRecord)];
}

function waitsFor(state: Projection, id: string, site: string, atMs: number): boolean {
  const job = state.jobs.get(id);
  if (job === undefined || !state.unplaced.has(id)) return false;
  const cause = whyStoreFull(state, job, atMs);
  return cause?.kind === "storeFull" && cause.limits.some((limit) => limit.site === site && isDemand(limit));
}

/** Who asks for more than it has reserved asks for nothing that a policy gives it. */
function isDemand({ limit, isNever }: StoreLimit): boolean {
  return limit !== "reservation" && !isNever;
}

function lainRecords({ id, consumer, steps }: StoredFiles): readonly UseRecord[] {
  return steps.flatMap(({ atMs, bytes }, at): readonly UseRecord[] => {
    const toMs = steps[at + 1]?.atMs ?? null;
    if (bytes === 0 || toMs === atMs) return [];
    const about = { id: `${id} files ${at + 1}`, of: "files", consumer, need: { storage: bytes } } as const;
    const run = { fromMs: atMs, toMs };
    return [
      { ...about, submittedAtMs: atMs, waits: [], runs: [run], endedAtMs: toMs, outcome: "unfinished" },
    ];
  });
}

function waitRecord([id, { job, bytes, waits }]: readonly [string, ToldWait]): readonly UseRecord[] {
  const lasting = waits.filter(({ fromMs, toMs }) => toMs === null || toMs > fromMs);
  if (lasting.length === 0) return [];
  const { consumer, submittedAtMs } = job;
  const about = { id: `${id} files`, of: "files", consumer, need: { storage: bytes } } as const;
  return [{ ...about, submittedAtMs, waits: lasting, runs: [], endedAtMs: null, outcome: "unfinished" }];
}
