/**
 * A broker of plain objects: jobs that move only when a test says so.
 */
import { accepted, type Result, refused } from "../../src/base/index.ts";
import type { Advertisement, CompiledShares, PolicyVersion, SiteUsage } from "../../src/engine/index.ts";
import {
  type Command,
  type Explanation,
  type HostReport,
  JOB_DEFAULTS,
  type JobDescription,
  type JobRecord,
  type LivePrice,
  type OfferWish,
  type PriceTogether,
  type Refusal,
  type ReservationRecord,
  type ShareStep,
  type SiteCheck,
  type SiteLeavings,
  type SiteQuote,
  type TokenRecord,
  type VoRecord,
} from "../../src/model/index.ts";
import type {
  AccountView,
  ActionPage,
  ActionQuery,
  ChangeSharesWish,
  Door,
  HostView,
  JobPage,
  JobQuery,
  PoliciesNow,
  Prospect,
  ProspectQuestion,
  QuoteQuestion,
  RemoveSiteWish,
  ReservationQuery,
  SiteView,
  ThereExplained,
  ThereQueued,
  TogetherQuestion,
  UsageHistory,
  UsageHistoryQuestion,
  VirtualQuestion,
  VirtualQuote,
} from "../../src/runtime/index.ts";
import { clearFiles, filesOf } from "./fake-files.ts";
import { actOnPolicies, policing } from "./fake-policing.ts";
import { type FakeTickets, ticketing } from "./fake-tickets.ts";

/** A door, and the hands behind it. */
export interface FakeDoor extends Door, FakeTickets {
  readonly asked: Command[];
  readonly queries: JobQuery[];
  readonly records: Map<string, JobRecord>;
  readonly tokenRecords: Map<string, TokenRecord>;
  /** Sites by name; one of them, `local`, to begin with. */
  readonly siteViews: Map<string, SiteView>;
  /** Of which sites response times were to be said anew. */
  readonly refreshed: (readonly string[])[];
  /** The slots of every site. */
  slotsShown: Omit<Advertisement, "site">;
  /** Why a job of a site waits, by its id there. */
  explanationThere: ThereExplained | "notACluster";
  /** The queue of any site. */
  queuedThere: ThereQueued | "notACluster";
  /** What was asked of jobs that are only thought of, and what is answered. */
  readonly thoughtOf: ProspectQuestion[];
  prospects: readonly Prospect[];
  voRecords: readonly VoRecord[];
  /** Offers and reservations by id; what is asked of them changes their state, and nothing else. */
  readonly reservationRecords: Map<string, ReservationRecord>;
  readonly reservationQueries: ReservationQuery[];
  /** What slots cost, whatever is asked; and what was asked. */
  siteQuotes: readonly SiteQuote[];
  readonly quoteQuestions: QuoteQuestion[];
  pricesTogether: readonly PriceTogether[];
  readonly togetherQuestions: TogetherQuestion[];
  extensionPrice: LivePrice | undefined;
  /** What virtual reservations could be made, whatever is asked; and what was asked. */
  virtualQuotes: readonly VirtualQuote[];
  readonly virtualQuestions: VirtualQuestion[];
  /** The versions that hold and will; applying adds one that holds. Enforcers only pause and go on. */
  policiesNow: PoliciesNow;
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
  readonly shareWishes: ChangeSharesWish[];
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
  /** Answers a wish with a "no", or throws. */
  refuse: (command: Command) => Refusal | undefined;
  explanation: Explanation | undefined;
  /** Puts a job there. */
  put(id: string, change?: Partial<JobRecord>, description?: Partial<JobDescription>): JobRecord;
  /** Changes a job and tells of it. */
  change(id: string, change: Partial<JobRecord>): void;
  write(id: string, name: string, text: string): void;
}

