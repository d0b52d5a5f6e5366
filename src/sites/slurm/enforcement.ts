/**
 * An enforcer's orders at a cluster, for jobs of anybody.
 *
 * One look at the queue, then few commands with many jobs each. What Slurm complains of is looked at again:
 * where a job has ended meanwhile, or has it already, nothing is wrong. Orders come one after another, since
 * each begins with what the one before has left.
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
import { askWith, complaint } from "./ask.ts";
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
import { complaintAbout, jobLists, typed } from "./enforcement-words.ts";
import { holdsUntil, jobsWithoutAge, LOOK_AGAIN_MS, SHORT_HOLDS } from "./hold-fresh.ts";
import { tokenOf } from "./job-name.ts";
import { ORDER_TIMEOUT_MS } from "./job-orders.ts";
import { lookAtQueue } from "./look-at-queue.ts";
import { type QueuedJob, queuedJobs } from "./queued-tasks.ts";
import { slurmFault, type Trouble, troubleOf } from "./slurm-fault.ts";

/** What they are given with. */
export interface EnforcementParts {
  readonly name: string;
  readonly spec: Pick<SlurmSiteSpec, "enforcement">;
  readonly book: AttemptBook;
  readonly run: RunCommand;
  readonly clock: Pick<Clock, "nowMs">;
  /** Requeues a job of ours with these commands. @throws Fault */
  requeueOwn(run: RunCommand, attempt: PlacedAttempt): Promise<void>;
}

type Refused = EnforcementAnswer["refused"][number];

/** What came of the commands so far. */
interface Series {
  readonly verb: EnforcementOrder["verb"];
  readonly commands: string[];
  readonly refused: Refused[];
  /** Of what was refused; whether all of it was for one reason decides what is said. */
  readonly faults: Fault[];
  done: number;
}

/** It was not carried out, or nobody knows: more of the same would take as long to fail. */
const SILENT: ReadonlySet<Trouble> = new Set(["unreachable", "hung", "commandMissing", "credentials"]);

const NOBODY: ReadonlySet<string> = new Set();

