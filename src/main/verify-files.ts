/**
 * Stored files at a site from a log: amounts per consumer, and jobs that waited for storage.
 *
 * An interval between two changes of a job's files is a use of that many bytes. Files wait from the event
 * after which the site has no room for them, while another site that the job may use has; the log is
 * evaluated event by event, as the broker did.
 */
import { limitsEverywhere, type Projection, type RecordChange } from "../engine/index.ts";
import type { JobRecord, StoredFiles, StoreLimit } from "../model/index.ts";
import type { OpenStretch, UseRecord } from "../policy/index.ts";

/** Intervals so far. */
export interface FilesStory {
  readonly site: string;
  readonly files: Map<string, StoredFiles>;
  /** Waiting times by job; one whose last interval is open waits now. */
  readonly waits: Map<string, ToldWait>;
}

interface ToldWait {
  readonly job: JobRecord;
  readonly bytes: number;
  readonly waits: OpenStretch[];
}

/** Empty state for a site. */
export function noFilesTold(site: string): FilesStory {
  return { site, files: new Map(), waits: new Map() };
}

/** Applies the changes of an event. */
export function tellFiles({ site, files }: FilesStory, change: RecordChange): void {
  if (change.kind === "files" && change.record.site === site) files.set(change.record.id, change.record);
}

/** Updates the waiting jobs after an event was applied. */
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

/** Storage records of a verification: one for each amount that was stored, and for each wait. */
export function fileRecords({ files, waits }: FilesStory): readonly UseRecord[] {
  return [...[...files.values()].flatMap(lainRecords), ...[...waits].flatMap(waitRecord)];
}

function waitsFor(state: Projection, id: string, site: string, atMs: number): boolean {
  const job = state.jobs.get(id);
  if (job === undefined || !state.unplaced.has(id)) return false;
  return limitsEverywhere(state, job, atMs).some((limit) => limit.site === site && isDemand(limit));
}

/** True if the wait counts as demand; a request beyond the job's own reservation does not. */
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