/** An empty broker with one site. */
export function fakeDoor(): FakeDoor {
  const listeners = new Set<(record: JobRecord) => void>();
  const records = new Map<string, JobRecord>();
  const contents = new Map<string, Buffer>();
  const door: FakeDoor = {
    asked: [],
    queries: [],
    records,
    tokenRecords: new Map(),
    slotsShown: {
      ...{ sequence: 7, atMs: 0, slots: [], resources: [] },
      priceBook: { unitPriceThousandths: 1500, transactionProcMs: 3_600_000 },
    },
    explanationThere: "notACluster",
    queuedThere: "notACluster",
    thoughtOf: [],
    prospects: [],
    voRecords: [],
    vos: () => door.voRecords,
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
      const record = { ...(records.get(id) ?? door.put(id)), ...change };
      records.set(id, record);
      for (const listener of listeners) listener(record);
    },
    write(id, name, text) {
      const key = `${id}/${name}`;
      contents.set(key, Buffer.concat([contents.get(key) ?? Buffer.alloc(0), Buffer.from(text)]));
    },
    ask: (command) => answer(door, command),
    job: async (id) => records.get(id),
    idsBeginning: async (prefix, limit) =>
      [...records.keys()].filter((id) => id.startsWith(prefix)).slice(0, limit),
    jobs: async (query) => pageOf(door, query),
    explain: async () => door.explanation,
    explainThere: async () => door.explanationThere,
    queueThere: async () => door.queuedThere,
    async assess(question) {
      door.thoughtOf.push(question);
      return door.prospects;
    },
    ...market(() => door),
    ...policing(() => door),
    ...siteCare(() => door),
    ...ticketing(),
    tokens: () => [...door.tokenRecords.values()],
    token: (id) => door.tokenRecords.get(id),
    async readFile(id, { name, fromByte, maxBytes }) {
      const content = contents.get(`${id}/${name}`);
      if (content === undefined) return undefined;
      return { bytes: content.subarray(fromByte, fromByte + maxBytes), sizeBytes: content.length };
    },
    listFiles: async (id) => filesOf(contents, id),
    clearFiles: async (id) => clearFiles(contents, id, await door.job(id)),
    onJobChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return door;
}

/** What is about sites: one of them to begin with. */
function siteCare(door: () => FakeDoor) {
  return {
    siteViews: new Map([[local.name, local]]),
    refreshed: [],
    testSite: async (which) =>
      typeof which !== "string" || door().siteViews.has(which) ? door().checks : undefined,
    removeSite: async (wish) => removed(door(), wish),
    sites: () => [...door().siteViews.values()],
    async refreshResponseTimes(sites) {
      door().refreshed.push(sites ?? [...door().siteViews.keys()]);
    },
    slots: async (site) => (door().siteViews.has(site) ? { site, ...door().slotsShown } : undefined),
  } satisfies Partial<FakeDoor>;
}

/** What is about prices, reservations and accounts: nothing, until a test says so. */
function market(door: () => FakeDoor) {
  return {
    reservationRecords: new Map(),
    reservationQueries: [],
    siteQuotes: [],
    quoteQuestions: [],
    pricesTogether: [],
    togetherQuestions: [],
    extensionPrice: undefined,
    virtualQuotes: [],
    virtualQuestions: [],
    accountView: { levels: [], sites: [], postings: [] },
    accountsAsked: [],
    async quote(question) {
      door().quoteQuestions.push(question);
      return door().siteQuotes;
    },
    async quoteTogether(question) {
      door().togetherQuestions.push(question);
      return door().pricesTogether;
    },
    async quoteVirtual(question) {
      door().virtualQuestions.push(question);
      return door().virtualQuotes;
    },
    reservation: async (id) => door().reservationRecords.get(id),
    async reservations(query) {
      door().reservationQueries.push(query);
      const { owner } = query;
      const all = [...door().reservationRecords.values()].reverse();
      const items = all.filter((record) => owner === undefined || record.owner === owner);
      return { items: items.slice(0, query.limit ?? 100), next: undefined };
    },
    quoteExtension: async () => door().extensionPrice,
    async account(consumer, site) {
      door().accountsAsked.push([consumer, site]);
      return { consumer, ...door().accountView };
    },
    posting: async (id) => door().accountView.postings.find((posting) => posting.id === id),
  } satisfies Partial<FakeDoor>;
}

function pageOf(door: FakeDoor, query: JobQuery): JobPage {
  door.queries.push(query);
  const { limit = 100, after = "0", states } = query;
  const all = [...door.records.values()].reverse().filter(({ state }) => states?.includes(state) ?? true);
  const end = Number(after) + limit;
  return { items: all.slice(Number(after), end), next: end < all.length ? String(end) : undefined };
}

function removed(door: FakeDoor, { site, by, isClean }: RemoveSiteWish): Result<SiteLeavings, Refusal> {
  const refusal = door.refuse({ kind: "removeSite", site, by });
  if (refusal !== undefined) return refused(refusal);
  door.siteViews.delete(site);
  const folder = ["its folder"];
  return accepted(isClean ? { removed: folder, left: [] } : { removed: [], left: folder });
}

