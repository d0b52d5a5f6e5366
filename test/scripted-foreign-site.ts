/**
 * A foreign site whose batch system is a script: a queue that does what it is told at once, starts and
 * ends jobs by hand, and fails or hangs where the test says so. It outlives the broker.
 */
import type { Survey, SurveyedEnd, SurveyedJob } from "../src/engine/index.ts";
import type { EnforcementVerb } from "../src/model/index.ts";
import type {
  Clock,
  ForeignSite,
  PlacedAttempt,
  ReservationOrder,
  SiteAbility,
  SiteVerb,
} from "../src/runtime/index.ts";
import { shown } from "./engine-scene.ts";

/** The batch system. */
export interface ScriptedQueue {
  /** What was asked of it and took effect, in order: `submit a/1`, `release 1`, … (surveys are not noted). */
  readonly asked: string[];
  readonly jobs: Map<string, SurveyedJob>;
  /** What is kept free, by its token. A test that wants one refused throws from `before`. */
  readonly reservations: Map<string, ReservationOrder>;
  ended: SurveyedEnd[];
  /** Jobs for which no enforcer is obeyed. */
  readonly unwilling: Set<string>;
  /** The tokens of what ran, one for each time. */
  readonly ran: string[];
  /** How many surveys were answered. */
  surveys: number;
  /** Called with each call before it takes effect; a throw or a hang keeps it from that. */
  before: (call: string) => Promise<void> | void;
  /** Called when it took effect, before it is answered. */
  after: (call: string) => Promise<void> | void;
  /** Starts all that waits; held jobs do not. */
  startAll(atMs: number): void;
  /** Ends all that runs. */
  endAll(atMs: number, exitCode?: number): void;
}

/** How often the site is surveyed, and its patience. */
export const SURVEY_EVERY = 1000;
/** See {@link SURVEY_EVERY}. */
export const LOST_AFTER = 10_000;

/** An empty queue. */
export function scriptedQueue(): ScriptedQueue {
  const queue: ScriptedQueue = {
    asked: [],
    jobs: new Map(),
    reservations: new Map(),
    ended: [],
    unwilling: new Set(),
    ran: [],
    surveys: 0,
    before: () => undefined,
    after: () => undefined,
    startAll(atMs) {
      for (const [id, job] of queue.jobs) {
        if (job.state !== "waiting") continue;
        queue.jobs.set(id, { ...job, state: "running", startedAtMs: atMs });
        queue.ran.push(job.token ?? "");
      }
    },
    endAll(atMs, exitCode = 0) {
      for (const job of queue.jobs.values()) {
        if (job.state === "running") end(queue, job, atMs, { cause: "exited", exitCode });
      }
    },
  };
  return queue;
}

function end(
  queue: ScriptedQueue,
  { siteJob, token, startedAtMs }: SurveyedJob,
  endedAtMs: number,
  how: { readonly cause: "exited" | "cancelled"; readonly exitCode: number | null },
): void {
  queue.jobs.delete(siteJob);
  if (token === null) return;
  const nothing = { signal: null, cpuMs: null, detail: null };
  queue.ended.push({ siteJob, token, startedAtMs, endedAtMs, end: { ...nothing, ...how } });
}

/** What an enforcer wants of a job; a hold is a time before which it does not start. */
function enforceOn(queue: ScriptedQueue, verb: EnforcementVerb, id: string, untilMs: number): void {
  const job = queue.jobs.get(id);
  if (job === undefined) return;
  const changes: Partial<Record<EnforcementVerb, Partial<SurveyedJob>>> = {
    hold: { eligibleAtMs: untilMs },
    release: { eligibleAtMs: 0 },
    suspend: { state: "suspended" },
    resume: { state: "running" },
  };
  queue.jobs.set(id, { ...job, ...changes[verb] });
}

