/**
 * An external program that decides on starts at a site, instant by instant (rules SI-20, SI-22).
 *
 * The site machine is authoritative: it and the program receive the same events, and the program's starts are
 * carried out on the machine, which refuses impossible ones. The first refusal ends the run, because from
 * there on the program's model differs from the site.
 */
import { splitShellWords } from "../../formats/job-yaml/index.ts";
import { isProgram, type SimulationRequest } from "../../model/index.ts";
import {
  type Actor,
  type DrivenSite,
  type Machine,
  observe,
  type ReplayJob,
  type StartRefusal,
  start,
} from "../../queue/index.ts";
import { type ApartProgram, beginProgram, type Program } from "./program.ts";
import { idInUse, jobsLeft, noAnswer, noCommand, wrongDecision } from "./program-fault.ts";
import {
  goodbyeLine,
  helloLine,
  instantLine,
  type JobEvent,
  type PoolFacts,
  readAnswer,
  readHelloAnswer,
  type SiteEvent,
  secondsOf,
} from "./protocol.ts";

/** Number of wake-ups in a row without a start that a program may request when no other event is left. */
const MAX_IDLE_WAKES = 10_000;

/** Long enough for a solver with a limit of its own, short enough that a hang is noticed. */
const DEFAULT_ANSWER_LIMIT_MS = 60_000;

/** The program that a request names, and the site that it will decide for. */
export interface ProgramRequest {
  /** Request whose discipline is a program. */
  readonly request: Pick<SimulationRequest, "discipline" | "estimates" | "overrun" | "answerLimitMs">;
  readonly hooks: { readonly version: string; readonly writeError?: (text: string) => void };
  readonly pools: readonly PoolFacts[];
  /** Place of a program that runs apart from this process. */
  readonly apart?: ApartProgram | undefined;
}

/** A program that has said hello. */
export interface BegunProgram {
  readonly command: string;
  readonly program: Program;
}

/** The jobs of a site in the words of its program. */
interface JobWords<Job extends ReplayJob> {
  /** Number by which the program knows a job. */
  readonly numberOf: (job: Job) => number;
  readonly submitted: (job: Job) => SiteEvent;
}

/** The actor that asks a program. */
export interface DecidingProgram<Job extends ReplayJob> extends Actor {
  /** Tells the program of something else, at this instant. */
  readonly tell: (event: SiteEvent) => void;
  /** Tells the program what became of a job. */
  readonly tellOf: (job: Job, event: JobEvent) => void;
  /** No job comes any more. */
  readonly noteLastJob: () => void;
  /** Sends the goodbye at the end of the simulation. */
  readonly leave: () => Promise<void>;
}

/**
 * Begins the program, and exchanges hellos.
 *
 * @throws Fault where there is no such program, or it says no hello
 */
export async function beginDecidingProgram(order: ProgramRequest): Promise<BegunProgram> {
  const { request, hooks, pools, apart } = order;
  const { discipline: command, estimates, overrun, answerLimitMs = DEFAULT_ANSWER_LIMIT_MS } = request;
  const program = await beginProgram({
    ...{ command, words: wordsOf(command), answerLimitMs },
    writeError: hooks.writeError ?? (() => {}),
    ...(apart === undefined ? {} : { apart }),
  });
  const where = `${command}: answer 1, to the hello`;
  try {
    const said = await program.ask(helloLine({ version: hooks.version, pools, estimates, overrun }), where);
    const hello = readHelloAnswer(said);
    if (!hello.ok) throw noAnswer(where, said, hello.refusal);
  } catch (error) {
    await program.stop();
    throw error;
  }
  return { command, program };
}

/** Splits the command line behind `exec:` as a shell would, expanding nothing (rule SI-19). */
function wordsOf(discipline: SimulationRequest["discipline"]): readonly string[] {
  if (!isProgram(discipline)) throw new Error("what must hold: the discipline is a program");
  const command = discipline.slice("exec:".length);
  const split = splitShellWords(command);
  if (!split.ok) {
    throw noCommand(command, `the ${split.refusal.mark} at its character ${split.refusal.index + 1} is open`);
  }
  if (split.value.words[0]) return split.value.words;
  throw noCommand(command, "nothing comes after exec:");
}

/** Lets the program decide at a site, to which nobody has come, and whose discipline is `external`. */
export function decideAt<Job extends ReplayJob>(
  { command, program }: BegunProgram,
  site: DrivenSite<Job>,
  { numberOf, submitted }: JobWords<Job>,
): DecidingProgram<Job> {
  const { jobs, machine } = site;
  const handles = new Map<number, number>();
  let events: SiteEvent[] = [];
  let wakeAtMs = Number.POSITIVE_INFINITY;
  let answers = 1;
  let idleWakes = 0;
  /** True if the last answer started nothing and is not counted yet. */
  let isIdle = false;
  let haveAllCome = false;
  observe(site, {
    arrived(handle) {
      const number = numberOf(jobs[handle]);
      if (handles.has(number)) throw idInUse(command, number);
      handles.set(number, handle);
      events.push(submitted(jobs[handle]));
    },
    left(handle, _atMs, isEnd) {
      const id = numberOf(jobs[handle]);
      handles.delete(id);
      events.push({ kind: isEnd ? "ended" : "cancelled", id });
    },
  });
  return {
    tell: (event) => void events.push(event),
    tellOf: (job, event) => void events.push({ ...event, id: numberOf(job) }),
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
      for (const id of startIds) startOne(machine, handles.get(id), { id, atMs, where });
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
  };
}

interface ToldStart {
  readonly id: number;
  readonly atMs: number;
  readonly where: string;
}

function startOne(machine: Machine, handle: number | undefined, { id, atMs, where }: ToldStart): void {
  if (handle === undefined) {
    const why = "no such job is at the site: it has not been submitted yet, or has ended";
    throw wrongDecision(where, `job ${id} cannot start`, why);
  }
  const refusal = start(machine, handle, atMs);
  if (refusal !== undefined) throw wrongDecision(where, `job ${id} cannot start`, whyNot(refusal, atMs));
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
