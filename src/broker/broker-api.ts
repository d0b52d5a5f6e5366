/**
 * The broker's API inside the process: what routes may ask, answered from memory where it can be and from
 * views otherwise.
 */
import { joined } from "../base/index.ts";
import {
  type Answer,
  adStampOf,
  explain,
  freeNow,
  obstaclesAt,
  type Question,
  query,
  type SiteState,
} from "../engine/index.ts";
import {
  attemptToken,
  type Command,
  type Explanation,
  isFinal,
  type JobRecord,
  runStateOf,
} from "../model/index.ts";
import type { BrokerApi, Round, SiteView } from "../runtime/index.ts";
import { arraysBeginning, findArray, listArrays } from "./arrays.ts";
import type { BrokerAnswers, CommandByKind, CommandKind, CommandWorld } from "./broker-commands.ts";
import { stateQuestions } from "./checkpoints/state-questions.ts";
import { dagCommands, dagsBeginning, findDag, listDags, nodesOfDag } from "./dags.ts";
import { explainThere, queueAdsThere, queueThere } from "./explain-there.ts";
import { findJob, jobCommands } from "./job-commands.ts";
import { idsBeginning, listJobs } from "./job-lists.ts";
import { readLog } from "./log-questions.ts";
import {
  accountOf,
  findPosting,
  findReservation,
  listReservations,
  quoteAll,
  quoteCoReservation,
  quoteExtension,
} from "./market-questions.ts";
import type { BrokerParts } from "./parts.ts";
import { createPastStates } from "./past-states.ts";
import { peersThere } from "./peer-questions.ts";
import { createPlans, type Plans } from "./plans.ts";
import { applyPolicies, compiledSharesOf, listActions, policyVersions, usageOf } from "./policy-questions.ts";
import type { Predictions } from "./predictions/predictions.ts";
import { prospectsOf } from "./prospects.ts";
import { reportJobs } from "./reports/report-jobs.ts";
import { reservationCommands } from "./reservation-commands.ts";
import { createResponseBook, type ResponseBook } from "./response-times.ts";
import type { Retirement } from "./retirement.ts";
import { schedulesBy } from "./schedules.ts";
import { changeShares } from "./share-orders.ts";
import { NO_CARE } from "./site-care.ts";
import { removeSite, siteCommands } from "./site-commands.ts";
import type { Sites } from "./sites.ts";
import { slotsBy } from "./slots-there.ts";
import type { StreamKeeper } from "./streams/keep-streams.ts";
import { submitStream } from "./streams/submit-stream.ts";
import { checkTicket, presentedIn } from "./tickets.ts";
import type { Transfers } from "./transfers.ts";
import type { Trials } from "./trials/trials.ts";
import { createTurns, oneAtATime } from "./turns.ts";
import type { UsageKeeper } from "./usage-history.ts";
import { virtualReservationQuotes } from "./virtual-reservation-quotes.ts";
import { changeVo } from "./vo-questions.ts";
import { resultBytes } from "./workflows/result-bytes.ts";
import { workflowCommands } from "./workflows/workflow-commands.ts";

/** Dependencies of the API. */
export interface DoorWorld {
  readonly round: Round;
  readonly sites: Sites;
  readonly listeners: Set<(record: JobRecord) => void>;
  readonly predictions: Pick<Predictions, "when" | "virtual" | "explain" | "respond" | "promised">;
  readonly observed: UsageKeeper;
  readonly transfers: Transfers;
  readonly retirement: Pick<Retirement, "clear" | "purge">;
  readonly trials: Pick<Trials, "make" | "plan" | "leftFree" | "slots">;
  readonly streams: Pick<StreamKeeper, "figures">;
}

/** Commands that the broker handles itself; a kind in two tables does not compile. */
const ANSWERS: BrokerAnswers = joined([
  jobCommands,
  dagCommands,
  siteCommands,
  reservationCommands,
  workflowCommands,
  { applyPolicies, changeVo },
]);

function answered<Kind extends CommandKind>(
  world: CommandWorld,
  command: CommandByKind[Kind] & Command & { readonly kind: Kind },
): Promise<Answer> {
  const { kind }: { readonly kind: Kind } = command;
  const handler: BrokerAnswers[Kind] = ANSWERS[kind];
  return handler === undefined ? world.round.ask(command) : handler(world, command);
}