/** The port to such a queue, as a broker opens it; hooks of its own die with that broker. */
export function scriptedForeignSite(
  queue: ScriptedQueue,
  clock: Clock,
  hooks: Pick<ScriptedQueue, "before" | "after"> = queue,
): ForeignSite {
  async function call<T>(what: string, effect: () => T): Promise<T> {
    await hooks.before(what);
    const result = effect();
    await hooks.after(what);
    return result;
  }
  const note = <T>(what: string, effect: () => T): Promise<T> =>
    call(what, () => {
      queue.asked.push(what);
      return effect();
    });
  return {
    name: "far",
    surveyEveryMs: SURVEY_EVERY,
    lostAfterMs: LOST_AFTER,
    abilities: new Set<SiteAbility>(["submit", "suspend", "signal", "reserve"]),
    capacity: async () => ({ procs: 4, memoryBytes: 2 ** 30 }),
    submit: ({ token, procs, reservation }) =>
      note(`submit ${token}${reservation === null ? "" : ` in ${reservation}`}`, () => {
        const siteJob = `${queue.asked.length}`;
        queue.jobs.set(siteJob, shown(siteJob, token, { state: "held", procs }));
        return siteJob;
      }),
    act: (verb, attempt) =>
      note(`${verb} ${attempt.token} ${attempt.siteJob}`, () => obey(queue, verb, attempt, clock.nowMs())),
    signal: async () => undefined,
    reserve: (order) =>
      note(`reserve ${order.token}`, () => {
        const { startMs } = queue.reservations.get(order.token) ?? order;
        queue.reservations.set(order.token, { ...order, startMs });
        return nameOf(order);
      }),
    enforce: ({ verb, siteJobs, untilMs }) =>
      note(`enforce ${verb} ${siteJobs.join(" ")}`, () => {
        const applied = siteJobs.filter((id) => !queue.unwilling.has(id));
        for (const id of applied) enforceOn(queue, verb, id, untilMs);
        const refused = siteJobs.filter((id) => queue.unwilling.has(id));
        return {
          commands: [`${verb} ${siteJobs.join(",")}`],
          refused: refused.map((siteJob) => ({ siteJob, why: "it will not" })),
        };
      }),
    unreserve: (token) => note(`unreserve ${token}`, () => void queue.reservations.delete(token)),
    survey: () => call("survey", () => lookAt(queue, clock.nowMs())),
    acknowledge: (token) =>
      note(`acknowledge ${token}`, () => {
        queue.ended = queue.ended.filter((it) => it.token !== token);
      }),
    readFile: async () => undefined,
    listFiles: async () => [],
    sizeOfFiles: async () => 0,
    purge: async () => undefined,
    close: async () => void queue.asked.push("close"),
  };
}

function lookAt(queue: ScriptedQueue, atMs: number): Survey {
  queue.surveys++;
  const reservations = [...queue.reservations.values()].map((order) => {
    const { token, procs, startMs, endMs } = order;
    return { token, siteReservation: nameOf(order), procs, startMs, endMs };
  });
  return { atMs, jobs: [...queue.jobs.values()], ended: [...queue.ended], reservations };
}

const nameOf = ({ token }: ReservationOrder): string => `reserved-${token}`;

const WANTED: Readonly<Record<SiteVerb, SurveyedJob["state"]>> = {
  cancel: "unknown",
  hold: "held",
  release: "waiting",
  suspend: "suspended",
  resume: "running",
};

const FROM: Readonly<Record<SiteVerb, SurveyedJob["state"]>> = {
  cancel: "unknown",
  hold: "waiting",
  release: "held",
  suspend: "running",
  resume: "suspended",
};

function obey(queue: ScriptedQueue, verb: SiteVerb, { token, siteJob }: PlacedAttempt, atMs: number): void {
  const job = queue.jobs.get(siteJob);
  if (job?.token !== token) return;
  if (verb === "cancel") end(queue, job, atMs, { cause: "cancelled", exitCode: null });
  else if (job.state === FROM[verb]) queue.jobs.set(siteJob, { ...job, state: WANTED[verb] });
}
