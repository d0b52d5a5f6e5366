/**
 * A running broker over one logbook and one managed site: this machine.
 */
import { assert } from "../base/index.ts";
import { type AttemptReport, type Projection, restore, type SiteState } from "../engine/index.ts";
import { attemptToken, isFinal, JOB_STATES, type JobRecord, type StintEvent } from "../model/index.ts";
import {
  createRound,
  type Door,
  type JsonObject,
  jobOf,
  type LaunchOrder,
  type Logbook,
  type ManagedSite,
  type Round,
  type SiteReport,
  siteOf,
  tokenOf,
} from "../runtime/index.ts";
import { doorOf } from "./door.ts";
import { createOutbox } from "./outbox.ts";
import type { BrokerParts } from "./parts.ts";
import { begunJobs, reconcile } from "./reconcile.ts";
import type { Sandboxes } from "./sandbox.ts";

/** A broker at work. */
export interface Broker {
  readonly door: Door;
  /** Writes what is pending; jobs at sites go on. */
  stop(): Promise<void>;
}

/** Starts a broker: reads its state from the views, agrees with its site, and begins rounds. */
export async function startBroker(parts: BrokerParts): Promise<Broker> {
  const { logbook, site, clock } = parts;
  const projection = restore(await storedState(logbook), clock.nowMs());
  const listeners = new Set<(record: JobRecord) => void>();
  const effects = createEffects(parts);
  const round = createRound({
    projection,
    logbook,
    clock,
    dispatch: effects.dispatch,
    onJobChange: (record) => {
      for (const listener of listeners) listener(record);
    },
    onBroken: parts.onBroken,
  });
  const take = (report: SiteReport): Promise<void> => takeReport(round, site, report);
  effects.onLaunchFailure = take;
  site.onReport((report) => void take(report).catch(parts.onBroken));
  await reconcile(begunJobs(projection.jobs.values(), site.name), {
    site,
    launch: (job) => effects.launch(job, limitOf(job, projection.sites)),
    report: take,
  });
  round.wake();
  return {
    door: doorOf(parts, round, listeners),
    stop: async () => {
      await round.stop();
      await effects.idle();
    },
  };
}

async function storedState(logbook: Logbook) {
  const sites = await allRows(logbook, "sites", { orderBy: "ord" });
  const unfinished = JOB_STATES.filter((state) => !isFinal(state));
  const jobs = await allRows(logbook, "jobs", { orderBy: "ord", where: { state: { oneOf: unfinished } } });
  const newest = await logbook.rows("jobs", { orderBy: "ord", descending: true, limit: 1 });
  const tokens = await allRows(logbook, "tokens", {});
  const accepted = newest.rows.length === 0 ? 0 : jobOf(newest.rows[0].record).order;
  return { sites: sites.map(siteOf), jobs: jobs.map(jobOf), accepted, tokens: tokens.map(tokenOf) };
}

async function allRows(logbook: Logbook, view: string, query: Parameters<Logbook["rows"]>[1]) {
  const records: JsonObject[] = [];
  let after: string | undefined;
  do {
    const page = await logbook.rows(view, {
      ...query,
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    });
    records.push(...page.rows.map((row) => row.record));
    after = page.next;
  } while (after !== undefined);
  return records;
}

/** Records what a site says, then lets the site forget it (rule BR-3). */
async function takeReport(round: Round, site: ManagedSite, report: SiteReport): Promise<void> {
  const [job, attempt] = report.token.split("/");
  const about = { job, attempt: Number(attempt), atMs: report.atMs };
  if (report.kind === "running") await round.report({ ...about, kind: "running" });
  if (report.kind !== "ended") return;
  const { cause, exitCode = null, signal = null, cpuMs = null, detail = null } = report;
  const ended: AttemptReport = { ...about, kind: "ended", end: { cause, exitCode, signal, cpuMs, detail } };
  await round.report(ended);
  await site.acknowledge(report.token);
}

/** What recorded events do to the site. */
function createEffects({ site, sandboxes, warn }: BrokerParts) {
  const outbox = createOutbox((job, error) => warn(`job ${job}: ${messageOf(error)}`));
  const effects = {
    onLaunchFailure: async (_: SiteReport): Promise<void> => undefined,
    idle: () => outbox.idle(),
    async launch(job: JobRecord, limitMs: number): Promise<void> {
      try {
        await site.launch(orderOf(job, limitMs, sandboxes));
      } catch (error) {
        await effects.onLaunchFailure(launchFailed(job, error));
      }
    },
    dispatch(event: StintEvent, { jobs, sites }: Projection): void {
      for (const id of jobsAbout(event)) {
        const job = jobs.get(id);
        if (job !== undefined) outbox.send(id, () => carryOut(event.kind, job, sites));
      }
    },
  };
  function carryOut(kind: StintEvent["kind"], job: JobRecord, sites: Projection["sites"]): Promise<void> {
    const token = attemptToken(job.id, job.attempt);
    if (kind === "cancelRequested") return site.cancel(token);
    if (kind === "jobSuspended") return site.suspend(token);
    return job.startedAtMs === null ? effects.launch(job, limitOf(job, sites)) : site.resume(token);
  }
  return effects;
}

/** The jobs whose site has something to do because of an event. */
function jobsAbout(event: StintEvent): readonly string[] {
  if (event.kind === "queueSettled") return event.starts;
  return event.kind === "cancelRequested" || event.kind === "jobSuspended" ? [event.job] : [];
}

/** The time limit of a job at its site. */
function limitOf({ description, site }: JobRecord, sites: ReadonlyMap<string, SiteState>): number {
  const spec = sites.get(site ?? "")?.spec;
  assert(spec !== undefined, "a job that starts is at a site that is known");
  return description.wallTimeMs ?? spec.defaultWallTimeMs;
}

function orderOf(
  { id, attempt, description }: JobRecord,
  limitMs: number,
  sandboxes: Sandboxes,
): LaunchOrder {
  const { executable, arguments: words, environment, stdOutput, stdError } = description;
  return {
    token: attemptToken(id, attempt),
    command: [executable, ...words],
    environment,
    limitMs,
    inputFiles: sandboxes.filesOf(id, description.inputSandbox),
    stdOutput,
    stdError,
  };
}

function launchFailed(job: JobRecord, error: unknown): SiteReport {
  return {
    kind: "ended",
    token: attemptToken(job.id, job.attempt),
    atMs: Number.MAX_SAFE_INTEGER,
    cause: "launchFailed",
    exitCode: undefined,
    signal: undefined,
    cpuMs: undefined,
    detail: messageOf(error),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