/** See the header. */
export class EnforcementOrders {
  readonly #parts: EnforcementParts;
  #turn: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(parts: EnforcementParts) {
    this.#parts = parts;
  }

  /** See `ForeignSite.enforce`. */
  async give(order: EnforcementOrder): Promise<EnforcementAnswer> {
    const { name, spec } = this.#parts;
    checkEnforcementOrder(name, order, spec.enforcement);
    const course: Series = { verb: order.verb, commands: [], refused: [], faults: [], done: 0 };
    const ageless = await this.#inTurn(() => this.#give(order, course));
    if (ageless.size > 0) void this.#holdLonger(order, ageless);
    if (course.done === 0) throwWhereAllTheSame(course);
    return { commands: course.commands, refused: course.refused };
  }

  /** Nothing is held for longer from now on. Resolves when what is under way is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#turn;
  }

  /**
   * A renewal, for which no other order waits. Where it fails, the short hold is renewed as any whose lease
   * is half over, or ends.
   */
  async #holdLonger(order: EnforcementOrder, held: ReadonlySet<string>): Promise<void> {
    let ids = held;
    for (let left = SHORT_HOLDS; ids.size > 0; left--) {
      await delay(LOOK_AGAIN_MS, undefined, { ref: false });
      if (this.#isStopped) return;
      const course: Series = { verb: order.verb, commands: [], refused: [], faults: [], done: 0 };
      const now = { order, ids, isLast: left <= 1 };
      ids = await this.#inTurn(() => this.#holdOn(now, course)).catch(() => NOBODY);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** @returns the jobs that are held for a short time only */
  async #give(order: EnforcementOrder, course: Series): Promise<ReadonlySet<string>> {
    const queue = await this.#look();
    const wanted = new Set(order.siteJobs);
    const named = queue.filter(({ siteJob }) => wanted.has(siteJob));
    const asked = await this.#fit(named, course);
    const ageless = order.verb === "hold" ? await this.#withoutAge(asked) : NOBODY;
    await this.#carryOutAll({ order, queue, asked, ageless }, course);
    return without(ageless, course.refused);
  }

  /** What is held for a short time is held for longer, unless somebody let it go meanwhile. */
  async #holdOn(
    {
      order,
      ids,
      isLast,
    }: { readonly order: EnforcementOrder; readonly ids: ReadonlySet<string>; readonly isLast: boolean },
    course: Series,
  ): Promise<ReadonlySet<string>> {
    const queue = await this.#look();
    const known = this.#parts.book.enforced.all();
    const asked = queue.filter((job) => {
      const record = ids.has(job.siteJob) ? recordOf(known, job) : undefined;
      return record !== undefined && job.row.state === "waiting" && isHeldByUs(record, job.row);
    });
    const ageless = isLast ? NOBODY : await this.#withoutAge(asked);
    await this.#carryOutAll({ order, queue, asked, ageless }, course);
    return without(ageless, course.refused);
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
    course: Series,
  ): Promise<void> {
    const { clock } = this.#parts;
    const { enforced } = this.#parts.book;
    const nowMs = clock.nowMs();
    const holdUntilMs = holdsUntil(untilMs, ageless, nowMs);
    const plan = enforcementPlan({ verb, holdUntilMs, nowMs, queue, asked, known: enforced.all() });
    const isNew = plan.moves.length > 0 || enforced.all().size !== plan.before.length;
    if (isNew) await enforced.write(plan.before);
    for (const move of plan.moves) await this.#carryOut(move, course);
    if (plan.moves.length > 0) await enforced.write(remembered(plan, course));
  }

  async #look(): Promise<readonly QueuedJob[]> {
    const { jobs } = await lookAtQueue(this.#parts.run);
    return jobs.flatMap((row) => queuedJobs(row, Number.POSITIVE_INFINITY));
  }

  /** Those for whom the site's ordinary way is the right one; others are seen to, or refused. */
  async #fit(jobs: readonly QueuedJob[], course: Series): Promise<readonly QueuedJob[]> {
    const { verb } = course;
    const isStopping = verb === "suspend" || verb === "requeue";
    const up = jobs.filter(({ row }) => row.state === "running" || row.state === "suspended");
    if (!isStopping || up.length === 0) return jobs;
    const silent = await this.#silentNodes();
    const fit: QueuedJob[] = [];
    for (const job of jobs) {
      const node = job.row.nodes.find((it) => silent.has(it));
      // Slurm would say that it is done, and the processes would go on.
      if (node !== undefined)
        course.refused.push({ siteJob: job.siteJob, why: `its node ${node} is silent` });
      else if (verb === "requeue" && (await this.#requeueOwn(job, course))) continue;
      else fit.push(job);
    }
    return fit;
  }

  async #silentNodes(): Promise<ReadonlySet<string>> {
    const nodes = readNodes(await askWith(this.#parts.run)("nodes", NODES_COMMAND));
    const isSilent = (states: readonly string[]) => states.some((it) => SILENT_NODE.has(it));
    return new Set(nodes.filter(({ states }) => isSilent(states)).map(({ name }) => name));
  }

  /** Whether it was one of ours, whose second run needs a permission (rule SU-13). */
  async #requeueOwn({ siteJob, row }: QueuedJob, course: Series): Promise<boolean> {
    const { book, run, requeueOwn } = this.#parts;
    const token = tokenOf(book.mark, row.name);
    if (token === null) return false;
    try {
      await requeueOwn(this.#noting(run, course), { token, siteJob });
      course.done++;
    } catch (error) {
      const isAway = error instanceof Fault && isOfSite(error);
      course.refused.push({ siteJob, why: complaint(error), about: isAway ? "site" : "job" });
      if (error instanceof Fault) course.faults.push(error);
    }
    return true;
  }

  async #carryOut(move: Move, course: Series): Promise<void> {
    const run = this.#noting(this.#parts.run, course);
    for (const { list, jobs } of jobLists(move.jobs)) {
      if (course.faults.some(isOfSite)) {
        for (const { siteJob } of jobs) refuse(course, siteJob, unreachableOf(course));
        continue;
      }
      const result = await run({ words: move.words(list), timeoutMs: ORDER_TIMEOUT_MS });
      const trouble = troubleOf(result);
      if (trouble === undefined) course.done += jobs.length;
      else await this.#lookAgain({ move, jobs, result }, course);
    }
  }

  /** Who still wants it after a command that complained. */
  async #lookAgain(
    {
      move,
      jobs,
      result,
    }: { readonly move: Move; readonly jobs: readonly QueuedJob[]; readonly result: CommandResult },
    course: Series,
  ): Promise<void> {
    const what = `cannot ${course.verb} jobs`;
    let now: ReadonlyMap<string, QueuedJob>;
    try {
      now = new Map((await this.#look()).map((job) => [job.siteJob, job]));
    } catch (error) {
      const fault = error instanceof Fault ? error : slurmFault(what, result);
      for (const { siteJob } of jobs) refuse(course, siteJob, fault);
      return;
    }
    for (const { siteJob, row } of jobs) {
      const later = now.get(siteJob)?.row;
      const isWanting = later?.submittedAtMs === row.submittedAtMs && move.isWanting(later);
      if (isWanting) refuse(course, siteJob, faultFor(siteJob, what, result));
      else course.done++;
    }
  }

  #noting(run: RunCommand, { commands }: Series): RunCommand {
    return (request) => {
      commands.push(typed(request.words));
      return run(request);
    };
  }
}

