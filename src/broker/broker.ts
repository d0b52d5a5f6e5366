/**
 * A running broker over one logbook and its sites.
 */
import { type Projection, partsOf, restore, type StoredState } from "../engine/index.ts";
import {
  isFinal,
  isForeign,
  isHolding,
  JOB_STATES,
  type JobRecord,
  jobNamedBy,
  RESERVATION_STATES,
  refusalText,
  type StintEvent,
  siteNamedBy,
} from "../model/index.ts";
import {
  actionOf,
  arrayOf,
  type BrokerApi,
  createRound,
  dagOf,
  type JsonObject,
  jobOf,
  type Logbook,
  policiesOf,
  READ_WHOLE,
  type Round,
  recordsOf,
  reservationOf,
} from "../runtime/index.ts";
import { allRows } from "./all-rows.ts";
import { createBrokerApi } from "./broker-api.ts";
import { gatherStates } from "./checkpoints/gather-states.ts";
import { storedDags } from "./dags.ts";
import { inputsOfRunning } from "./input-files-kept.ts";
import { findJob } from "./job-commands.ts";
import { createFileCounter, type KeptFilesWorld, storedFiles } from "./kept-files.ts";
import { createOutputRegistrar } from "./output-data/register-outputs.ts";
import type { BrokerParts } from "./parts.ts";
import { createPilotDriver } from "./pilots/pilot-driver.ts";
import { pastJobs } from "./policy-questions.ts";
import { createPredictions } from "./predictions/predictions.ts";
import { createRetirement } from "./retirement.ts";
import { keepSearches } from "./searches/keep-searches.ts";
import type { Reminder } from "./settle-each.ts";
import { createSites, type Sites } from "./sites.ts";
import { keepStreams } from "./streams/keep-streams.ts";
import { recordTransfers } from "./transfer-record.ts";
import { createTransfers } from "./transfers.ts";
import { createTrials } from "./trials/trials.ts";
import { createUsageKeeper } from "./usage-history.ts";
import { createWorkflowDriver } from "./workflows/workflow-driver.ts";

/** A broker at work. */
export interface Broker {
  readonly brokerApi: BrokerApi;
  /** Writes pending events and disconnects from the sites; jobs there continue. */
  stop(): Promise<void>;
}

/** Counts what jobs have left at their sites, and registers their outputs. */
function leftByJobs(world: KeptFilesWorld): Reminder {
  const all = [createFileCounter(world), createOutputRegistrar(world)];
  return {
    look: () => {
      for (const one of all) one.look();
    },
    stop: () => {
      for (const one of all) one.stop();
    },
  };
}

/** Looks after the pilots of workflows and of clusters. */
function pilotDrivers(world: Parameters<typeof createWorkflowDriver>[0]): Reminder {
  const all = [createWorkflowDriver(world), createPilotDriver(world)];
  return {
    look: () => {
      for (const one of all) one.look();
    },
    stop: () => {
      for (const one of all) one.stop();
    },
  };
}

/** Listeners that are told of changed jobs. */
function watchersOfJobs() {
  const listeners = new Set<(record: JobRecord) => void>();
  const tell = (record: JobRecord): void => {
    for (const listener of listeners) listener(record);
  };
  return { listeners, tell };
}

/** Starts a broker: reads its state from the views, agrees with its sites, and begins rounds. */
export async function startBroker(parts: BrokerParts): Promise<Broker> {
  const { logbook, clock, warn, onBroken, sandboxes, onEvent } = parts;
  const projection = restore(await storedState(logbook, clock.nowMs()), clock.nowMs());
  const files = inputsOfRunning(projection, sandboxes, warn);
  const { listeners, tell } = watchersOfJobs();
  const round = createRound({
    ...{ projection, logbook, clock },
    dispatch: (event) => {
      onEvent?.(event);
      dispatch(event, projection, sites);
      if ("workflow" in event || "pilot" in event) pilots.look();
      if (event.kind === "arrayAccepted") searches.look();
    },
    onJobChange: (record) => {
      tell(record);
      predictions.changed(record);
      counter.look();
      files.over(record);
      if (record.array !== undefined && isFinal(record.state)) searches.look();
    },
    onJobRetired: tell,
    onBroken,
    warn,
  });
  const find = (id: string) => findJob(round, logbook, id);
  const predictions = createPredictions({ round, logbook, clock, warn });
  const trials = createTrials();
  const transfers = createTransfers({ projection, clock });
  const nodesOf = (dag: string) => projection.dags.open.get(dag)?.nodes ?? [];
  const carry = (job: JobRecord): Promise<void> =>
    gatherStates({ sites, transfers, given: sandboxes.given, find, nodesOf, warn }, job);
  const world = { round, clock, sandboxes, transfers, predictions, find, carry, warn, onBroken };
  const sites = createSites(parts.openSite, world);
  const counter = leftByJobs({ round, sites, clock, warn });
  const pilots = pilotDrivers({ ...world, sites, slots: (name) => brokerApi.slots(name) });
  const retirement = createRetirement({ ...parts, round, sites, find });
  const searches = keepSearches({ round, sites, clock, find, warn });
  const parted = [searches, retirement, counter, pilots, transfers, round];
  const stop = async (): Promise<void> => {
    await inTurn(parted.map((part) => () => part.stop()));
    await sites.detachAll();
    await predictions.stop();
    await trials.stop();
  };
  try {
    await sandboxes.sweep((id) => projection.jobs.has(id) || files.isKept(id));
    // In effect at once, and so before the first decision; durable before anybody is answered.
    const asked = askAll(round, parts);
    await openAll(projection, sites);
    await asked;
  } catch (error) {
    // What has been begun would keep the process from ending, and so the message from being seen as the end.
    await stop();
    throw error;
  }
  const observed = createUsageKeeper({ round, clock, warn, samples: parts.samples, find });
  round.wake();
  observed.begin();
  const passed = recordTransfers(world);
  counter.look();
  const streams = keepStreams({ round, clock, warn, program: parts.streamProgram ?? [], find, sandboxes });
  const shown = { observed, trials, streams, retirement };
  const brokerApi = createBrokerApi(parts, { ...world, sites, listeners, ...shown });
  pilots.look();
  searches.look();
  return {
    brokerApi,
    stop: () => inTurn([streams.stop, () => observed.stop(), () => passed.stop(), stop]),
  };
}

