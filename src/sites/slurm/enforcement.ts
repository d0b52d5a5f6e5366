/**
 * Carries out an enforcer's orders at a cluster, for jobs of any user.
 *
 * One reading of the queue, then few commands with many jobs each. After a complaint of Slurm the queue is
 * read again: a job that has ended, or is in the wanted state, is no error. Orders run one after another,
 * since each builds on the records of the one before.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import { NODES_COMMAND, readNodes } from "../../formats/slurm/index.ts";
import type { RefusalAbout, SlurmSiteSpec } from "../../model/index.ts";
import {
  type Clock,
  checkEnforcementOrder,
  type EnforcementAnswer,
  type EnforcementOrder,
  type PlacedAttempt,
} from "../../runtime/index.ts";
import { askWith, failureReason } from "./ask.ts";
import type { AttemptBook } from "./attempt-book.ts";
import type { CommandResult, RunCommand } from "./command.ts";
import type { EnforcedJob } from "./enforced-book.ts";
import {
  type EnforcementPlan,
  enforcementPlan,
  isHeldByUs,
  type Move,
  recordOf,
} from "./enforcement-plan.ts";
import { commandLine, complaintAbout, jobLists } from "./enforcement-words.ts";
import { fetchQueue } from "./fetch-queue.ts";
import { ORDER_TIMEOUT_MS } from "./job-orders.ts";
import { tokensBy } from "./own-jobs.ts";
import { type QueuedJob, queuedJobs } from "./queued-tasks.ts";
import { holdsUntil, jobsWithoutAge, RECHECK_MS, SHORT_HOLDS } from "./short-holds.ts";
import { slurmFault, type Trouble, troubleOf } from "./slurm-fault.ts";

/** Functions and records that orders need. */
export interface EnforcementParts {
  readonly name: string;
  readonly spec: Pick<SlurmSiteSpec, "enforcement" | "submitDirectory">;
  readonly book: AttemptBook;
  readonly run: RunCommand;
  readonly clock: Pick<Clock, "nowMs">;
  /** Requeues one of our jobs through these commands. @throws Fault */
  requeueOwn(run: RunCommand, attempt: PlacedAttempt): Promise<void>;
}

type Refused = EnforcementAnswer["refused"][number];

/** Results of the commands so far. */
interface CommandResults {
  readonly verb: EnforcementOrder["verb"];
  readonly commands: string[];
  readonly refused: Refused[];
  /** Faults of refused commands; a single common reason becomes the fault of the order. */
  readonly faults: Fault[];
  done: number;
}

/** Failures after which no further command is tried. */
const SILENT: ReadonlySet<Trouble> = new Set(["unreachable", "hung", "commandMissing", "credentials"]);

const NOBODY: ReadonlySet<string> = new Set();

