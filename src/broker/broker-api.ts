/**
 * The broker's API inside the process: what routes may ask, answered from memory where it can be and from
 * views otherwise.
 */
import { refused } from "../base/index.ts";
import {
  ALLOWED_IN,
  type Answer,
  answer,
  explain,
  freeNow,
  type ObservedJob,
  obstaclesAt,
  type Question,
  query,
  type SiteState,
} from "../engine/index.ts";
import { attemptToken, type Command, type Explanation, isFinal, type JobRecord } from "../model/index.ts";
import {
  type BrokerApi,
  type JobPage,
  type JobQuery,
  jobOf,
  type Logbook,
  type Round,
  type SiteView,
  type ViewCondition,
} from "../runtime/index.ts";
import { explainThere, queueThere } from "./explain-there.ts";
import { clearFiles } from "./kept-files.ts";
import {
  accountOf,
  askOfReservation,
  findPosting,
  findReservation,
  grantOnce,
  listReservations,
  offerCoReservation,
  quoteAll,
  quoteCoReservation,
  quoteExtension,
} from "./market-questions.ts";
import type { BrokerParts } from "./parts.ts";
import { peersThere } from "./peer-questions.ts";
import { createPlans, type Plans } from "./plans.ts";
import { applyPolicies, compiledSharesOf, listActions, policyVersions, usageOf } from "./policy-questions.ts";
import type { Predictions } from "./predictions/predictions.ts";
import { prospectsOf } from "./prospects.ts";
import { removeSite } from "./remove-site.ts";
import { createResponseBook, type ResponseBook } from "./response-times.ts";
import type { Sandboxes } from "./sandbox.ts";
import { changeShares } from "./share-orders.ts";
import { NO_CARE } from "./site-care.ts";
import type { Sites } from "./sites.ts";
import { slotsBy } from "./slots-there.ts";
import { checkTicket, presentedIn, withTicket } from "./tickets.ts";
import type { Transfers } from "./transfers.ts";
import type { Trials } from "./trials/trials.ts";
import { createTurns, oneAtATime, type Turns } from "./turns.ts";
import type { UsageKeeper } from "./usage-history.ts";
import { virtualReservationQuotes } from "./virtual-reservation-quotes.ts";
import { changeVo } from "./vo-questions.ts";

/** What the API answers from. */
export interface DoorWorld {
  readonly round: Round;
  readonly sites: Sites;
  readonly listeners: Set<(record: JobRecord) => void>;
  readonly predictions: Pick<Predictions, "when" | "virtual" | "explain" | "respond">;
  readonly observed: UsageKeeper;
  readonly transfers: Transfers;
  readonly trials: Pick<Trials, "make" | "plan" | "leftFree" | "slots">;
}

