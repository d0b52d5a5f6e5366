/**
 * Finds out how our attempts ended: from the queue while the controller remembers them, then from the
 * accounting, and from the wrapper's report.
 *
 * Ends are stored when they are found, and reported until they are acknowledged. The accounting is read
 * only while an attempt is missing, and for a limited time. A failure of the accounting decides nothing: a
 * missing attempt is then neither running nor over.
 */
import type { SurveyedEnd } from "../../engine/index.ts";
import { type EndedJob, historyCommand, type Queue, readHistory } from "../../formats/slurm/index.ts";
import type { Clock } from "../../runtime/index.ts";
import type { Ask } from "./ask.ts";
import type { AttemptBook, AttemptRecord } from "./attempt-book.ts";
import { endOfAttempt, rowOfReport } from "./ends.ts";
import { isWithoutAccounting } from "./history.ts";
import type { TokenOf } from "./own-jobs.ts";
import type { AttemptFiles } from "./site-files.ts";

/** Functions and data that the search needs. */
export interface EndSearchParts {
  readonly book: AttemptBook;
  readonly tokenOf: TokenOf;
  readonly ask: Ask;
  /** Undefined at a read-only site. */
  readonly files: AttemptFiles | undefined;
  readonly clock: Pick<Clock, "nowMs">;
}

/** State of our attempts after a survey. */
export interface FoundEnds {
  /** Ends to report. */
  readonly ended: readonly SurveyedEnd[];
  /** Attempts that are in no list while the accounting fails: they may or may not be over. */
  readonly undecided: readonly Undecided[];
}

/** One of our jobs that is over, with its token. */
type OwnEnd = EndedJob & { readonly token: string };

/** A job of one of our attempts. */
export interface Undecided {
  readonly token: string;
  readonly siteJob: string;
  readonly submittedAtMs: number;
}

/** Delay, in ms, with which a file of a node or a row of the accounting may become visible. */
const REPORT_DELAY_MS = 5000;
/** Time after the accounting's first answer, in ms, after which it is not expected to learn of an end. */
const SEARCH_MS = 600_000;
/** Time of failure, in ms, after which an accounting counts as removed. */
const SILENT_MS = 86_400_000;
const SEARCH_BACK_MS = 30 * 86_400_000;

/** State of the search between surveys; see the header. */
export class EndSearch {
  readonly #parts: EndSearchParts;
  /** Instant from which a token is missing, or an end waits for its report. */
  readonly #missingSince = new Map<string, number>();
  /** Instant from which the accounting answers about a missing token without an end. */
  readonly #unknownSince = new Map<string, number>();
  readonly #endedSince = new Map<string, number>();

  constructor(parts: EndSearchParts) {
    this.#parts = parts;
  }

  /** Evaluates a reading of the queue. */
  async follow(queue: Queue): Promise<FoundEnds> {
    const { book } = this.#parts;
    const living = this.#tokens(queue.jobs);
    for (const [token, siteJobs] of living) await this.#noteJobs(token, siteJobs);
    await this.#settle(queue.ended);
    const sought = this.#sought(queue, living);
    const told = sought.length === 0 ? [] : await this.#accounted(sought);
    await this.#settle(told ?? []);
    const left = sought.filter(({ token, siteJob }) => !isSettled(book.find(token), siteJob));
    await this.#settleByReports(left);
    const undecided =
      told === undefined ? left.filter(({ token, siteJob }) => !isSettled(book.find(token), siteJob)) : [];
    const ended = [...book.all()].flatMap(({ ends, acknowledged }) =>
      ends.filter(({ siteJob }) => !acknowledged.includes(siteJob)),
    );
    return { ended, undecided };
  }

  /** Acknowledges known ends, which are no longer reported; running jobs are unaffected. */
  async acknowledge(token: string): Promise<void> {
    const { book } = this.#parts;
    const record = book.find(token);
    if (record === undefined || record.ends.length === 0) return;
    const acknowledged = [...new Set([...record.acknowledged, ...record.ends.map(({ siteJob }) => siteJob)])];
    if (acknowledged.length > record.acknowledged.length) await book.write({ ...record, acknowledged });
  }

