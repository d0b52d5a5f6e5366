/**
 * A batch system behind a program as a foreign site. The program queues scripts and lists its queue; all else
 * is done here: directories of jobs, the script with time limit and report, held submissions, ends.
 *
 * A submission is given to the program only when it is released, so the batch system need not support held
 * jobs. Each request is recorded before it is sent: a submission without an answer is found in the program's
 * list by its key, or repeated with that key. If the program queues it twice, only the job whose script makes
 * the claim first runs.
 */
import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import { Fault } from "../../base/index.ts";
import type { Survey, SurveyedEnd, SurveyedJob } from "../../engine/index.ts";
import type { AttemptEnd, ExecSiteSpec } from "../../model/index.ts";
import {
  attemptNotEnded,
  type Clock,
  type FilePart,
  type ForeignSite,
  type PlacedAttempt,
  type SiteAbility,
  type SiteCapacity,
  type SiteVerb,
  type SubmitOrder,
} from "../../runtime/index.ts";
import {
  type AttemptFiles,
  checkSubmission,
  checkToken,
  endOfAttempt,
  type RecordFolder,
  rowOfReport,
  scriptUnderSignals,
} from "../slurm/index.ts";
import { type AdapterProcess, adapterFault } from "./adapter-process.ts";
import { type ExecJob, othersJob, shownJob } from "./exec-job.ts";
import {
  type AdapterDescription,
  type AdapterJob,
  adapterJobs,
  describeAdapter,
  fieldsOf,
  jobIdOf,
} from "./protocol.ts";

/** Parts of a site. */
export interface ExecSiteParts {
  readonly name: string;
  readonly spec: ExecSiteSpec;
  readonly program: AdapterProcess;
  readonly jobs: RecordFolder<ExecJob>;
  readonly files: AttemptFiles;
  readonly clock: Pick<Clock, "nowMs">;
  /** Time between TERM and KILL, in ms. */
  readonly graceMs: number;
}

const MS_PER_MINUTE = 60_000;
/** Delay with which a report on a shared file system may become visible. */
const REPORT_DELAY_MS = 3000;
/** Time for which a submission without an answer may be missing from the list before it is repeated. */
const DOUBT_MS = 5000;
const LEAST_LOST_AFTER_MS = 30_000;