/** Orders of one site; see the header. */
export class EnforcementOrders {
  readonly #parts: EnforcementParts;
  #turn: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(parts: EnforcementParts) {
    this.#parts = parts;
  }

  /** Carries out an order; see `ForeignSite.enforce`. */
  async give(order: EnforcementOrder): Promise<EnforcementAnswer> {
    const { name, spec } = this.#parts;
    checkEnforcementOrder(name, order, spec.enforcement);
    const results: CommandResults = { verb: order.verb, commands: [], refused: [], faults: [], done: 0 };
    const ageless = await this.#inTurn(() => this.#give(order, results));
    if (ageless.size > 0) void this.#holdLonger(order, ageless);
    if (results.done === 0) throwIfAllFailed(results);
    return { commands: results.commands, refused: results.refused };
  }

  /** Stops renewing holds. Resolves when running commands have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#turn;
  }

  /**
   * Renews short holds in the background. If it fails, a short hold is renewed like any whose lease is half
   * over, or ends.
   */
  async #holdLonger(order: EnforcementOrder, held: ReadonlySet<string>): Promise<void> {
    let ids = held;
    for (let left = SHORT_HOLDS; ids.size > 0; left--) {
      await delay(RECHECK_MS, undefined, { ref: false });
      if (this.#isStopped) return;
      const results: CommandResults = { verb: order.verb, commands: [], refused: [], faults: [], done: 0 };
      const now = { order, ids, isLast: left <= 1 };
      ids = await this.#inTurn(() => this.#holdOn(now, results)).catch(() => NOBODY);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** @returns jobs that are held for a short time only */
  async #give(order: EnforcementOrder, results: CommandResults): Promise<ReadonlySet<string>> {
    const queue = await this.#look();
    const wanted = new Set(order.siteJobs);
    const named = queue.filter(({ siteJob }) => wanted.has(siteJob));
    const asked = await this.#applicable(named, results);
    const ageless = order.verb === "hold" ? await this.#withoutAge(asked) : NOBODY;
    await this.#carryOutAll({ order, queue, asked, ageless }, results);
    return without(ageless, results.refused);
  }

  /** Extends short holds to the ordered end, unless the job was released meanwhile. */
  async #holdOn(
    {
      order,
      ids,
      isLast,
    }: { readonly order: EnforcementOrder; readonly ids: ReadonlySet<string>; readonly isLast: boolean },
    results: CommandResults,
  ): Promise<ReadonlySet<string>> {
    const queue = await this.#look();
    const known = this.#parts.book.enforced.all();
    const asked = queue.filter((job) => {
      const record = ids.has(job.siteJob) ? recordOf(known, job) : undefined;
      return record !== undefined && job.row.state === "waiting" && isHeldByUs(record, job.row);
    });
    const ageless = isLast ? NOBODY : await this.#withoutAge(asked);
    await this.#carryOutAll({ order, queue, asked, ageless }, results);
    return without(ageless, results.refused);
  }

  #withoutAge(asked: readonly QueuedJob[]): Promise<ReadonlySet<string>> {
    return jobsWithoutAge(this.#parts.run, asked, this.#parts.clock.nowMs());
  }

  async #carryOutAll(
    {
      order: { verb, untilMs },
      queue,
      asked,
      ageless,
    }: {
      readonly order: EnforcementOrder;
      readonly queue: readonly QueuedJob[];
      readonly asked: readonly QueuedJob[];
      readonly ageless: ReadonlySet<string>;
    },
    results: CommandResults,
  ): Promise<void> {
    const { clock } = this.#parts;
    const { enforced } = this.#parts.book;
    const nowMs = clock.nowMs();
    const holdUntilMs = holdsUntil(untilMs, ageless, nowMs);
    const plan = enforcementPlan({ verb, holdUntilMs, nowMs, queue, asked, known: enforced.all() });
    const isNew = plan.moves.length > 0 || enforced.all().size !== plan.before.length;
    if (isNew) await enforced.write(plan.before);
    for (const move of plan.moves) await this.#carryOut(move, results);
    if (plan.moves.length > 0) await enforced.write(recordsAfter(plan, results));
  }

  async #look(): Promise<readonly QueuedJob[]> {
    const { jobs } = await fetchQueue(this.#parts.run);
    return jobs.flatMap((row) => queuedJobs(row, Number.POSITIVE_INFINITY));
  }

  /** Jobs for the common command; the others are handled separately or refused. */
  async #applicable(jobs: readonly QueuedJob[], results: CommandResults): Promise<readonly QueuedJob[]> {
    const { verb } = results;
    const isStopping = verb === "suspend" || verb === "requeue";
    const up = jobs.filter(({ row }) => row.state === "running" || row.state === "suspended");
    if (!isStopping || up.length === 0) return jobs;
    const silent = await this.#silentNodes();
    const fit: QueuedJob[] = [];
    for (const job of jobs) {
      const node = job.row.nodes.find((it) => silent.has(it));
      // Slurm would say that it is done, and the processes would go on.
      if (node !== undefined)
        results.refused.push({ siteJob: job.siteJob, why: `its node ${node} does not respond` });
      else if (verb === "requeue" && (await this.#requeueOwn(job, results))) continue;
      else fit.push(job);
    }
    return fit;
  }

  async #silentNodes(): Promise<ReadonlySet<string>> {
    const nodes = readNodes(await askWith(this.#parts.run)("nodes", NODES_COMMAND));
    const isSilent = (states: readonly string[]) => states.some((it) => SILENT_NODE.has(it));
    return new Set(nodes.filter(({ states }) => isSilent(states)).map(({ name }) => name));
  }

  /** True if the job was ours: its second run needs a permission file. */
  async #requeueOwn({ siteJob, row }: QueuedJob, results: CommandResults): Promise<boolean> {
    const { book, spec, run, requeueOwn } = this.#parts;
    const token = tokensBy(book, spec.submitDirectory)(row);
    if (token === null) return false;
    try {
      await requeueOwn(this.#noting(run, results), { token, siteJob });
      results.done++;
    } catch (error) {
      const isAway = error instanceof Fault && isOfSite(error);
      results.refused.push({ siteJob, why: failureReason(error), about: isAway ? "site" : "job" });
      if (error instanceof Fault) results.faults.push(error);
    }
    return true;
  }

  async #carryOut(move: Move, results: CommandResults): Promise<void> {
    const run = this.#noting(this.#parts.run, results);
    for (const { list, jobs } of jobLists(move.jobs)) {
      if (results.faults.some(isOfSite)) {
        for (const { siteJob } of jobs) refuse(results, siteJob, unreachableOf(results));
        continue;
      }
      const result = await run({ words: move.words(list), timeoutMs: ORDER_TIMEOUT_MS });
      const trouble = troubleOf(result);
      if (trouble === undefined) results.done += jobs.length;
      else await this.#checkAgain({ move, jobs, result }, results);
    }
  }

  /** Jobs that still need the command after a complaint. */
  async #checkAgain(
    {
      move,
      jobs,
      result,
    }: { readonly move: Move; readonly jobs: readonly QueuedJob[]; readonly result: CommandResult },
    results: CommandResults,
  ): Promise<void> {
    const what = `cannot ${results.verb} jobs`;
    let now: ReadonlyMap<string, QueuedJob>;
    try {
      now = new Map((await this.#look()).map((job) => [job.siteJob, job]));
    } catch (error) {
      const fault = error instanceof Fault ? error : slurmFault(what, result);
      for (const { siteJob } of jobs) refuse(results, siteJob, fault);
      return;
    }
    for (const { siteJob, row } of jobs) {
      const later = now.get(siteJob)?.row;
      const isWanting = later?.submittedAtMs === row.submittedAtMs && move.isWanting(later);
      if (isWanting) refuse(results, siteJob, faultFor(siteJob, what, result));
      else results.done++;
    }
  }

  #noting(run: RunCommand, { commands }: CommandResults): RunCommand {
    return (request) => {
      commands.push(commandLine(request.words));
      return run(request);
    };
  }
}