  #tokens(jobs: Queue["jobs"]): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>();
    for (const job of jobs) {
      const { siteJob } = job;
      const token = this.#parts.tokenOf(job);
      if (token === null) continue;
      found.set(token, [...(found.get(token) ?? []), siteJob]);
    }
    return found;
  }

  /** Adds the ids of jobs that were found after a submission in doubt. */
  async #noteJobs(token: string, siteJobs: readonly string[]): Promise<void> {
    const { book } = this.#parts;
    const record = book.find(token);
    if (record === undefined || siteJobs.every((it) => record.siteJobs.includes(it))) return;
    await book.write({ ...record, siteJobs: [...new Set([...record.siteJobs, ...siteJobs])] });
  }

  /** Forgotten jobs of ours whose end may still be found. */
  #sought(queue: Queue, living: ReadonlyMap<string, readonly string[]>): readonly Undecided[] {
    const { book, clock } = this.#parts;
    const nowMs = clock.nowMs();
    const ended = new Set(queue.ended.map(({ siteJob }) => siteJob));
    const missing = [...book.all()].flatMap((record) => {
      const present = living.get(record.token) ?? [];
      return record.siteJobs
        .filter((it) => !present.includes(it) && !ended.has(it) && !isSettled(record, it))
        .map((siteJob) => ({ ...record, siteJob }));
    });
    const tokens = new Set(missing.map(({ token }) => token));
    for (const since of [this.#missingSince, this.#unknownSince]) {
      for (const token of since.keys()) if (!tokens.has(token)) since.delete(token);
    }
    for (const token of tokens) if (!this.#missingSince.has(token)) this.#missingSince.set(token, nowMs);
    return missing.filter(({ token }) => {
      const isHopeless = nowMs - (this.#unknownSince.get(token) ?? nowMs) >= SEARCH_MS;
      return !isHopeless && nowMs - (this.#missingSince.get(token) ?? nowMs) < SILENT_MS;
    });
  }

  /** Ends in the accounting; undefined if it cannot be read now. */
  async #accounted(sought: readonly Undecided[]): Promise<readonly EndedJob[] | undefined> {
    const { ask, clock } = this.#parts;
    const nowMs = clock.nowMs();
    const siteJobs = [...new Set(sought.map(({ siteJob }) => siteJob))];
    const oldestMs = Math.min(...sought.map(({ submittedAtMs }) => submittedAtMs));
    const withinMs = Math.min(SEARCH_BACK_MS, nowMs - oldestMs + 3_600_000);
    const text = await ask("history", historyCommand(siteJobs, withinMs)).catch(emptyWhereOff);
    if (text === undefined) return undefined;
    for (const { token } of sought) {
      if (!this.#unknownSince.has(token)) this.#unknownSince.set(token, nowMs);
    }
    return text === "" ? [] : readHistory(text);
  }

  /** Stores ends from wrappers' reports for jobs that have been missing for a while. */
  async #settleByReports(missing: readonly Undecided[]): Promise<void> {
    const { book, files, clock } = this.#parts;
    const isDue = ({ token }: Undecided): boolean =>
      clock.nowMs() - (this.#missingSince.get(token) ?? clock.nowMs()) >= REPORT_DELAY_MS;
    const due = missing.filter(isDue);
    if (files === undefined || due.length === 0) return;
    for (const report of await files.reports(due)) {
      const record = book.find(report.token);
      if (record === undefined || isSettled(record, report.siteJob)) continue;
      const end = endOfAttempt(record.token, rowOfReport(report), report);
      await book.write({ ...record, ends: [...record.ends, end] });
    }
  }

  /** Stores those ends that are ours and new. */
  async #settle(rows: readonly EndedJob[]): Promise<void> {
    const { book, files, clock } = this.#parts;
    const news = lastRuns(this.#own(rows)).filter(
      ({ token, siteJob }) => !isSettled(book.find(token), siteJob),
    );
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

  /** Those that are ours, with their tokens. */
  #own(rows: readonly EndedJob[]): readonly OwnEnd[] {
    return rows.flatMap((row) => {
      const token = this.#parts.tokenOf(row);
      return token === null ? [] : [{ ...row, token }];
    });
  }

  #mayStillCome({ siteJob }: EndedJob, nowMs: number): boolean {
    const since = this.#endedSince.get(siteJob) ?? nowMs;
    this.#endedSince.set(siteJob, since);
    return nowMs - since < REPORT_DELAY_MS;
  }
}

/** Newest run of each job: a requeue, or a reused id, gives several rows. */
function lastRuns(rows: readonly OwnEnd[]): readonly OwnEnd[] {
  const inOrder = rows.toSorted((one, other) => one.submittedAtMs - other.submittedAtMs);
  return [...new Map(inOrder.map((row) => [`${row.siteJob} ${row.token}`, row])).values()];
}

function isSettled(record: AttemptRecord | undefined, siteJob: string): boolean {
  if (record === undefined) return true;
  const { ends, acknowledged } = record;
  return acknowledged.includes(siteJob) || ends.some((end) => end.siteJob === siteJob);
}

/** Empty output for a cluster without accounting. */
function emptyWhereOff(error: unknown): string | undefined {
  return isWithoutAccounting(error) ? "" : undefined;
}