/** A foreign site behind a program; see the header. */
export class ExecSite implements ForeignSite {
  readonly name: string;
  readonly surveyEveryMs: number;
  readonly lostAfterMs: number;
  readonly #parts: ExecSiteParts;
  readonly #missingSince = new Map<string, number>();
  /** Keys of the jobs of each attempt. */
  readonly #keys = new Map<string, readonly string[]>();
  #description: AdapterDescription | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: ExecSiteParts, description?: AdapterDescription) {
    const { name, spec } = parts;
    this.name = name;
    this.surveyEveryMs = Math.ceil(MS_PER_MINUTE / spec.pollsPerMinute);
    this.lostAfterMs = Math.max(LEAST_LOST_AFTER_MS, 5 * this.surveyEveryMs);
    this.#parts = parts;
    this.#description = description;
    for (const job of parts.jobs.all()) this.#noteKey(job);
  }

  /** All that an adapter can have, until the program has described itself; each survey lets it do so. */
  get abilities(): ReadonlySet<SiteAbility> {
    const hasSignals = this.#description?.verbs.has("signal") ?? true;
    return new Set(hasSignals ? ["submit", "suspend", "signal"] : ["submit"]);
  }

  async capacity(): Promise<SiteCapacity> {
    const { procs, memoryBytes, gpus } = await this.#described();
    return { procs, memoryBytes, ...(gpus > 0 ? { gpus } : {}) };
  }

  async submit(order: SubmitOrder): Promise<string> {
    const { clock, files, graceMs, jobs } = this.#parts;
    const { token: attempt, name, procs, memoryBytes, gpus = 0, limitMs, queue = null } = order;
    checkSubmission(order, await this.capacity());
    if (order.reservation !== null || order.pilot !== undefined) throw noReservations(attempt);
    const token = `x${randomBytes(6).toString("hex")}`;
    const about = { token, attempt, name, procs, memoryBytes, gpus, limitMs, queue };
    const directory = files.placeOf(attempt);
    // Makes the directories, too.
    await files.write(attempt, `script.${token}`, scriptUnderSignals(order, { directory, graceMs }, token));
    await files.send(attempt, order.inputFiles);
    const none = { job: null, startedAtMs: null, end: null };
    await jobs.write({
      ...{ ...about, ...none, state: "held", submittedAtMs: clock.nowMs() },
      ...{ isSuspended: false, isCancelled: false, isAcknowledged: false },
    });
    this.#noteKey(about);
    return token;
  }

  act(verb: SiteVerb, attempt: PlacedAttempt): Promise<void> {
    return this.#inTurn(async () => {
      const job = this.#own(attempt);
      if (job === undefined || job.end !== null) return;
      switch (verb) {
        case "release":
          return job.job === null ? this.#send(job) : this.#askIf("release", job);
        case "hold":
          return job.state === "held" || job.startedAtMs !== null ? undefined : this.#askIf("hold", job);
        case "cancel":
          return this.#cancel(job);
        case "suspend":
          return this.#pause(job, true);
        case "resume":
          return this.#pause(job, false);
      }
    });
  }

  signal(attempt: PlacedAttempt, name: string): Promise<void> {
    return this.#inTurn(async () => {
      const job = this.#own(attempt);
      if (job?.state !== "sent" || job.startedAtMs === null) return;
      await this.#parts.files.addSignal(job.attempt, name);
      await this.#askIf("signal", job, { signal: "USR1" });
    });
  }

  survey(): Promise<Survey> {
    return this.#inTurn(async () => {
      const { clock, jobs: book, name, program } = this.#parts;
      await this.#described();
      const atMs = clock.nowMs();
      const listed = await adapterJobs(name, program.ask);
      const byKey = new Map(listed.flatMap((one) => (one.key === null ? [] : [[one.key, one] as const])));
      const shown: SurveyedJob[] = [];
      const ended: SurveyedEnd[] = [];
      for (const before of book.all()) {
        const job = await this.#follow(before, byKey.get(before.token), atMs);
        if (job.end !== null) {
          if (!job.isAcknowledged) ended.push(job.end);
        } else if (job.state === "held" || byKey.has(job.token) || job.job === null) {
          shown.push(shownJob(job, byKey.get(job.token)));
        }
      }
      const others = listed.filter(({ key }) => key === null || book.find(key) === undefined);
      return {
        atMs,
        jobs: [...shown, ...others.map((one) => othersJob(one, atMs))],
        ended,
        reservations: [],
      };
    });
  }

  async acknowledge(token: string): Promise<void> {
    checkToken(token);
    for (const job of this.#jobsOf(token)) {
      if (job.end !== null) await this.#parts.jobs.write({ ...job, isAcknowledged: true });
    }
  }

  reserve(): Promise<string> {
    throw noReservations("a reservation");
  }

  async unreserve(): Promise<void> {
    // There is none.
  }

  async readFile(...[token, ...part]: Parameters<ForeignSite["readFile"]>): Promise<FilePart | undefined> {
    checkToken(token);
    return this.#parts.files.readPart(token, ...part);
  }

  async addFile(token: string, name: string, bytes: Uint8Array): Promise<void> {
    checkToken(token);
    await this.#parts.files.add(token, name, bytes);
  }

  async listFiles(token: string): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]> {
    checkToken(token);
    return await this.#parts.files.list(token);
  }

  async sizeOfFiles(token: string): Promise<number> {
    checkToken(token);
    return this.#parts.files.size(token);
  }

  async purge(token: string): Promise<void> {
    checkToken(token);
    const jobs = this.#jobsOf(token);
    if (jobs.length === 0) return;
    if (jobs.some(({ end }) => end === null)) throw attemptNotEnded(token);
    await this.#parts.files.remove(token);
    for (const job of jobs) await this.#parts.jobs.remove(job.token);
    this.#keys.delete(token);
  }

  async close(): Promise<void> {
    await this.#parts.program.close();
  }

  async #described(): Promise<AdapterDescription> {
    this.#description ??= await describeAdapter(this.name, this.#parts.program.ask);
    return this.#description;
  }

  #noteKey({ attempt, token }: Pick<ExecJob, "attempt" | "token">): void {
    this.#keys.set(attempt, [...(this.#keys.get(attempt) ?? []), token]);
  }

  #jobsOf(attempt: string): readonly ExecJob[] {
    const keys = this.#keys.get(attempt) ?? [];
    return keys.flatMap((key) => this.#parts.jobs.find(key) ?? []);
  }

  /** The job with this id, if it is of this attempt. */
  #own({ siteJob, token }: PlacedAttempt): ExecJob | undefined {
    checkToken(token);
    const job = this.#parts.jobs.find(siteJob);
    return job?.attempt === token ? job : undefined;
  }

  /** Orders and surveys one after the other, so that each sees what the one before recorded. */
  #inTurn<Result>(deed: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(deed);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #send(held: ExecJob): Promise<void> {
    const { files, graceMs, jobs, name, program } = this.#parts;
    const { token: key, attempt, procs, memoryBytes, gpus, limitMs, queue } = held;
    const directory = files.placeOf(attempt);
    const script = posix.join(directory, `script.${key}`);
    const sent: ExecJob = { ...held, state: "sent" };
    await jobs.write(sent);
    const limitSec = Math.ceil((limitMs + graceMs) / 1000);
    const size = { procs, memoryBytes, gpus, limitSec, ...(queue === null ? {} : { queue }) };
    try {
      const answer = await program.ask("submit", { key, name: held.name, script, directory, ...size });
      const job = jobIdOf(fieldsOf(answer).job);
      if (job === null) throw adapterFault(name, "its answer to submit has no job id");
      await jobs.write({ ...sent, job });
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== "refused") throw error;
      await this.#end(sent, { cause: "launchFailed", detail: error.why });
    }
  }

  async #cancel(job: ExecJob): Promise<void> {
    if (job.state === "held") return this.#end(job, { cause: "cancelled" });
    const { files, jobs, program } = this.#parts;
    await jobs.write({ ...job, isCancelled: true });
    await files.write(job.attempt, "stop", "");
    await program.ask("cancel", { key: job.token, job: job.job });
  }

  async #pause(job: ExecJob, isSuspended: boolean): Promise<void> {
    if (job.startedAtMs === null || job.isSuspended === isSuspended) return;
    if (!(await this.#described()).verbs.has("signal")) throw noSignals(this.name);
    const { files, jobs } = this.#parts;
    if (isSuspended) await files.write(job.attempt, "suspended", "");
    await files.addSignal(job.attempt, isSuspended ? "SIGSTOP" : "SIGCONT");
    await this.#askIf("signal", job, { signal: "USR1" });
    if (!isSuspended) await files.drop(job.attempt, "suspended");
    await jobs.write({ ...job, isSuspended });
  }

  /** Asks for an optional verb, if the program knows it. */
  async #askIf(verb: "hold" | "release" | "signal", { token: key, job }: ExecJob, words = {}): Promise<void> {
    const { verbs } = await this.#described();
    if (job !== null && verbs.has(verb)) await this.#parts.program.ask(verb, { key, job, ...words });
  }

  /** The job after what the list and its report show. */
  async #follow(job: ExecJob, listed: AdapterJob | undefined, atMs: number): Promise<ExecJob> {
    if (job.state !== "sent" || job.end !== null) return job;
    if (listed !== undefined) {
      this.#missingSince.delete(job.token);
      const isRunning = listed.state === "running" || listed.state === "suspended";
      const startedAtMs = job.startedAtMs ?? (isRunning ? (listed.startedAtMs ?? atMs) : null);
      if (startedAtMs === job.startedAtMs && listed.job === job.job) return job;
      return this.#write({ ...job, startedAtMs, job: listed.job });
    }
    const since = this.#missingSince.get(job.token) ?? atMs;
    this.#missingSince.set(job.token, since);
    const { attempt, token: siteJob, isCancelled } = job;
    const [report] = await this.#parts.files.reports([{ token: attempt, siteJob }]);
    if (report !== undefined) {
      const end = endOfAttempt(attempt, rowOfReport(report), report);
      const isByCluster = report.cause === "pilotGone" && !isCancelled;
      return this.#write({ ...job, state: "ended", end: isByCluster ? { ...end, end: ENDED_THERE } : end });
    }
    if (atMs - since < REPORT_DELAY_MS) return job;
    if (isCancelled) await this.#end(job, { cause: "cancelled" });
    // Without an answer it is submitted again, under the same key; a failure is repeated at the next survey.
    else if (job.job === null && atMs - since >= DOUBT_MS) await this.#send(job).catch(() => undefined);
    return this.#parts.jobs.find(siteJob) ?? job;
  }

  async #write(job: ExecJob): Promise<ExecJob> {
    await this.#parts.jobs.write(job);
    return job;
  }

  async #end(job: ExecJob, how: Pick<AttemptEnd, "cause"> & Partial<AttemptEnd>): Promise<void> {
    const { attempt: token, token: siteJob, startedAtMs } = job;
    const signal = how.cause === "cancelled" && startedAtMs !== null ? "SIGKILL" : null;
    const end = { exitCode: null, cpuMs: null, detail: null, signal, ...how };
    const endedAtMs = this.#parts.clock.nowMs();
    await this.#write({ ...job, state: "ended", end: { token, siteJob, startedAtMs, endedAtMs, end } });
  }
}

const ENDED_THERE: AttemptEnd = {
  ...{ cause: "lost", exitCode: null, signal: null, cpuMs: null },
  detail: "the batch system ended it",
};

function noSignals(site: string): Fault {
  return new Fault({
    kind: "notAllowed",
    code: "siteMayNotSuspend",
    what: `cannot suspend or resume jobs at ${site}`,
    why: "its adapter has no verb signal",
    remedy: "cancel the job, or add the verb to the adapter",
  });
}

function noReservations(what: string): Fault {
  return new Fault({
    kind: "notAllowed",
    code: "siteMayNotReserve",
    what: `cannot reserve for ${what}`,
    why: "a site of type exec has no reservations",
    remedy: "use the queue, or another site",
  });
}