/** Nodes whose daemon does not answer, or is said to be gone. */
const SILENT_NODE: ReadonlySet<string> = new Set(["NOT_RESPONDING", "DOWN", "UNKNOWN", "POWERED_DOWN"]);

function refuse({ refused, faults }: Series, siteJob: string, fault: Fault): void {
  refused.push({ siteJob, why: fault.why, about: aboutOf(fault) });
  faults.push(fault);
}

/** What Slurm answered with words that nobody knows, and did not do, it did not do for this job. */
function aboutOf(fault: Fault): RefusalAbout {
  if (isOfSite(fault)) return "site";
  return fault.kind === "notAllowed" ? "right" : "job";
}

function isOfSite({ kind, code }: Fault): boolean {
  return kind === "unreachable" && code !== "siteFailed";
}

function unreachableOf({ faults }: Series): Fault {
  const fault = faults.find(isOfSite);
  if (fault === undefined) throw new Error("what must hold: a site that was not reached left a fault");
  return fault;
}

function faultFor(siteJob: string, what: string, result: CommandResult): Fault {
  const about = complaintAbout(siteJob, result.stderr);
  const said = about === undefined || isSilent(result) ? result : { ...result, stderr: about };
  const fault = slurmFault(what, said);
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

/** Of a job for which it was refused that what was meant may be in force, of the others what is. */
function remembered({ before, after }: EnforcementPlan, { refused }: Series): readonly EnforcedJob[] {
  const ids = new Set(refused.map(({ siteJob }) => siteJob));
  const kept = before.filter(({ siteJob }) => ids.has(siteJob));
  return [...after.filter(({ siteJob }) => !ids.has(siteJob)), ...kept];
}

function without(siteJobs: ReadonlySet<string>, refused: readonly Refused[]): ReadonlySet<string> {
  const not = new Set(refused.map(({ siteJob }) => siteJob));
  return new Set([...siteJobs].filter((siteJob) => !not.has(siteJob)));
}

/** @throws Fault where nothing was done, and that for want of a right or of the site */
function throwWhereAllTheSame({ faults, refused }: Series): void {
  const [first] = faults;
  if (first === undefined || faults.length < refused.length) return;
  const isOne = aboutOf(first) !== "job";
  if (isOne && faults.every(({ kind }) => kind === first.kind)) throw first;
}
