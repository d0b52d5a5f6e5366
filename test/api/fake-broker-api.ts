/**
 * A broker of plain objects: jobs that move only when a test says so.
 */

import { accepted, type Result, refused } from "../../src/base/index.ts";
import { readLog } from "../../src/broker/log-questions.ts";
import {
  type Advertisement,
  type Answer,
  type Bar,
  isOf,
  type PolicyVersion,
  type Question,
  type SiteUsage,
} from "../../src/engine/index.ts";
import type {
  Command,
  CompiledShares,
  Explanation,
  HostReport,
  JobDescription,
  JobRecord,
  LivePrice,
  OfferRequest,
  PriceCoReservation,
  Refusal,
  ReservationRecord,
  ShareStep,
  SiteCheck,
  SiteQuote,
  SiteRemovalReport,
} from "../../src/model/index.ts";
import type {
  AccountView,
  ActionPage,
  ActionQuery,
  BrokerApi,
  ChangeSharesRequest,
  CoReservationQuestion,
  HostView,
  JobPage,
  JobQuery,
  Logbook,
  Prospect,
  ProspectQuestion,
  QuoteQuestion,
  RemoveSiteRequest,
  ReservationQuery,
  SiteSchedule,
  SiteView,
  ThereExplained,
  ThereQueued,
  UsageHistory,
  UsageHistoryQuestion,
  VirtualReservationQuestion,
  VirtualReservationQuote,
} from "../../src/runtime/index.ts";
import { createMemoryLogbook } from "../../src/store/index.ts";
import { appendTo, fakeRetirement, fakeStates, fakeUploads, filesOf, partOf } from "./fake-files.ts";
import { actOnPolicies, policing } from "./fake-policing.ts";
import { type FakeState, stateOf } from "./fake-queries.ts";
import { recordOf } from "./fake-record.ts";
import { aReservation } from "./fake-reservations.ts";
import { scheduleOf } from "./fake-schedule.ts";
import { type FakeTickets, ticketing } from "./fake-tickets.ts";
import { standIn } from "./stand-in.ts";

/** A broker API, and what a test sets behind it. */
export interface FakeBrokerApi extends BrokerApi, FakeTickets, FakeState {
  readonly asked: Command[];
  readonly queries: JobQuery[];
  readonly records: Map<string, JobRecord>;
  /** Sites by name; one of them, `local`, to begin with. */
  readonly siteViews: Map<string, SiteView>;
  /** What happened. */
  readonly log: Logbook;
  /** Of which sites response times were to be said anew. */
  readonly refreshed: (readonly string[])[];
  /** The slots of every site. */
  slotsShown: Omit<Advertisement, "site">;
  /** What is at every site, in the schedule of all. */
  barsThere: readonly Bar[];
  /** Starts promised to jobs of them, by key. */
  promisesThere: SiteSchedule["promises"];
  areJobsPrivate: boolean;
  /** Why a job of a site waits, by its id there. */
  explanationThere: ThereExplained | "notACluster";
  /** The queue of any site. */
  queuedThere: ThereQueued | "notACluster";
  /** What was asked of jobs that are only thought of, and what is answered. */
  readonly thoughtOf: ProspectQuestion[];
  prospects: readonly Prospect[];
  /** Offers and reservations by id; what is asked of them changes their state, and nothing else. */
  readonly reservationRecords: Map<string, ReservationRecord>;
  readonly reservationQueries: ReservationQuery[];
  /** What slots cost, whatever is asked; and what was asked. */
  siteQuotes: readonly SiteQuote[];
  readonly quoteQuestions: QuoteQuestion[];
  pricesCoReservation: readonly PriceCoReservation[];
  readonly coReservationQuestions: CoReservationQuestion[];
  extensionPrice: LivePrice | undefined;
  /** What virtual reservations could be made, whatever is asked; and what was asked. */
  virtualReservationQuotes: readonly VirtualReservationQuote[];
  readonly virtualReservationQuestions: VirtualReservationQuestion[];
  /** The versions that hold and will; applying adds one that holds. Enforcers only pause and go on. */
  /** Oldest first. */
  readonly policySets: PolicyVersion[];
  readonly actionQueries: ActionQuery[];
  actionPage: ActionPage;
  /** Of sites, by name; of others there is none. */
  readonly usages: Map<string, SiteUsage>;
  /** The course of any site, and what was asked. */
  historyThere: Omit<UsageHistory, "site">;
  readonly historyQuestions: UsageHistoryQuestion[];
  /** What sensors saw on the hosts of any site, and what they sent. */
  hostsThere: readonly HostView[];
  readonly hostReports: HostReport[];
  /** The policies of any site in its own words. */
  compiled: CompiledShares | "notACluster";
  /** What was asked of a cluster's own shares, and what becomes of it. */
  readonly shareRequests: ChangeSharesRequest[];
  shareSteps: readonly ShareStep[];
  /** How everybody's accounts stand, and of whom it was asked. */
  accountView: Omit<AccountView, "consumer">;
  readonly accountsAsked: (readonly [string, string | undefined])[];
  /** What a test of any site finds. */
  checks: readonly SiteCheck[];
  /** File contents by `id/name`. */
  readonly contents: Map<string, Buffer>;
  /** How many listen to changes. */
  readonly listening: () => number;
  /** Answers a request with a "no", or throws. */
  refuse: (command: Command) => Refusal | undefined;
  explanation: Explanation | undefined;
  /** Puts a job there. */
  put(id: string, change?: Partial<JobRecord>, description?: Partial<JobDescription>): JobRecord;
  /** Changes a job and tells of it. */
  change(id: string, change: Partial<JobRecord>): void;
  write(id: string, name: string, text: string): void;
}

