/**
 * A cluster under Slurm as a foreign site: Slurm's commands behind the port. Readings change nothing; a
 * change is one command for one job, after a check that it is ours. A read-only site has no way to a command
 * that changes anything.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import type { Survey } from "../../engine/index.ts";
import type { SlurmJob } from "../../formats/slurm/index.ts";
import type { ClusterJobState, ClusterPastJob, ClusterSnapshot, SlurmSiteSpec } from "../../model/index.ts";
import {
  type AppendedPart,
  attemptNotEnded,
  type Clock,
  type EnforcementAnswer,
  type EnforcementOrder,
  type FilePart,
  type ForeignSite,
  type PilotQuestion,
  type PilotSight,
  type PlacedAttempt,
  type ReservationOrder,
  type SharedInputs,
  type SiteAbility,
  type SiteCapacity,
  type SiteShares,
  type SiteVerb,
  type SubmitOrder,
  type SurveyQuestion,
} from "../../runtime/index.ts";
import { slurmAbilities } from "./abilities.ts";
import { answerCache } from "./answer-cache.ts";
import { arraySubmissions, type Element, elementOf } from "./array-submission.ts";
import { type Ask, askWith } from "./ask.ts";
import type { AttemptBook } from "./attempt-book.ts";
import { capacityOf, nodesFor } from "./capacity.ts";
import { type CommandBudget, commandBudget } from "./command-budget.ts";
import { EndSearch } from "./end-search.ts";
import { EnforcementOrders } from "./enforcement.ts";
import { fetchQueue } from "./fetch-queue.ts";
import { pastJobs } from "./history.ts";
import { type JobOrders, jobOrders, VERBS } from "./job-orders.ts";
import { checkToken, type TokenOf, tokensBy } from "./own-jobs.ts";
import { lookAtPilots, orderPayload, signalPayload, submitPayload } from "./payloads.ts";
import { QueueLooks } from "./queue-looks.ts";
import { giveRank, requeueJob } from "./queue-orders.ts";
import { type QueuedTokens, queuedTokens } from "./queued-tokens.ts";
import { removeAttempt } from "./remove-attempt.ts";
import { ReservationOrders } from "./reservation-orders.ts";
import { reservationNameOf } from "./reservation-words.ts";
import type { RunCommand } from "./run-command.ts";
import { inputsOfArrays, inTurnByArray } from "./shared-inputs.ts";
import { changeShares, fetchShares } from "./shares/change-shares.ts";
import { slurmShareLanguage } from "./shares/share-standing.ts";
import { AttemptFiles } from "./site-files.ts";
import { type SeenQueue, takeSnapshot } from "./snapshot.ts";
import { avoidanceWords, checkSubmission } from "./submission.ts";
import { asksOf, type Submitting, submitAlone, submitTogether } from "./submit-attempts.ts";
import { surveyedJobs, undecidedJob } from "./survey.ts";
import type { Watchdog } from "./watchdog.ts";

/** Parts of a site. */
export interface SlurmSiteParts {
  readonly name: string;
  readonly spec: SlurmSiteSpec;
  readonly book: AttemptBook;
  readonly run: RunCommand;
  readonly clock: Pick<Clock, "nowMs">;
  readonly watchdog: Pick<Watchdog, "beat">;
  /** Time between TERM and KILL at the time limit, in ms. */
  readonly graceMs: number;
}

/** Timeout of a reading of months of accounting, in ms. */
const HISTORY_TIMEOUT_MS = 60_000;
const MS_PER_MINUTE = 60_000;
/** Age in ms up to which a reading of the queue counts as current. */
const JUST_SEEN_MS = 2000;
/**
 * Time from the answer to a resumption until the processes run, in ms: a node first completes the
 * suspension, and TERM is lost meanwhile. Measured: 1.5 s are too few, 3 s were enough.
 */
const RESUME_MS = 4000;
/** Shortest time in ms before a missing job counts as lost: a controller restarts within seconds. */
const LEAST_LOST_AFTER_MS = 30_000;

