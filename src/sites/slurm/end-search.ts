/**
 * Finding out how attempts of ours ended: from the queue while the controller remembers them, from the
 * accounting when it does not, and from what the wrapper left.
 *
 * Ends are written down when they are found, and told until they are acknowledged. The accounting is asked
 * only while something of ours is missing, and not for ever.
 */
import type { SurveyedEnd } from "../../engine/index.ts";
import { type EndedJob, historyCommand, type Queue, readHistory } from "../../formats/slurm/index.ts";
import type { Clock } from "../../runtime/index.ts";
import type { Ask } from "./ask.ts";
import type { AttemptBook, AttemptRecord } from "./attempt-book.ts";
import { endOfAttempt } from "./ends.ts";
import { jobNameOf, tokenOf } from "./job-name.ts";
import type { AttemptFiles } from "./site-files.ts";

/** What the search needs. */
export interface EndSearchParts {
  readonly book: AttemptBook;
  readonly ask: Ask;
  /** Undefined at a site where nothing is submitted. */
  readonly files: AttemptFiles | undefined;
  readonly clock: Pick<Clock, "nowMs">;
}

/** A file that a node wrote may be seen here a little later. */
const REPORT_PATIENCE_MS = 5000;
/** What the accounting has not told by then it will not tell. */
const SEARCH_MS = 600_000;
const SEARCH_BACK_MS = 30 * 86_400_000;

/** See the header. */
export class EndSearch {
  readonly #parts: EndSearchParts;
  /** Since when a token is missing, or an end waits for its report. */
  readonly #missingSince = new Map<string, number>();
  readonly #endedSince = new Map<string, number>();

  constructor(parts: EndSearchParts) {
    this.#parts = parts;
  }

  /** Takes in a look at the queue; gives the ends that are to be told. */
  async follow(queue: Queue): Promise<readonly SurveyedEnd[]> {
    const { book } = this.#parts;
    const living = this.#tokens(queue.jobs);
    for (const [token, siteJobs] of living) await this.#noteJobs(token, siteJobs);
    await this.#settle([...queue.ended, ...(await this.#missingOnes(queue, living))]);
    return [...book.all()].flatMap(({ ends, acknowledged }) =>
      ends.filter(({ siteJob }) => !acknowledged.includes(siteJob)),
    );
  }

  /** Of the ends that are known nothing is told any more; what has not ended is not acknowledged. */
  async acknowledge(token: string): Promise<void> {
    const { book } = this.#parts;
    const record = book.find(token);
    if (record === undefined || record.ends.length === 0) return;
    const acknowledged = [...new Set([...record.acknowledged, ...record.ends.map(({ siteJob }) => siteJob)])];
    if (acknowledged.length > record.acknowledged.length) await book.write({ ...record, acknowledged });
  }

  #tokens(jobs: Queue["jobs"]): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>();
    for (const { name, siteJob } of jobs) {
      const token = tokenOf(this.#parts.book.mark, name);
      if (token === null) continue;
      found.set(token, [...(found.get(token) ?? []), siteJob]);
    }
    return found;
  }

  /** A job whose submission was in doubt is known by its name. */
  async #noteJobs(token: string, siteJobs: readonly string[]): Promise<void> {
    const { book } = this.#parts;
    const record = book.find(token);
    if (record === undefined || siteJobs.every((it) => record.siteJobs.includes(it))) return;
    await book.write({ ...record, siteJobs: [...new Set([...record.siteJobs, ...siteJobs])] });
  }

  /** Ends of ours that the controller has forgotten, from the accounting. */
  async #missingOnes(
    queue: Queue,
    living: ReadonlyMap<string, readonly string[]>,
  ): Promise<readonly EndedJob[]> {
    const { book, ask, clock } = this.#parts;
    const nowMs = clock.nowMs();
    const ended = new Set(queue.ended.map(({ siteJob }) => siteJob));
    const missing = [...book.all()].filter((record) => {
      const present = living.get(record.token) ?? [];
      return record.siteJobs.some((it) => !present.includes(it) && !ended.has(it) && !isSettled(record, it));
    });
    const tokens = new Set(missing.map(({ token }) => token));
    for (const token of this.#missingSince.keys()) if (!tokens.has(token)) this.#missingSince.delete(token);
    for (const token of tokens) if (!this.#missingSince.has(token)) this.#missingSince.set(token, nowMs);
    const sought = missing.filter(({ token }) => nowMs - (this.#missingSince.get(token) ?? 0) < SEARCH_MS);
    if (sought.length === 0) return [];
    const names = sought.map(({ token }) => jobNameOf(book.mark, token));
    const oldestMs = Math.min(...sought.map(({ submittedAtMs }) => submittedAtMs));
    const withinMs = Math.min(SEARCH_BACK_MS, nowMs - oldestMs + 3_600_000);
    try {
      return readHistory(await ask("history", historyCommand(names, withinMs)));
    } catch {
      // A cluster without accounting: what it has forgotten is lost, which the engine says in time.
      return [];
    }
  }

  /** Writes down the ends among these rows that are ours and new. */
  async #settle(rows: readonly EndedJob[]): Promise<void> {
    const { book, files, clock } = this.#parts;
    const news = lastRuns(rows).flatMap((row) => {
      const token = tokenOf(book.mark, row.name);
      const record = token === null ? undefined : book.find(token);
      return record === undefined || isSettled(record, row.siteJob) ? [] : [{ ...row, token: record.token }];
    });
    if (news.length === 0) return;
    const started = news.filter(({ startedAtMs }) => startedAtMs !== null);
    const reports = files === undefined || started.length === 0 ? [] : await files.reports(started);
    for (const row of news) {
      const report = reports.find(({ siteJob, token }) => siteJob === row.siteJob && token === row.token);
      if (report === undefined && row.startedAtMs !== null && this.#mayStillCome(row, clock.nowMs()))
        continue;
      this.#endedSince.delete(row.siteJob);
      const record = book.find(row.token);
      if (record === undefined) continue;
      const end = endOfAttempt(row.token, row, report);
      const siteJobs = [...new Set([...record.siteJobs, row.siteJob])];
      await book.write({ ...record, siteJobs, ends: [...record.ends, end] });
    }
  }

  #mayStillCome({ siteJob }: EndedJob, nowMs: number): boolean {
    const since = this.#endedSince.get(siteJob) ?? nowMs;
    this.#endedSince.set(siteJob, since);
    return nowMs - since < REPORT_PATIENCE_MS;
  }
}

/** Of a job that was requeued, or an id that was used again under one name, the newest counts. */
function lastRuns(rows: readonly EndedJob[]): readonly EndedJob[] {
  const inOrder = rows.toSorted((one, other) => one.submittedAtMs - other.submittedAtMs);
  return [...new Map(inOrder.map((row) => [`${row.siteJob} ${row.name}`, row])).values()];
}

function isSettled({ ends, acknowledged }: AttemptRecord, siteJob: string): boolean {
  return acknowledged.includes(siteJob) || ends.some((end) => end.siteJob === siteJob);
}