/** An empty broker with one site. */
export function fakeBrokerApi(): FakeBrokerApi {
  const listeners = new Set<(record: JobRecord) => void>();
  const records = new Map<string, JobRecord>();
  const contents = new Map<string, Buffer>();
  const told: Told = {
    uploads: fakeUploads(),
    ...{ asked: [], queries: [], records, log: createMemoryLogbook([]) },
    slotsShown: {
      ...{ sequence: 7, atMs: 0, slots: [], freeBeside: [], resources: [] },
      priceBook: { unitPriceThousandths: 1500, transactionProcMs: 3_600_000 },
    },
    explanationThere: "notACluster",
    queuedThere: "notACluster",
    ...{ thoughtOf: [], prospects: [] },
    platformNow: { platform: { sites: [], pairs: [] }, beginMs: 0 },
    ...{ voRecords: [], matches: { sites: [], clauses: [], matches: [], changes: [] } },
    ...{ pilotsThere: [], payloadsThere: [] },
    ...{ followersNow: [], siteNotes: new Map(), siteTroubles: new Map(), tokenRecords: new Map() },
    checks: [],
    contents,
    listening: () => listeners.size,
    refuse: () => undefined,
    explanation: undefined,
    put(id, change = {}, description = {}) {
      const record = { ...recordOf(id, records.size), ...change };
      records.set(id, { ...record, description: { ...record.description, ...description } });
      return record;
    },
    change(id, change) {
      const record = { ...(records.get(id) ?? brokerApi.put(id)), ...change };
      records.set(id, record);
      for (const listener of listeners) listener(record);
    },
    write(id, name, text) {
      const key = `${id}/${name}`;
      contents.set(key, Buffer.concat([contents.get(key) ?? Buffer.alloc(0), Buffer.from(text)]));
    },
    ask: (command) => answer(brokerApi, command),
    job: async (id) => records.get(id),
    idsBeginning: async (prefix, limit) =>
      [...records.keys()].filter((id) => id.startsWith(prefix)).slice(0, limit),
    ...NEITHER_ARRAYS_NOR_ARCHIVES,
    jobs: async (query) => pageOf(brokerApi, query),
    reportJobs: async () => [],
    events: (search) => readLog(brokerApi.log, search),
    explain: async () => brokerApi.explanation,
    explainThere: async () => brokerApi.explanationThere,
    queueThere: async () => brokerApi.queuedThere,
    async assess(question) {
      brokerApi.thoughtOf.push(question);
      return brokerApi.prospects;
    },
    ...market(() => brokerApi),
    ...policing(() => brokerApi),
    ...siteCare(() => brokerApi),
    ...ticketing(),
    query: (name, ...[question]) => stateOf(brokerApi, { name, question: question as Question<typeof name> }),
    readFile: async (id, part) => partOf(contents.get(`${id}/${part.name}`), part),
    appendFile: async (id, name, part) => appendTo(contents, `${id}/${name}`, part),
    listFiles: async (id) => filesOf(contents, id),
    ...fakeStates(contents),
    ...fakeRetirement(contents, (id) => brokerApi.job(id)),
    onJobChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const brokerApi = standIn<FakeBrokerApi>(told);
  return brokerApi;
}

/** What the broker of a test answers; a method that no test needs is left out. */
type Told = Partial<BrokerApi> & Omit<FakeBrokerApi, keyof BrokerApi>;

const NEITHER_ARRAYS_NOR_ARCHIVES = {
  archives: async () => [],
  dag: async () => undefined,
  dagNodes: async () => [],
  dags: async () => ({ items: [], next: undefined }),
  dagsBeginning: async () => [],
  array: async () => undefined,
  arrays: async () => ({ items: [], next: undefined }),
  arraysBeginning: async () => [],
} satisfies Partial<FakeBrokerApi>;

/** What is about sites: one of them to begin with. */
function siteCare(brokerApi: () => FakeBrokerApi) {
  return {
    siteViews: new Map([[local.name, local]]),
    refreshed: [],
    testSite: async (which) =>
      typeof which !== "string" || brokerApi().siteViews.has(which) ? brokerApi().checks : undefined,
    removeSite: async (request) => removed(brokerApi(), request),
    sites: () => [...brokerApi().siteViews.values()],
    async refreshResponseTimes(sites) {
      brokerApi().refreshed.push(sites ?? [...brokerApi().siteViews.keys()]);
    },
    barsThere: [],
    promisesThere: new Map(),
    areJobsPrivate: false,
    schedule: async (question) => scheduleOf(brokerApi(), question),
    slots: async (site) =>
      brokerApi().siteViews.has(site) ? { site, ...brokerApi().slotsShown } : undefined,
  } satisfies Partial<FakeBrokerApi>;
}

/** What is about prices, reservations and accounts: nothing, until a test says so. */
function market(brokerApi: () => FakeBrokerApi) {
  return {
    reservationRecords: new Map(),
    reservationQueries: [],
    siteQuotes: [],
    quoteQuestions: [],
    pricesCoReservation: [],
    coReservationQuestions: [],
    extensionPrice: undefined,
    virtualReservationQuotes: [],
    virtualReservationQuestions: [],
    accountView: { levels: [], sites: [], postings: [] },
    accountsAsked: [],
    async quote(question) {
      brokerApi().quoteQuestions.push(question);
      return brokerApi().siteQuotes;
    },
    async quoteCoReservation(question) {
      brokerApi().coReservationQuestions.push(question);
      return brokerApi().pricesCoReservation;
    },
    async quoteVirtualReservation(question) {
      brokerApi().virtualReservationQuestions.push(question);
      return brokerApi().virtualReservationQuotes;
    },
    reservation: async (id) => brokerApi().reservationRecords.get(id),
    async reservations(query) {
      brokerApi().reservationQueries.push(query);
      const { owner, of } = query;
      const all = [...brokerApi().reservationRecords.values()].reverse();
      const items = all.filter(
        (record) => (owner === undefined || record.owner === owner) && (of === undefined || isOf(record, of)),
      );
      return { items: items.slice(0, query.limit ?? 100), next: undefined };
    },
    quoteExtension: async () => brokerApi().extensionPrice,
    async account(consumer, site) {
      brokerApi().accountsAsked.push([consumer, site]);
      return { consumer, ...brokerApi().accountView };
    },
    posting: async (id) => brokerApi().accountView.postings.find((posting) => posting.id === id),
  } satisfies Partial<FakeBrokerApi>;
}

function pageOf(brokerApi: FakeBrokerApi, query: JobQuery): JobPage {
  brokerApi.queries.push(query);
  const { limit = 100, after = "0", states } = query;
  const all = [...brokerApi.records.values()]
    .reverse()
    .filter(({ state }) => states?.includes(state) ?? true);
  const end = Number(after) + limit;
  return { items: all.slice(Number(after), end), next: end < all.length ? String(end) : undefined };
}

function removed(
  brokerApi: FakeBrokerApi,
  { site, by, isClean }: RemoveSiteRequest,
): Result<SiteRemovalReport, Refusal> {
  const refusal = brokerApi.refuse({ kind: "removeSite", site, by });
  if (refusal !== undefined) return refused(refusal);
  brokerApi.siteViews.delete(site);
  const folder = ["its folder"];
  return accepted(isClean ? { removed: folder, left: [] } : { removed: [], left: folder });
}

async function answer(brokerApi: FakeBrokerApi, command: Command): Promise<Answer> {
  const refusal = brokerApi.refuse(command);
  if (refusal !== undefined) return refused(refusal);
  if (command.kind === "submit") {
    const { job, description, consumer, owner } = command;
    if (brokerApi.records.has(job)) return refused({ kind: "idInUse", id: job });
    // Durable a moment later: what comes meanwhile must wait for it.
    await new Promise((resolve) => setTimeout(resolve, 1));
    brokerApi.put(job, { consumer, owner, description });
  }
  if (command.kind === "addSite") {
    const { site: name, spec } = command;
    if (brokerApi.siteViews.has(name)) return refused({ kind: "idInUse", id: name });
    brokerApi.siteViews.set(name, { ...local, name, spec, running: 0, waiting: 0, procsBusy: 0 });
  }
  if (command.kind === "drainSite" || command.kind === "reopenSite") {
    const there = brokerApi.siteViews.get(command.site) ?? local;
    brokerApi.siteViews.set(command.site, { ...there, isDraining: command.kind === "drainSite" });
  }
  actOnReservation(brokerApi, command);
  brokerApi.asked.push(command);
  return accepted(actOnPolicies(brokerApi, command));
}

const becomes = {
  acceptOffer: "ACCEPTED",
  cancelReservation: "CANCELLED",
  relinquish: "RELINQUISHED",
  extendReservation: "ACCEPTED",
} as const;

function actOnReservation(brokerApi: FakeBrokerApi, command: Command): void {
  if (command.kind === "offerSlot") {
    const { kind: _, reservation: id, ...request } = command;
    brokerApi.reservationRecords.set(id, { ...aReservation(id), ...requested(request) });
  }
  if (command.kind === "offerTogether") {
    for (const { reservation: id, ...request } of command.parts) {
      brokerApi.reservationRecords.set(id, {
        ...aReservation(id),
        ...requested(request),
        together: command.together,
      });
    }
  }
  if (!("reservation" in command) || command.kind === "offerSlot") return;
  const there = brokerApi.reservationRecords.get(command.reservation);
  if (there !== undefined)
    brokerApi.reservationRecords.set(there.id, { ...there, state: becomes[command.kind] });
}

/** A store is priced by the TiB, a link by the Gbit/s. */
function requested({
  resource,
  ticket,
  ...same
}: Omit<OfferRequest, "reservation">): Partial<ReservationRecord> {
  const request = { ...same, ...(ticket === undefined ? {} : { ticket: { ...ticket, heldMs: 0 } }) };
  if (resource === undefined) return request;
  return {
    ...request,
    resource: { ...resource, perProc: resource.kind === "store" ? 2 ** 40 : 125_000_000 },
  };
}

const local: SiteView = {
  name: "local",
  spec: {
    type: "managed",
    procs: 4,
    memoryBytes: 2 ** 34,
    discipline: "conservative",
    defaultWallTimeMs: 3_600_000,
  },
  running: 1,
  waiting: 2,
  procsBusy: 3,
  isDraining: false,
  seenAtMs: null,
  trouble: null,
  response: null,
};