/** Node states without a responding daemon. */
const SILENT_NODE: ReadonlySet<string> = new Set(["NOT_RESPONDING", "DOWN", "UNKNOWN", "POWERED_DOWN"]);

function refuse({ refused, faults }: CommandResults, siteJob: string, fault: Fault): void {
  refused.push({ siteJob, why: fault.why, about: aboutOf(fault) });
  faults.push(fault);
}

/** Scope of a refusal: a complaint with unknown text concerns its own job alone. */
function aboutOf(fault: Fault): RefusalAbout {
  if (isOfSite(fault)) return "site";
  return fault.kind === "notAllowed" ? "right" : "job";
}

function isOfSite({ kind, code }: Fault): boolean {
  return kind === "unreachable" && code !== "siteFailed";
}

function unreachableOf({ faults }: CommandResults): Fault {
  const fault = faults.find(isOfSite);
  if (fault === undefined) throw new Error("what must hold: a site that was not reached left a fault");
  return fault;
}

function faultFor(siteJob: string, what: string, result: CommandResult): Fault {
  const about = complaintAbout(siteJob, result.stderr);
  const settingOf = about === undefined || isSilent(result) ? result : { ...result, stderr: about };
  const fault = slurmFault(what, settingOf);
  if (fault.kind !== "notAllowed") return fault;
  return new Fault({
    kind: "notAllowed",
    code: "siteMayNotEnforce",
    what,
    why: fault.why,
    remedy:
      "an administrator of the cluster grants it to the account whose commands these are: " +
      "sacctmgr modify user USER set AdminLevel=Operator; stint site test shows what it may do",
  });
}

function isSilent(result: CommandResult): boolean {
  const trouble = troubleOf(result);
  return result.isTimedOut || (trouble !== undefined && SILENT.has(trouble) && result.stderr.trim() === "");
}

/** Records after the commands: for refused jobs both states may be in force, for others the new one. */
function recordsAfter(
  { before, after }: EnforcementPlan,
  { refused }: CommandResults,
): readonly EnforcedJob[] {
  const ids = new Set(refused.map(({ siteJob }) => siteJob));
  const kept = before.filter(({ siteJob }) => ids.has(siteJob));
  return [...after.filter(({ siteJob }) => !ids.has(siteJob)), ...kept];
}

function without(siteJobs: ReadonlySet<string>, refused: readonly Refused[]): ReadonlySet<string> {
  const not = new Set(refused.map(({ siteJob }) => siteJob));
  return new Set([...siteJobs].filter((siteJob) => !not.has(siteJob)));
}

/** @throws Fault if no job was changed, for want of a right or because the site failed */
function throwIfAllFailed({ faults, refused }: CommandResults): void {
  const [first] = faults;
  if (first === undefined || faults.length < refused.length) return;
  const isOne = aboutOf(first) !== "job";
  if (isOne && faults.every(({ kind }) => kind === first.kind)) throw first;
}