/** The API of a broker whose rounds have begun. */
export function createBrokerApi(
  { logbook, clock, sandboxes, care = NO_CARE, streamProgram = [] }: BrokerParts,
  { round, sites, listeners, predictions, observed, transfers, trials, streams, retirement }: DoorWorld,
): BrokerApi {
  const find = (id: string) => findJob(round, logbook, id);
  const inTurn = oneAtATime();
  const submissions = createTurns();
  const world: CommandWorld = { round, logbook, sites, sandboxes, transfers, find, submissions, inTurn };
  const plans = createPlans(round, trials);
  const pastStates = createPastStates(logbook);
  const responses = createResponseBook({ round, sites, clock, predictions });
  return {
    ask: (command) => answered(world, command),
    submitStream: (request) => submitStream(round, streamProgram, request),
    streamFigures: streams.figures,
    query: (name, ...[question]) =>
      query(round.projection, { name, question: question as Question<typeof name> }, round.nowMs()),
    job: find,
    array: (id) => findArray(round, logbook, id),
    arrays: (query) => listArrays(logbook, query),
    arraysBeginning: (prefix, limit, among) => arraysBeginning(logbook, prefix, limit, among ?? {}),
    dag: (id) => findDag(round, logbook, id),
    dagNodes: (id) => nodesOfDag(round, logbook, id),
    dags: (query) => listDags(logbook, query),
    dagsBeginning: (prefix, limit, among) => dagsBeginning(logbook, prefix, limit, among ?? {}),
    idsBeginning: (prefix, limit, among) => idsBeginning(logbook, prefix, limit, among),
    jobs: (query) => listJobs(logbook, query),
    reportJobs: (query) => reportJobs(logbook, query, round.nowMs()),
    events: (search) => readLog(logbook, search),
    archives: () => logbook.archives(),
    explain: async (id) => {
      const job = await find(id);
      return job === undefined ? undefined : explanationOf(round, plans, job);
    },
    explainThere: (site, siteJob) => explainThere({ round, sites, predictions }, site, siteJob),
    queueThere: (site) => queueThere(sites, site),
    queueAds: (site) => queueAdsThere(round, sites, site),
    assess: (question) => prospectsOf({ round, sites, predictions }, question),
    async testSite(which) {
      if (typeof which !== "string") return care.test(null, which);
      const spec = round.projection.sites.get(which)?.spec;
      return spec === undefined ? undefined : care.test(which, spec);
    },
    removeSite: (request) => inTurn(request.site, () => removeSite({ round, sites, care }, request)),
    sites: () => sitesNow(round, responses),
    refreshResponseTimes: (names) => responses.refreshed(names),
    slots: slotsBy(round, plans, trials),
    schedule: schedulesBy({ round, logbook, pastStates, sites, plans, trials, predictions }),
    quoteVirtualReservation: (question) => virtualReservationQuotes({ round, sites, predictions }, question),
    ...marketDoor({ round, logbook, trials }),
    ...policyDoor({ round, logbook, transfers }),
    usageHistory: observed.history,
    hosts: observed.hosts,
    takeReadings: observed.take,
    compiledShares: (site) => compiledSharesOf(round, sites, site),
    changeShares: (request) => inTurn(request.site, () => changeShares(round, sites, request)),
    ...ticketDoor(round),
    ...filesDoor(find, { sites, transfers, retirement }),
    ...stateQuestions({ sites, transfers, find }),
    ...resultBytes(round, sandboxes),
    uploads: sandboxes.uploads,
    onJobChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Versions of policies, what was done to keep them, and what is used. */
function policyDoor({
  round,
  logbook,
  transfers,
}: Pick<DoorWorld, "round" | "transfers"> & Pick<BrokerParts, "logbook">) {
  return {
    policyVersions: () => policyVersions(logbook),
    actions: (query) => listActions(logbook, query),
    usage: (site) => usageOf(round, site, transfers),
  } satisfies Partial<BrokerApi>;
}

/** Prices, reservations and accounts. */
function marketDoor({
  round,
  logbook,
  trials,
}: Pick<DoorWorld, "round" | "trials"> & Pick<BrokerParts, "logbook">) {
  return {
    quote: (question) => quoteAll({ round, trials }, question),
    quoteCoReservation: (question) => quoteCoReservation(round, question),
    reservation: (id) => findReservation(round, logbook, id),
    reservations: (query) => listReservations(logbook, query),
    quoteExtension: (id, moreMs) => quoteExtension(round, id, moreMs),
    account: (consumer, site) => accountOf({ round, logbook }, consumer, site),
    posting: (id) => findPosting(logbook, id),
  } satisfies Partial<BrokerApi>;
}

/** Tickets, with verification of their signatures. */
function ticketDoor(round: Round) {
  return {
    checkTicket: (line) => checkTicket(round, line),
    presentTicket: (line) => presentedIn(round.projection, line),
  } satisfies Partial<BrokerApi>;
}

/** Output of jobs at their sites. */
function filesDoor(
  find: BrokerApi["job"],
  { sites, transfers, retirement }: Pick<DoorWorld, "sites" | "transfers" | "retirement">,
) {
  const filesOf = async (id: string) => {
    const job = await find(id);
    const files = job?.site === null ? undefined : sites.get(job?.site ?? "")?.files;
    return job === undefined || files === undefined || job.attempt === 0
      ? undefined
      : { files, token: attemptToken(id, job.attempt), job };
  };
  return {
    async readFile(id, { name, fromByte, maxBytes, signal }) {
      const at = await filesOf(id);
      if (at === undefined || maxBytes === 0) return at?.files.readFile(at.token, name, fromByte, 0);
      const { site, consumer, description } = at.job;
      const { reservation } = description;
      const request = { site: site ?? "", consumer, reservation, mostBytes: maxBytes, signal };
      const mayBytes = await transfers.pass(request);
      let readBytes = 0;
      try {
        const part = await at.files.readFile(at.token, name, fromByte, mayBytes);
        readBytes = part?.bytes.length ?? 0;
        return part;
      } finally {
        transfers.giveBack(request, mayBytes - readBytes);
      }
    },
    async appendFile(id, name, part) {
      const at = await filesOf(id);
      if (at === undefined) return undefined;
      return at.files.appendFile === undefined ? "unable" : at.files.appendFile(at.token, name, part);
    },
    clearFiles: (id, by) => retirement.clear(id, by),
    purgeJob: (id, by) => retirement.purge(id, by),
    async listFiles(id) {
      const at = await filesOf(id);
      return at === undefined ? [] : at.files.listFiles(at.token);
    },
  } satisfies Partial<BrokerApi>;
}

async function explanationOf(round: Round, plans: Plans, job: JobRecord): Promise<Explanation> {
  const atMs = await plans.ready(job.site);
  // It may have changed meanwhile.
  const now = round.projection.jobs.get(job.id) ?? job;
  if (!isFinal(now.state)) return explain(round.projection, now, atMs);
  return {
    job: job.id,
    state: job.state,
    causes: [{ kind: "over" }, ...faultOf(round, now)],
    predictedStartAtMs: null,
    method: null,
    helpfulChanges: [],
  };
}

/** Cause of a failed job where what it runs fails at every site; none where that is not so. */
function faultOf(round: Round, job: JobRecord): Explanation["causes"] {
  const state = runStateOf(job);
  const hasFailed = state === "ABORTED" || (state === "DONE" && job.exitCode !== 0);
  return hasFailed ? query(round.projection, { name: "ownFault", question: job }, round.nowMs()) : [];
}

function sitesNow(round: Round, responses: ResponseBook): readonly SiteView[] {
  const { projection } = round;
  return [...projection.sites.values()].map((site) => ({
    ...siteView(site, responses.of(site.name)),
    obstacles: obstaclesAt(projection, site, round.nowMs()),
    ad: adStampOf(site, round.nowMs()),
    ...peersThere(round, site),
  }));
}

function siteView(site: SiteState, response: SiteView["response"]): SiteView {
  const { name, spec, queue, isDraining, observation } = site;
  return {
    name,
    spec,
    running: queue.running.size,
    waiting: queue.machine.waiting.count,
    procsBusy: spec.procs - freeNow(site).procs,
    isDraining,
    seenAtMs: observation.seenAtMs,
    trouble: observation.trouble,
    response,
  };
}
