/**
 * A broker without a world: the entry points of the engine over one state, with time and reports by hand.
 */
import {
  type AttemptReport,
  answer,
  apply,
  createProjection,
  decide,
  observe,
  observeSurvey,
  type Projection,
  type RecordChange,
  restore,
  type StoredState,
  type Survey,
  type SurveyedJob,
  takeSurvey,
} from "../src/engine/index.ts";
import {
  type AttemptEnd,
  type Command,
  type Discipline,
  type EnforcementRecord,
  isFinal,
  JOB_DEFAULTS,
  type JobDescription,
  type JobRecord,
  type JobVerb,
  type SimulatedSiteSpec,
  type StintEvent,
} from "../src/model/index.ts";

/** An hour, the default limit of the sites of a scene. */
export const HOUR = 3_600_000;

/** For how long something odd may last at the foreign sites of a scene. */
export const PATIENCE = 60_000;

/** What the views of an empty log hold; parts that are absent, such as books, are empty. */
export const NOTHING_STORED: StoredState = {
  jobs: [],
  accepted: 0,
  reservations: [],
  pastReservations: [],
  offered: 0,
  policies: [],
  pastJobs: [],
  actions: [],
  files: [],
};

/** A scene in play. */
export interface Scene {
  /** Another one after `restart`. */
  projection: Projection;
  /** Everything that happened. */
  readonly log: StintEvent[];
  /** The last record of each job, over or not. */
  readonly records: Map<string, JobRecord>;
  /** What enforcers did, or were refused, in order. */
  readonly actions: EnforcementRecord[];
  now: number;
  ask(command: Command): string;
  /** Something happened elsewhere, now. */
  tell(event: DistributiveOmit<StintEvent, "atMs">): void;
  submit(job: string, procs: number, more?: Partial<JobDescription>): string;
  act(verb: JobVerb, job: string): string;
  report(report: AttemptReport): number;
  running(job: string): number;
  ended(job: string, end?: Partial<AttemptEnd>): number;
  /** Adds a foreign site. */
  foreign(site: string, procs: number): string;
  /** Looks at a foreign site: now, and it has nothing, unless something else is said. Gives the events. */
  look(site: string, survey?: Partial<Survey>): StintEvent[];
  /** Decides until nothing follows; gives the jobs that start, in order. */
  settle(): string[];
  state(job: string): string | undefined;
  /** The broker ends and begins again: of the state only sites, jobs and books are left. */
  restart(): void;
}

type DistributiveOmit<T, Key extends string> = T extends unknown ? Omit<T, Key> : never;

/** A scene with managed sites, given as name: processors. */
export function scene(sites: Readonly<Record<string, number>>, discipline: Discipline = "easy"): Scene {
  const log: StintEvent[] = [];
  const records = new Map<string, JobRecord>();
  const actions: EnforcementRecord[] = [];
  const record = (events: readonly StintEvent[]): void => {
    for (const event of events) {
      log.push(event);
      noteIn(play, apply(play.projection, event));
    }
  };
  const play: Scene = {
    ...{ log, records, actions },
    projection: createProjection(),
    now: 1000,
    ask(command) {
      const answered = answer(play.projection, command, play.now);
      if (!answered.ok) return answered.refusal.kind;
      record(answered.value);
      return "ok";
    },
    tell: (event) => record([{ ...event, atMs: play.now } as StintEvent]),
    submit: (job, procs, more = {}) =>
      play.ask({
        kind: "submit",
        job,
        description: { ...JOB_DEFAULTS, executable: "true", procs, ...more },
        consumer: "vo/group/user",
        owner: "u1",
      }),
    act: (verb, job) => play.ask({ kind: verb, job }),
    report(report) {
      const events = observe(play.projection, report, play.now);
      record(events);
      return events.length;
    },
    running: (job) => play.report({ kind: "running", job, attempt: attemptOf(job), atMs: play.now }),
    ended: (job, end = {}) =>
      play.report({
        kind: "ended",
        job,
        attempt: attemptOf(job),
        atMs: play.now,
        end: { cause: "exited", exitCode: 0, signal: null, cpuMs: null, detail: null, ...end },
      }),
    foreign: (site, procs) => play.ask({ kind: "addSite", site, spec: foreignSpec(procs) }),
    look(site, shown = {}) {
      const survey = { atMs: play.now, jobs: [], ended: [], reservations: [], ...shown };
      const events = observeSurvey(play.projection, { site, survey, patienceMs: PATIENCE }, play.now);
      record(events);
      takeSurvey(play.projection, site, survey, play.now);
      return [...events];
    },
    settle() {
      const starts: string[] = [];
      for (;;) {
        const { events } = decide(play.projection, play.now);
        if (events.length === 0) return starts;
        for (const event of events) if ("starts" in event) starts.push(...event.starts);
        record(events);
      }
    },
    state: (job) => records.get(job)?.state,
    restart() {
      play.projection = restore(storedIn(play), play.now);
    },
  };
  const attemptOf = (job: string): number => records.get(job)?.attempt ?? 0;
  addSites(play, sites, discipline);
  return play;
}

/** What the views hold of the sites, jobs and books of a scene. */
function storedIn({ projection, records }: Scene): StoredState {
  const { sites, books, accepted } = projection;
  const inBooks = Object.entries(books).map(([name, book]) => [name, [...book.values()]]);
  const stored = {
    ...{ ...NOTHING_STORED, ...Object.fromEntries(inBooks), accepted },
    sites: [...sites.values()].map(({ name, spec, order, isDraining }) => ({
      name,
      spec,
      order,
      isDraining,
    })),
    jobs: [...records.values()].filter(({ state }) => !isFinal(state)),
  };
  return JSON.parse(JSON.stringify(stored));
}

function noteIn({ records, actions }: Pick<Scene, "records" | "actions">, changes: readonly RecordChange[]) {
  for (const change of changes) {
    if (change.kind === "job") records.set(change.record.id, change.record);
    if (change.kind === "action") actions.push(change.record);
  }
}

/** A foreign site of so many processors. */
export function foreignSpec(procs: number): SimulatedSiteSpec {
  return {
    type: "simulated",
    procs,
    memoryBytes: 2 ** 30,
    discipline: "easy",
    defaultWallTimeMs: HOUR,
    jobs: "run",
    speedUp: 1,
    background: null,
    delays: { orderMs: 0, startMs: 0 },
    losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
    seed: 1,
  };
}

/** A job of one processor and an hour as a site shows it; somebody else's where it has no token. */
export function shown(siteJob: string, token: string | null, more: Partial<SurveyedJob> = {}): SurveyedJob {
  return {
    siteJob,
    token,
    state: "waiting",
    procs: 1,
    memoryBytes: 0,
    limitMs: HOUR,
    submittedAtMs: 0,
    startedAtMs: null,
    reason: null,
    ...more,
  };
}

function addSites(play: Scene, sites: Readonly<Record<string, number>>, discipline: Discipline): void {
  for (const [site, procs] of Object.entries(sites)) {
    const spec = {
      type: "managed",
      procs,
      memoryBytes: 2 ** 30,
      discipline,
      defaultWallTimeMs: HOUR,
    } as const;
    play.ask({ kind: "addSite", site, spec });
  }
}
