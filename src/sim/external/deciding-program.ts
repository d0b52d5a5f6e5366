/**
 * An external program that decides on starts at a site, instant by instant (rules SI-20, SI-22).
 *
 * The site machine is authoritative: it and the program receive the same events, and the program's starts are
 * carried out on the machine, which refuses impossible ones. The first refusal ends the run, because from
 * there on the program's model differs from the site.
 */
import {
  type Actor,
  type DrivenSite,
  handlesById,
  type OperationListener,
  observe,
  type ReplayJob,
  type StartRefusal,
  start,
} from "../../queue/index.ts";
import { beginProgram, type Program, type ProgramOrder } from "./program.ts";
import { idInUse, jobsLeft, noAnswer, wrongDecision } from "./program-fault.ts";
import {
  goodbyeLine,
  helloLine,
  instantLine,
  readAnswer,
  readHelloAnswer,
  type SiteEvent,
  type SiteFacts,
  secondsOf,
} from "./protocol.ts";
import { operated } from "./site-events.ts";

/** Number of wake-ups in a row without a start that a program may request when no other event is left. */
const MAX_IDLE_WAKES = 10_000;

/** Input of a deciding program. */
export interface DecidingOrder<Job extends ReplayJob> {
  readonly program: ProgramOrder;
  readonly facts: SiteFacts;
  /** A site without jobs, with the discipline `external`. */
  readonly site: DrivenSite<Job>;
  /** Event that reports a submitted job to the program. */
  readonly submitted: (job: Job) => SiteEvent;
}

/** The actor that asks a program. Operations are reported to it by the actors that carry them out. */
export interface DecidingProgram<Job extends ReplayJob> extends Actor, OperationListener {
  /** The job is about to come; its id is what the program knows it by. */
  readonly assertUnknown: (job: Job) => void;
  /** Sends the program another event of this instant. */
  readonly tell: (event: SiteEvent) => void;
  /** No job comes any more. */
  readonly noteLastJob: () => void;
  /** Sends the goodbye at the end of the simulation. */
  readonly leave: () => Promise<void>;
  /** Ends the program, however the run went. */
  readonly stop: () => Promise<void>;
}

/** Begins the program, and exchanges hellos. */
export async function beginDecidingProgram<Job extends ReplayJob>(
  order: DecidingOrder<Job>,
): Promise<DecidingProgram<Job>> {
  const { program: asked, facts } = order;
  const program = await beginProgram(asked);
  const where = `${asked.command}: answer 1, to the hello`;
  try {
    const said = await program.ask(helloLine(facts), where);
    const hello = readHelloAnswer(said);
    if (!hello.ok) throw noAnswer(where, said, hello.refusal);
  } catch (error) {
    await program.stop();
    throw error;
  }
  return actorOf(program, order);
}

function actorOf<Job extends ReplayJob>(
  program: Program,
  { program: { command }, site, submitted }: DecidingOrder<Job>,
): DecidingProgram<Job> {
  const { jobs, machine } = site;
  const handles = handlesById(site);
  let events: SiteEvent[] = [];
  let wakeAtMs = Number.POSITIVE_INFINITY;
  let answers = 1;
  let idleWakes = 0;
  /** True if the last answer started nothing and is not counted yet. */
  let isIdle = false;
  let haveAllCome = false;
  observe(site, {
    arrived: (handle) => void events.push(submitted(jobs[handle])),
    left: (handle, _atMs, isEnd) =>
      void events.push({ kind: isEnd ? "ended" : "cancelled", id: jobs[handle].id }),
  });
  return {
    assertUnknown({ id }) {
      if (handles.has(id)) throw idInUse(command, id);
    },
    tell: (event) => void events.push(event),
    operated(operation) {
      if (operation.kind === "cancel") return;
      const handle = "job" in operation ? handles.get(operation.job) : undefined;
      events.push(operated(operation, handle === undefined ? 0 : machine.jobs.estimateMs[handle]));
    },
    wakeMs(othersMs) {
      if (isIdle) idleWakes = othersMs === Number.POSITIVE_INFINITY ? idleWakes + 1 : 0;
      isIdle = false;
      if (othersMs <= wakeAtMs || !haveAllCome) return wakeAtMs;
      // Nothing will come of it: nobody is there, or the program only ever wakes itself.
      const isLast = handles.size === 0 || idleWakes > MAX_IDLE_WAKES;
      return isLast ? Number.POSITIVE_INFINITY : wakeAtMs;
    },
    async consult(atMs) {
      const where = `${command}: answer ${++answers}, at ${secondsOf(atMs)} s`;
      const told = instantLine(atMs, events);
      events = [];
      const said = await program.ask(told, where);
      const answer = readAnswer(said);
      if (!answer.ok) throw noAnswer(where, said, answer.refusal);
      const { startIds, wakeAtMs: wantedMs = Number.POSITIVE_INFINITY } = answer.value;
      for (const id of startIds) startOne(site, { id, atMs, where });
      if (wantedMs <= atMs) {
        const why = "an instant to be woken at comes after the instant of the answer";
        throw wrongDecision(where, `it wants to be woken at ${secondsOf(wantedMs)} s`, why);
      }
      wakeAtMs = wantedMs;
      isIdle = startIds.length === 0;
      if (!isIdle) idleWakes = 0;
    },
    noteLastJob() {
      haveAllCome = true;
    },
    async leave() {
      const [firstId] = handles.keys();
      if (firstId !== undefined) throw jobsLeft(command, handles.size, firstId);
      await program.leave(goodbyeLine());
    },
    stop: () => program.stop(),
  };
}

interface ToldStart {
  readonly id: number;
  readonly atMs: number;
  readonly where: string;
}

function startOne<Job extends ReplayJob>(site: DrivenSite<Job>, { id, atMs, where }: ToldStart): void {
  const handle = site.handleOf?.get(id);
  if (handle === undefined) {
    const why = "no such job is at the site: it has not been submitted yet, or has ended";
    throw wrongDecision(where, `job ${id} cannot start`, why);
  }
  const refusal = start(site.machine, handle, atMs);
  if (refusal === undefined) return;
  throw wrongDecision(where, `job ${id} cannot start`, whyNot(refusal, atMs));
}

function whyNot(refusal: StartRefusal, atMs: number): string {
  if (refusal.kind === "wrongState") {
    return refusal.state === "running" ? "it runs already" : `it does not wait: it is ${refusal.state}`;
  }
  const { need, shortage } = refusal;
  const missing = `it needs ${need[0]} processors, and ${shortage.missing[0]} of them are not free`;
  return shortage.atMs === atMs
    ? `${missing} now`
    : `${missing} at ${secondsOf(shortage.atMs)} s, before its estimated end`;
}