async function answer(door: FakeDoor, command: Command): Promise<Result<undefined, Refusal>> {
  const refusal = door.refuse(command);
  if (refusal !== undefined) return refused(refusal);
  if (command.kind === "submit") {
    const { job, description, consumer, owner } = command;
    if (door.records.has(job)) return refused({ kind: "idInUse", id: job });
    // Durable a moment later: what comes meanwhile must wait for it.
    await new Promise((resolve) => setTimeout(resolve, 1));
    door.put(job, { consumer, owner, description });
  }
  if (command.kind === "addSite") {
    const { site: name, spec } = command;
    if (door.siteViews.has(name)) return refused({ kind: "idInUse", id: name });
    door.siteViews.set(name, { ...local, name, spec, running: 0, waiting: 0, procsBusy: 0 });
  }
  if (command.kind === "drainSite" || command.kind === "reopenSite") {
    const there = door.siteViews.get(command.site) ?? local;
    door.siteViews.set(command.site, { ...there, isDraining: command.kind === "drainSite" });
  }
  actOnReservation(door, command);
  actOnPolicies(door, command);
  door.asked.push(command);
  return accepted(undefined);
}

const becomes = {
  acceptOffer: "ACCEPTED",
  cancelReservation: "CANCELLED",
  relinquish: "RELINQUISHED",
  extendReservation: "ACCEPTED",
} as const;

function actOnReservation(door: FakeDoor, command: Command): void {
  if (command.kind === "offerSlot") {
    const { kind: _, reservation: id, ...wish } = command;
    door.reservationRecords.set(id, { ...aReservation(id), ...wished(wish) });
  }
  if (command.kind === "offerTogether") {
    for (const { reservation: id, ...wish } of command.parts) {
      door.reservationRecords.set(id, {
        ...aReservation(id),
        ...wished(wish),
        together: command.together,
      });
    }
  }
  if (!("reservation" in command) || command.kind === "offerSlot") return;
  const there = door.reservationRecords.get(command.reservation);
  if (there !== undefined) door.reservationRecords.set(there.id, { ...there, state: becomes[command.kind] });
}

/** A store is priced by the TiB, a link by the Gbit/s. */
function wished({ resource, ticket, ...same }: Omit<OfferWish, "reservation">): Partial<ReservationRecord> {
  const wish = { ...same, ...(ticket === undefined ? {} : { ticket: { ...ticket, heldMs: 0 } }) };
  if (resource === undefined) return wish;
  return { ...wish, resource: { ...resource, perProc: resource.kind === "store" ? 2 ** 40 : 125_000_000 } };
}

/** An offer of four processors for an hour at 08:00, which costs 4 SU and 2 SU for delays. */
export function aReservation(id: string, change: Partial<ReservationRecord> = {}): ReservationRecord {
  return {
    ...{ id, site: "local", consumer: "local/me", owner: "me", state: "OFFERED", order: 1 },
    ...{ procs: 4, memoryBytes: 0, startMs: Date.UTC(2026, 10, 20, 8), durationMs: 3_600_000 },
    ...{ baseProcMs: 14_400_000, fixedProcMs: 7_200_000, delaysJobs: 1, delayProcMs: 7_200_000 },
    ...{ unitPriceThousandths: 1000, transactionProcMs: 0, penaltyPpm: 100_000, basePenaltyPpm: 0 },
    ...{ expiresAtMs: Date.UTC(2026, 10, 20, 7, 1), siteReservation: null, together: null, isUsed: false },
    ...{ penaltyProcMs: 0, refundProcMs: 0 },
    history: [{ state: "OFFERED", atMs: Date.UTC(2026, 10, 20, 7), by: "me", why: null }],
    ...change,
  };
}

/** A start at 08:00 that costs 4 SU and 2 SU for delays. */
export function aPrice(change: Partial<LivePrice> = {}): LivePrice {
  return {
    startMs: Date.UTC(2026, 10, 20, 8),
    ...{ unitPriceThousandths: 1000, transactionProcMs: 0, baseProcMs: 14_400_000, fixedProcMs: 7_200_000 },
    rules: [{ rule: null, unitPriceThousandths: 1000, durationMs: 3_600_000 }],
    ...{ delaysJobs: 1, delayProcMs: 7_200_000 },
    delays: { jobs: 1, totalMs: 1_800_000, worstMs: 1_800_000, ownJobs: 0 },
    hindrance: null,
    ...change,
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

function recordOf(id: string, age: number): JobRecord {
  return {
    id,
    state: "WAITING",
    description: { ...JOB_DEFAULTS, executable: "true" },
    consumer: "local/me",
    owner: "me",
    submittedAtMs: Date.UTC(2026, 10, 20, 8) + age,
    order: age,
    restMs: 0,
    attempt: 0,
    site: null,
    siteJob: null,
    startDecidedAtMs: null,
    startedAtMs: null,
    endedAtMs: null,
    result: null,
    ...{ exitCode: null, signal: null, isTimeLimit: false, cpuMs: null },
    isCancelRequested: false,
    abortReason: null,
  };
}
