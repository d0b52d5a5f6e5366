/**
 * Files that Stint keeps at sites, and their owners, computed from events (rules EN-83, EN-102).
 *
 * Files count at sites that declare stores: the input files of a job from its placement on, its remaining
 * files from its end on, until they are removed. By site a keeper adds them up for each level of the storage
 * policies in force; it is computed again from the files where those policies change.
 */
import {
  attemptToken,
  bytesNow,
  isFinal,
  type JobRecord,
  type StoredFiles,
  storageBytesOf,
} from "../../model/index.ts";
import { createStoredKeeper, noteStored, type StoredKeeper } from "../../policy/index.ts";
import { boundParts } from "./bound-parts.ts";
import { sharesAt } from "./enforced-site.ts";
import { longestWindowMs, type PolicyBook } from "./policy-book.ts";
import type { Reserved } from "./reserved.ts";
import type { SiteState } from "./site-state.ts";

/** Current files, and recently removed ones. */
export interface FilesBook {
  /** Files by token. Cleared ones stay while a window of a policy may count them. */
  readonly files: Map<string, StoredFiles>;
  /** Tokens of ended attempts whose files are still to be counted. */
  readonly uncounted: Set<string>;
  /** By site, as long as its policies stay. */
  readonly keepers: Map<string, StoredKeeper>;
  /** Tokens of cleared files, in order of time. */
  readonly cleared: string[];
  /** By site what is there, and by what was reserved together what is in that. */
  readonly siteBytes: Map<string, number>;
  readonly filledBytes: Map<string, number>;
}

/** A record of files that an event has changed, for the views. */
export interface FilesChange {
  readonly kind: "files";
  readonly record: StoredFiles;
}

/** The part of the state that this is about. */
export interface WithFiles {
  readonly files: FilesBook;
  readonly sites: ReadonlyMap<string, SiteState>;
  readonly policies: PolicyBook;
  readonly reserved: Pick<Reserved, "records">;
}

/** Nothing is kept anywhere. */
export function noFiles(): FilesBook {
  return {
    ...{ files: new Map(), uncounted: new Set(), keepers: new Map(), cleared: [] },
    ...{ siteBytes: new Map(), filledBytes: new Map() },
  };
}

/** Changed jobs come to a site with their files, or are over there. */
export function noteFilesOf(state: WithFiles, jobs: readonly JobRecord[], atMs: number): FilesChange[] {
  return jobs.flatMap((job) => {
    if (job.attempt === 0) return [];
    const known = state.files.files.get(attemptToken(job.id, job.attempt));
    if (known === undefined) return arrives(state, job) ? [keep(state, filesOf(state, job, atMs), atMs)] : [];
    const isThere = job.site !== null && !isFinal(job.state);
    return known.state === "live" && !isThere ? [keep(state, { ...known, state: "over" }, atMs)] : [];
  });
}

/** Sets the counted files that an attempt has left (null: removed). */
export function applyFiles(
  state: WithFiles,
  {
    files: id,
    bytes,
    atMs,
  }: { readonly files: string; readonly bytes: number | null; readonly atMs: number },
): FilesChange[] {
  const known = state.files.files.get(id);
  if (known === undefined) return [];
  const isGone = bytes === null || bytes === 0;
  const steps = [...known.steps, { atMs, bytes: bytes ?? 0 }];
  return [keep(state, { ...known, state: isGone ? "cleared" : "kept", steps }, atMs)];
}

/** A site has gone, with all that it kept. */
export function filesGone(state: WithFiles, site: string, atMs: number): FilesChange[] {
  const its = [...state.files.files.values()].filter((it) => it.site === site && it.state !== "cleared");
  return its.flatMap(({ id }) => applyFiles(state, { files: id, bytes: null, atMs }));
}