async function inTurn(steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) await step();
}

async function askAll(round: Round, { atStart = [], warn }: BrokerParts): Promise<void> {
  const answers = await Promise.all(atStart.map((command) => round.ask(command)));
  for (const answer of answers) {
    if (answer.ok) continue;
    const { what, why } = refusalText(answer.refusal);
    warn(`${what}: ${why}`);
  }
}

/**
 * Opens all sites. Foreign ones may hang or fail and are not waited for; all others have to open, or the
 * broker does not start.
 */
async function openAll({ sites: known }: Projection, sites: Sites): Promise<void> {
  for (const { name, spec } of known.values()) {
    if (isForeign(spec)) void sites.attachKnown(name, spec).catch(() => undefined);
    else await sites.attach(name, spec);
  }
}

/**
 * Passes each event to the site of its subject or of its job. A new reservation also goes to the sites of its
 * co-reservation, because jobs may wait there for nothing else.
 */
function dispatch(event: StintEvent, { jobs, reserved }: Projection, sites: Sites): void {
  const at = siteNamedBy(event) ?? jobs.get(jobNamedBy(event) ?? "")?.site;
  if (typeof at === "string") sites.get(at)?.dispatch(event);
  if (event.kind !== "reservationMade") return;
  for (const { id, site } of partsOf(reserved, event.reservation)) {
    if (id !== event.reservation) sites.get(site)?.dispatch(event);
  }
}

async function storedState(logbook: Logbook, nowMs: number): Promise<StoredState> {
  const whole: Record<string, readonly JsonObject[]> = {};
  for (const view of READ_WHOLE) whole[view] = await allRows(logbook, view, {});
  const jobs = await unfinishedJobs(logbook);
  const newest = await logbook.rows("jobs", { orderBy: "ord", descending: true, limit: 1 });
  const newestDag = await logbook.rows("dags", { orderBy: "ord", descending: true, limit: 1 });
  const accepted = Math.max(
    newest.rows.length === 0 ? 0 : jobOf(newest.rows[0].record).order,
    newestDag.rows.length === 0 ? 0 : dagOf(newestDag.rows[0].record).order,
  );
  const reservations = await storedReservations(logbook, nowMs);
  const shares = await storedPolicies(logbook, nowMs);
  const files = await storedFiles(logbook, shares.policies, nowMs);
  const arrays = (await allRows(logbook, "arrays", { where: { endedAtMs: { is: null } } })).map(arrayOf);
  const compound = { arrays, dags: await storedDags(logbook) };
  return {
    ...recordsOf(whole),
    jobs: jobs.map(jobOf),
    ...compound,
    accepted,
    ...reservations,
    ...shares,
    files,
  };
}

/**
 * State by state, in the order of keys: so each page begins in the index where the one before ended. In
 * another order all of them would be sorted for each page.
 */
async function unfinishedJobs(logbook: Logbook): Promise<JsonObject[]> {
  const jobs: JsonObject[] = [];
  for (const state of JOB_STATES) {
    if (isFinal(state)) continue;
    for (const job of await allRows(logbook, "jobs", { where: { state: { is: state } } })) jobs.push(job);
  }
  return jobs;
}

/** A job held or stopped longer ago than this counts as untouched by enforcement. */
const ACTIONS_COUNT_MS = 31 * 24 * 3_600_000;

/** The policies, and the jobs whose use still counts in a window of theirs. */
async function storedPolicies(logbook: Logbook, nowMs: number) {
  const rows = await allRows(logbook, "policies", { orderBy: "ord" });
  const policies = rows.map(policiesOf);
  const actions = await allRows(logbook, "actions", {
    orderBy: "atMs",
    where: { atMs: { atLeast: nowMs - ACTIONS_COUNT_MS } },
  });
  return { policies, pastJobs: await pastJobs(logbook, policies, nowMs), actions: actions.map(actionOf) };
}

/** Time for which reservations that are over still count. */
const REMEMBERED_MS = 7 * 24 * 3_600_000;

async function storedReservations(logbook: Logbook, nowMs: number) {
  const where = { state: { oneOf: RESERVATION_STATES.filter(isHolding) } };
  const reservations = await allRows(logbook, "reservations", { orderBy: "ord", where });
  const past = await allRows(logbook, "reservations", {
    orderBy: "changedAtMs",
    where: {
      state: { oneOf: RESERVATION_STATES.filter((state) => !isHolding(state)) },
      changedAtMs: { atLeast: nowMs - REMEMBERED_MS },
    },
  });
  const newest = await logbook.rows("reservations", { orderBy: "ord", descending: true, limit: 1 });
  return {
    reservations: reservations.map(reservationOf),
    pastReservations: past.map(reservationOf),
    offered: newest.rows.length === 0 ? 0 : reservationOf(newest.rows[0].record).order,
  };
}