/** The API of a broker whose rounds have begun. */
export function createBrokerApi(
  { logbook, clock, sandboxes, care = NO_CARE }: BrokerParts,
  { round, sites, listeners, predictions, observed, transfers, trials }: DoorWorld,
): BrokerApi {
  const find = (id: string) => findJob(round, logbook, id);
  const turns = createTurns();
  const inTurn = oneAtATime();
  const plans = createPlans(round, trials);
  const responses = createResponseBook({ round, sites, clock, predictions });
  return {
    ask(command) {
      if (command.kind === "submit") return submit({ round, logbook, sandboxes, turns }, command);
      if (command.kind === "addSite") return inTurn(command.site, () => addSite(round, sites, command));
      if (command.kind === "changeSite") return inTurn(command.site, () => changeSite(round, sites, command));
      if (command.kind === "grant") {
        return inTurn(`grant ${command.grant}`, () => grantOnce(round, logbook, command));
      }
      if (command.kind === "offerTogether") return offerCoReservation(round, logbook, command);
      if (command.kind === "applyPolicies") return applyPolicies(round, logbook, command);
      if (command.kind === "changeVo") return changeVo(round, logbook, command);
      if ("reservation" in command) return askOfReservation(round, logbook, command);
      return askOfJob(round, find, command);
    },
    query: (name, ...[question]) =>
      query(round.projection, { name, question: question as Question<typeof name> }, round.nowMs()),
    job: find,
    idsBeginning: (prefix, limit, among) => idsBeginning(logbook, prefix, limit, among),
    jobs: (query) => listJobs(logbook, query),
    explain: async (id) => {
      const job = await find(id);
      return job === undefined ? undefined : explanationOf(round, plans, job);
    },
    explainThere: (site, siteJob) => explainThere({ round, sites, predictions }, site, siteJob),
    queueThere: (site) => queueThere(sites, site),
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
    quoteVirtualReservation: (question) => virtualReservationQuotes({ round, sites, predictions }, question),
    ...marketDoor({ round, logbook, trials }),
    ...policyDoor({ round, logbook, transfers }),
    usageHistory: observed.history,
    hosts: observed.hosts,
    takeReadings: observed.take,
    compiledShares: (site) => compiledSharesOf(round, sites, site),
    changeShares: (request) => inTurn(request.site, () => changeShares(round, sites, request)),
    ...ticketDoor(round),
    ...filesDoor(find, { round, sites, transfers }),
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

/** Tickets whose signatures are looked at. */
function ticketDoor(round: Round) {
  return {
    checkTicket: (line) => checkTicket(round, line),
    presentTicket: (line) => presentedIn(round.projection, line),
  } satisfies Partial<BrokerApi>;
}

/** What jobs have written at their sites. */
function filesDoor(
  find: BrokerApi["job"],
  { round, sites, transfers }: Pick<DoorWorld, "round" | "sites" | "transfers">,
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
    async clearFiles(id, by) {
      const job = await find(id);
      return job === undefined
        ? refused({ kind: "unknownJob", job: id })
        : clearFiles({ round, sites }, job, by);
    },
    async listFiles(id) {
      const at = await filesOf(id);
      return at === undefined ? [] : at.files.listFiles(at.token);
    },
  } satisfies Partial<BrokerApi>;
}

/** Opened first: what cannot be opened is not added. */
async function addSite(round: Round, sites: Sites, command: Extract<Command, { kind: "addSite" }>) {
  const foreseen = answer(round.projection, command, round.nowMs());
  if (!foreseen.ok) return foreseen;
  await sites.attach(command.site, command.spec);
  return round.ask(command);
}

/** Recorded first, since a site must not be open twice; what then cannot be opened is in trouble. */
async function changeSite(round: Round, sites: Sites, command: Extract<Command, { kind: "changeSite" }>) {
  const before = round.projection.sites.get(command.site)?.spec;
  const answered = await round.ask(command);
  const spec = round.projection.sites.get(command.site)?.spec;
  if (!answered.ok || spec === undefined || spec === before) return answered;
  await sites.attachKnown(command.site, spec);
  return answered;
}

/** A job's record: from memory, or from the views when it is over. */
export async function findJob(round: Round, logbook: Logbook, id: string): Promise<JobRecord | undefined> {
  const living = round.projection.jobs.get(id);
  if (living !== undefined) return living;
  const row = await logbook.record("jobs", id);
  return row === undefined ? undefined : jobOf(row);
}

interface Submitting {
  readonly round: Round;
  readonly logbook: Logbook;
  readonly sandboxes: Sandboxes;
  readonly turns: Turns;
}

/**
 * Copies the input files first, so that an accepted job has all that it needs; the jobs of one owner are
 * accepted in the order in which they came, however long their files take.
 */
async function submit(
  { round, logbook, sandboxes, turns }: Submitting,
  command: Extract<Command, { kind: "submit" }>,
): Promise<Answer> {
  const { job, owner, description, isByToken } = command;
  const presented = withTicket(round.projection, command);
  if (!presented.ok) return presented;
  const isTaken = findJob(round, logbook, job).then((found) => found !== undefined);
  const isReady = isTaken.then((taken) =>
    taken ? 0 : sandboxes.keep(job, description.inputSandbox, { isByToken }),
  );
  await turns.after(owner, isReady);
  if (await isTaken) return refused({ kind: "idInUse", id: job });
  const inputBytes = await isReady;
  const answered = await round.ask(inputBytes === 0 ? presented.value : { ...presented.value, inputBytes });
  if (!answered.ok && answered.refusal.kind !== "idInUse") await sandboxes.drop(job);
  return answered;
}

/** A verb on a job that is over is refused for its state, not as unknown. */
async function askOfJob(
  round: Round,
  find: (id: string) => Promise<JobRecord | undefined>,
  command: Exclude<Command, { kind: "submit" | "addSite" | "changeSite" }>,
): Promise<Answer> {
  const answered = await round.ask(command);
  if (answered.ok || answered.refusal.kind !== "unknownJob") return answered;
  if (command.kind === "undoEnforcement") {
    const over = await find(command.enforcedJob);
    return over === undefined ? answered : refused({ kind: "notEnforced", job: over.id, isOver: true });
  }
  if (!("job" in command)) return answered;
  const { job: id, kind: verb } = command;
  const job = await find(id);
  if (job === undefined) return answered;
  return refused({ kind: "wrongState", job: id, verb, state: job.state, allowedIn: ALLOWED_IN[verb] });
}

async function idsBeginning(
  logbook: Logbook,
  prefix: string,
  limit: number,
  among: ObservedJob = {},
): Promise<readonly string[]> {
  const where = { ...conditionsOf(among), key: { beginsWith: prefix } };
  const { rows } = await logbook.rows("jobs", { where, limit });
  return rows.map(({ key }) => key);
}

async function listJobs(logbook: Logbook, query: JobQuery): Promise<JobPage> {
  const where = conditionsOf(query);
  if (query.states !== undefined) where.state = { oneOf: query.states };
  if (query.sinceMs !== undefined) where.submittedAtMs = { atLeast: query.sinceMs };
  const page = await logbook.rows("jobs", {
    where,
    orderBy: "ord",
    descending: true,
    limit: query.limit ?? 100,
    ...(query.after === undefined ? {} : { after: query.after }),
  });
  return { items: page.rows.map(({ record }) => jobOf(record)), next: page.next };
}

function conditionsOf({ owner, consumer, site }: ObservedJob): Record<string, ViewCondition> {
  const where: Record<string, ViewCondition> = {};
  if (owner !== undefined) where.owner = { is: owner };
  if (consumer !== undefined) where.consumer = { within: consumer };
  if (site !== undefined) where.site = { is: site };
  return where;
}

async function explanationOf(round: Round, plans: Plans, job: JobRecord): Promise<Explanation> {
  const atMs = await plans.ready(job.site);
  // It may have changed meanwhile.
  const now = round.projection.jobs.get(job.id) ?? job;
  if (!isFinal(now.state)) return explain(round.projection, now, atMs);
  return {
    job: job.id,
    state: job.state,
    causes: [{ kind: "over" }],
    predictedStartAtMs: null,
    method: null,
    helpfulChanges: [],
  };
}

function sitesNow(round: Round, responses: ResponseBook): readonly SiteView[] {
  const { projection } = round;
  return [...projection.sites.values()].map((site) => ({
    ...siteView(site, responses.of(site.name)),
    obstacles: obstaclesAt(projection, site, round.nowMs()),
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