/** A foreign site under Slurm; see the header. */
export class SlurmSite implements ForeignSite {
  readonly name: string;
  readonly surveyEveryMs: number;
  readonly lostAfterMs: number;
  readonly abilities: ReadonlySet<SiteAbility>;
  readonly hasArrays = true;
  readonly #parts: SlurmSiteParts;
  readonly #looks: CommandBudget;
  readonly #ask: Ask;
  readonly #askSeldom: Ask;
  readonly #files: AttemptFiles | undefined;
  readonly #tokenOf: TokenOf;
  readonly #ends: EndSearch;
  readonly #orders: JobOrders;
  readonly #reservations: ReservationOrders;
  readonly #queues: QueueLooks;
  readonly #enforcement: EnforcementOrders;
  readonly #submitElement: (element: Element) => Promise<string>;
  readonly #inTurn = inTurnByArray();
  readonly #queued: QueuedTokens;
  #capacity: SiteCapacity | undefined;
  #capacityAsked: Promise<SiteCapacity> | undefined;
  #seen: SeenQueue | undefined;
  #seenMs = Number.NEGATIVE_INFINITY;

  constructor(parts: SlurmSiteParts) {
    const { name, spec, run, book, clock } = parts;
    this.name = name;
    this.surveyEveryMs = Math.ceil(MS_PER_MINUTE / spec.pollsPerMinute);
    this.lostAfterMs = Math.max(LEAST_LOST_AFTER_MS, 5 * this.surveyEveryMs);
    this.abilities = slurmAbilities(spec, book.enforced.all().size > 0);
    this.#parts = parts;
    this.#looks = commandBudget(run, spec.pollsPerMinute, clock);
    this.#ask = askWith(this.#looks.run);
    this.#askSeldom = answerCache(this.#ask, {
      ...{ everyMs: this.surveyEveryMs, clock },
      isLeft: () => this.#looks.isLeft(),
    });
    this.#orders = jobOrders(run);
    this.#reservations = new ReservationOrders({
      ...{ spec, book, run, clock },
      looks: { now: this.#ask, seldom: this.#askSeldom },
    });
    this.#queues = new QueueLooks(spec, this.#askSeldom, clock);
    this.#files = spec.submitDirectory === null ? undefined : new AttemptFiles(run, spec.submitDirectory);
    this.#enforcement = new EnforcementOrders({
      ...{ name, spec, book, run, clock },
      requeueOwn: (through, attempt) =>
        requeueJob(through, this.#writable(`requeue ${attempt.token}`), attempt),
    });
    this.#submitElement = arraySubmissions(
      (elements) => submitTogether(this.#submitting(), elements),
      (order) => submitAlone(this.#submitting(), order),
    );
    this.#tokenOf = tokensBy(book, spec.submitDirectory);
    this.#queued = queuedTokens({ run, clock, tokenOf: this.#tokenOf });
    this.#ends = new EndSearch({ book, tokenOf: this.#tokenOf, ask: this.#ask, files: this.#files, clock });
  }

  async capacity(): Promise<SiteCapacity> {
    this.#capacity = capacityOf(await nodesFor(this.#ask, this.#parts.spec.partition));
    return this.#capacity;
  }

  /** Asked once, however many jobs are submitted meanwhile. */
  #knownCapacity(): Promise<SiteCapacity> {
    this.#capacityAsked ??= this.capacity().finally(() => {
      this.#capacityAsked = undefined;
    });
    return this.#capacityAsked;
  }

  /** Reads everything that the cluster shows. */
  snapshot(): Promise<ClusterSnapshot> {
    const nowMs = this.#parts.clock.nowMs();
    const ageMs = nowMs - this.#seenMs;
    const seen = ageMs >= 0 && ageMs <= JUST_SEEN_MS ? this.#seen : undefined;
    return takeSnapshot(this.#askSeldom, () => nowMs, seen);
  }

  nextSurveyMs(): number {
    return this.#looks.nextSurveyMs();
  }

  /** Past jobs in the accounting; empty if the cluster has none. */
  history(sinceMs: number): Promise<readonly ClusterPastJob[]> {
    return pastJobs(askWith(this.#parts.run, HISTORY_TIMEOUT_MS), sinceMs, this.#parts.clock.nowMs());
  }

  async survey({ areQueuesAsked }: SurveyQuestion = {}): Promise<Survey> {
    const { clock, watchdog } = this.#parts;
    const atMs = clock.nowMs();
    this.#looks.surveyed();
    await watchdog.beat();
    const queue = await fetchQueue(this.#looks.run);
    this.#seen = { atMs, queue };
    this.#seenMs = clock.nowMs();
    const { ended, undecided } = await this.#ends.follow(queue);
    const told = new Set(ended.map(({ siteJob }) => siteJob));
    const shown = surveyedJobs(queue.jobs, this.#tokenOf).filter(
      ({ siteJob, token }) => token === null || !told.has(siteJob),
    );
    const jobs = [...shown, ...undecided.map(undecidedJob)];
    const queues = await this.#queues.shown(queue.jobs, areQueuesAsked);
    return { atMs, jobs, ended, ...queues, ...(await this.#reservations.shown()) };
  }

  async submit(order: SubmitOrder): Promise<string> {
    this.#queued.outdate();
    return await this.#submit(order).finally(() => this.#queued.outdate());
  }

  async #submit(order: SubmitOrder): Promise<string> {
    this.#writable(`submit ${order.token}`);
    checkSubmission(order, this.#capacity ?? (await this.#knownCapacity()));
    if (order.pilot !== undefined) return submitPayload(this.#submitting(), order, order.pilot);
    const element = elementOf(order, asksOf(order));
    return element === undefined ? submitAlone(this.#submitting(), order) : this.#submitElement(element);
  }

  #submitting(): Submitting {
    return { ...this.#parts, inTurn: this.#inTurn, files: this.#writable("submit jobs") };
  }

  get sharedInputs(): SharedInputs {
    const { inputs: book } = this.#parts.book;
    return inputsOfArrays({ book, inTurn: this.#inTurn }, (what) => this.#writable(what));
  }

  async act(verb: SiteVerb, attempt: PlacedAttempt): Promise<void> {
    checkToken(attempt.token);
    const files = this.#writable(`${verb} ${attempt.token}`);
    if (attempt.pilot !== undefined) {
      return orderPayload(files, verb, attempt, this.#parts.clock.nowMs());
    }
    const job = await this.#look(attempt);
    const { to, words } = VERBS[verb];
    if (job?.state == null || !to.includes(job.state)) return;
    if (verb === "release" && this.#isStranded(job, attempt)) return;
    // One that is stopped would not hear TERM, and be killed without it.
    if (verb === "cancel" && job.state === "suspended") await this.#resume(attempt);
    await this.#orders.give(words, attempt.siteJob);
  }

  async signal(attempt: PlacedAttempt, name: string): Promise<void> {
    checkToken(attempt.token);
    if (!/^SIG[A-Z0-9+]{2,10}$/.test(name)) throw unknownSignal(name);
    const files = this.#writable(`send ${name} to ${attempt.token}`);
    if (attempt.pilot !== undefined) {
      return signalPayload(files, attempt, { signal: name, id: String(this.#parts.clock.nowMs()) });
    }
    if ((await this.#standing(attempt)) !== "running") return;
    await files.addSignal(attempt.token, name);
    await this.#orders.give(["scancel", "--signal=USR1", "--batch"], attempt.siteJob);
  }

  async lookAtPilots(question: PilotQuestion): Promise<PilotSight> {
    return lookAtPilots(this.#writable("look at pilots"), question);
  }

  async requeue(attempt: PlacedAttempt): Promise<void> {
    checkToken(attempt.token);
    const files = this.#writable(`requeue ${attempt.token}`);
    if ((await this.#standing(attempt)) !== "running") return;
    await requeueJob(this.#parts.run, files, attempt);
  }

  async setPriority(attempt: PlacedAttempt, priority: number, mayRaise: boolean): Promise<void> {
    checkToken(attempt.token);
    this.#writable(`set the priority of ${attempt.token}`);
    const job = await this.#look(attempt);
    if (job?.state === "waiting") await giveRank(this.#parts.run, job, { priority, mayRaise });
  }

  async avoidNodes(attempt: PlacedAttempt, nodes: readonly string[]): Promise<void> {
    checkToken(attempt.token);
    this.#writable(`change the nodes of ${attempt.token}`);
    const job = await this.#look(attempt);
    if (job?.state !== "waiting" && job?.state !== "held") return;
    await this.#orders.give(avoidanceWords(nodes), attempt.siteJob);
  }

  async enforce(order: EnforcementOrder): Promise<EnforcementAnswer> {
    await this.#parts.watchdog.beat();
    return this.#enforcement.give(order);
  }

  get shares(): SiteShares {
    return {
      language: slurmShareLanguage,
      look: () => fetchShares(this.#parts),
      change: (order) => changeShares(this.#parts, order),
    };
  }

  async reserve(order: ReservationOrder): Promise<string> {
    this.#writable(`reserve ${order.token}`);
    return this.#reservations.reserve(order);
  }

  async unreserve(token: string): Promise<void> {
    this.#writable(`give up the reservation ${token}`);
    await this.#reservations.unreserve(token);
  }

  async acknowledge(token: string): Promise<void> {
    checkToken(token);
    await this.#ends.acknowledge(token);
  }

  async readFile(...[token, ...part]: Parameters<ForeignSite["readFile"]>): Promise<FilePart | undefined> {
    checkToken(token);
    return this.#files?.readPart(token, ...part);
  }

  async addFile(token: string, name: string, bytes: Uint8Array): Promise<void> {
    checkToken(token);
    await this.#writable(`add ${name} to ${token}`).add(token, name, bytes);
  }

  async appendFile(token: string, name: string, part: AppendedPart): Promise<number | undefined> {
    checkToken(token);
    return this.#writable(`append to ${name} of ${token}`).append(token, name, part);
  }

  async removeFile(token: string, name: string): Promise<void> {
    checkToken(token);
    await this.#writable(`remove ${name} of ${token}`).removeOne(token, name);
  }

  async listFiles(token: string): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]> {
    checkToken(token);
    return (await this.#files?.list(token)) ?? [];
  }

  async sizeOfFiles(token: string): Promise<number> {
    checkToken(token);
    return (await this.#files?.size(token)) ?? 0;
  }

  async purge(token: string): Promise<void> {
    checkToken(token);
    const { book } = this.#parts;
    if (book.find(token) === undefined) return;
    const files = this.#writable(`remove ${token}`);
    if (await this.#queued.has(token)) throw attemptNotEnded(token);
    await removeAttempt(files, book, token);
  }

  async close(): Promise<void> {
    // Nothing is kept open: a connection of ssh ends by itself.
    await this.#enforcement.stop();
  }

  /**
   * True if the job's reservation is over: Slurm holds its waiting jobs and would run them anywhere once
   * released.
   */
  #isStranded({ reservation }: SlurmJob, { token }: PlacedAttempt): boolean {
    const { book } = this.#parts;
    const wanted = book.find(token)?.reservation;
    return wanted != null && reservation !== reservationNameOf(book.mark, wanted);
  }

  /** State of an attempt's job; null if it has ended or is unknown, or its id is another job's. */
  async #standing(attempt: PlacedAttempt): Promise<ClusterJobState | null> {
    return (await this.#look(attempt))?.state ?? null;
  }

  async #look({ token, siteJob }: PlacedAttempt): Promise<SlurmJob | undefined> {
    // Without an id squeue would show every job.
    if (!/^\d{1,19}(_\d{1,10})?$/.test(siteJob)) return undefined;
    const job = await this.#orders.look(siteJob);
    return job !== undefined && this.#tokenOf(job) === token ? job : undefined;
  }

  /** Resumes a job before its cancellation; a missing right to resume does not prevent the cancellation. */
  async #resume({ siteJob }: PlacedAttempt): Promise<void> {
    try {
      await this.#orders.give(VERBS.resume.words, siteJob);
      await delay(RESUME_MS);
    } catch (error) {
      if (!(error instanceof Fault) || error.kind !== "notAllowed") throw error;
    }
  }

  /** Files of a site that is not read-only. */
  #writable(what: string): AttemptFiles {
    if (!this.#parts.spec.readOnly && this.#files !== undefined) return this.#files;
    throw new Fault({
      kind: "refused",
      code: "siteReadOnly",
      what: `cannot ${what}`,
      why: `site ${this.name} is read-only`,
      remedy: "grant it with readOnly: false and a submitDirectory, which stint site test checks",
    });
  }
}

function unknownSignal(name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "unknownSignal",
    what: `cannot send ${JSON.stringify(name)}`,
    why: "there is no signal with this name",
    remedy: "name one like SIGUSR1",
  });
}