/** Takes over what the views hold; keepers are made again when they are asked for. */
export function rememberFiles({ files: book }: WithFiles, files: readonly StoredFiles[]): void {
  for (const record of files) {
    // What memory has is at least as new.
    if (book.files.has(record.id)) continue;
    book.files.set(record.id, record);
    if (record.state === "over") book.uncounted.add(record.id);
    count(book, record, bytesNow(record));
  }
  const cleared = [...book.files.values()].filter(({ state }) => state === "cleared");
  const inOrder = cleared.sort((one, other) => changedAtMs(one) - changedAtMs(other));
  book.cleared.splice(0, book.cleared.length, ...inOrder.map(({ id }) => id));
  book.keepers.clear();
}

/** Stored bytes at a site by level; undefined where no storage policy applies. */
export function keeperAt(state: WithFiles, site: string, nowMs: number): StoredKeeper | undefined {
  const shares = sharesAt(state, site, nowMs);
  if (shares?.nodes.has("storage") !== true) return undefined;
  const known = state.files.keepers.get(site);
  if (known?.shares === shares) return known;
  const keeper = createStoredKeeper(shares);
  const steps = [...state.files.files.values()]
    .filter((it) => it.site === site)
    .flatMap(({ consumer, steps: its }) =>
      its.map(({ atMs, bytes }, index) => ({ consumer, atMs, by: bytes - (its[index - 1]?.bytes ?? 0) })),
    );
  for (const { consumer, atMs, by } of steps.sort((one, other) => one.atMs - other.atMs)) {
    noteStored(keeper, consumer, by, atMs);
  }
  state.files.keepers.set(site, keeper);
  return keeper;
}

/** When a record was last changed, Unix ms. */
export function changedAtMs({ steps }: StoredFiles): number {
  return steps.at(-1)?.atMs ?? 0;
}

/** True if a job has come to a site that declares stores. */
function arrives({ sites }: WithFiles, { site, state }: JobRecord): boolean {
  const spec = sites.get(site ?? "")?.spec;
  return spec !== undefined && !isFinal(state) && storageBytesOf(spec) > 0;
}

function filesOf({ reserved }: WithFiles, job: JobRecord, atMs: number): StoredFiles {
  const { id, attempt, site, consumer, owner, inputBytes = 0, description } = job;
  const about = { id: attemptToken(id, attempt), job: id, attempt, site: site ?? "", consumer, owner };
  const parts = boundParts(reserved, description.reservation, "store");
  const bound = parts === undefined ? {} : { boundTo: parts.together };
  return { ...about, ...bound, state: "live", steps: [{ atMs, bytes: inputBytes }] };
}

function count({ siteBytes, filledBytes }: FilesBook, { site, boundTo }: StoredFiles, by: number): void {
  siteBytes.set(site, (siteBytes.get(site) ?? 0) + by);
  if (boundTo === undefined) return;
  const filled = (filledBytes.get(boundTo) ?? 0) + by;
  if (filled === 0) filledBytes.delete(boundTo);
  else filledBytes.set(boundTo, filled);
}

function keep(state: WithFiles, record: StoredFiles, atMs: number): FilesChange {
  const { files: book, policies } = state;
  const before = book.files.get(record.id);
  const by = bytesNow(record) - (before === undefined ? 0 : bytesNow(before));
  const keeper = book.keepers.get(record.site);
  book.files.set(record.id, record);
  count(book, record, by);
  if (keeper !== undefined && by !== 0) noteStored(keeper, record.consumer, by, atMs);
  if (record.state === "over") book.uncounted.add(record.id);
  else book.uncounted.delete(record.id);
  if (record.state === "cleared") book.cleared.push(record.id);
  forgetOld(book, atMs - longestWindowMs(policies.versions));
  return { kind: "files", record };
}

/** Removes files cleared before every window began: they count no more. */
function forgetOld({ files, cleared }: FilesBook, beforeMs: number): void {
  let old = 0;
  for (; old < cleared.length; old++) {
    const record = files.get(cleared[old]);
    if (record !== undefined && changedAtMs(record) > beforeMs) break;
    files.delete(cleared[old]);
  }
  cleared.splice(0, old);
}
