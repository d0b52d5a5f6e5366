/**
 * The typed client of the REST API: what the command line and other programs use.
 */
import type { JobSubmission, JobView, Keyed, SlotSetView } from "../../contract/index.ts";
import type { JobVerb } from "../../model/index.ts";
import type { BodyOf, QueryOf } from "../operations.ts";
import { type Call, callOver, pathOf } from "./call.ts";
import { connect } from "./connection.ts";
import { followFile, watchJob, watchSlots } from "./following.ts";
import type { ClientOptions, ReadOptions } from "./options.ts";

const defaultPatienceMs = 30_000;

/**
 * A broker as a program sees it. Ids may be abbreviated while unique. Everything rejects with a
 * `Fault`: `serverUnreachable` (kind `unreachable`) where nobody answers, else what the server said.
 */
export type StintClient = ReturnType<typeof createClient>;

/** On whose behalf jobs are submitted, and under which key. */
interface SubmitOptions extends Keyed {
  readonly for?: string;
}

/** A client of a broker; connects when it is first used. @throws Fault `urlWrong` */
export function createClient({ patienceMs = defaultPatienceMs, ...place }: ClientOptions) {
  const connection = connect(place);
  const call = callOver(connection);
  return {
    /** Any operation of the API by its name. */
    call,
    ...jobCalls(call),
    ...siteCalls(call),
    ...reservationCalls(call),
    ...policyCalls(call),
    ...organisationCalls(call),
    ...tokenCalls(call),
    /**
     * Tells of the job now and on every change; resolves with the final record. Reconnects when the
     * connection breaks; rejects when the server stays away, and at once when `signal` aborts.
     */
    watch(id: string, onChange: (job: JobView) => void, signal?: AbortSignal): Promise<JobView> {
      const path = pathOf("watchJob", { params: { id } });
      return watchJob(connection, { path, patienceMs, onChange, signal });
    },
    /** The file's bytes as they come. */
    readFile(id: string, name: string, options: ReadOptions = {}): AsyncIterable<Uint8Array> {
      const path = pathOf("readFile", { params: { id, name } });
      return followFile(connection, { ...options, path, patienceMs });
    },
    /** Tells of a site's slots now, after every change, and every minute; rejects as `watch` does. */
    watchSlots(name: string, onChange: (slots: SlotSetView) => void, signal?: AbortSignal): Promise<void> {
      const path = pathOf("watchSiteSlots", { params: { name } });
      return watchSlots(connection, { path, patienceMs, onChange, signal });
    },
    /** Resolves when the broker answers. */
    async health(): Promise<{ readonly status: "ok" }> {
      return (await connection.json({ method: "GET", path: "/healthz", isRepeatable: true })) as {
        status: "ok";
      };
    },
    /** Closes idle connections. */
    close: () => connection.close(),
  };
}

async function items<Item>(list: Promise<{ readonly items: readonly Item[] }>): Promise<readonly Item[]> {
  return (await list).items;
}

function jobCalls(call: Call) {
  return {
    /** Submits all, or tells of the first that is refused; ids in the order of the descriptions. */
    async submit(
      jobs: readonly JobSubmission[],
      { for: whose, ...key }: SubmitOptions = {},
    ): Promise<string[]> {
      if (jobs.length === 0) return [];
      const [first] = jobs;
      const body = jobs.length === 1 && first !== undefined ? first : jobs;
      const query = whose === undefined ? {} : { for: whose };
      return [...(await call("submitJobs", { query, body }, key)).ids];
    },
    /** Where and when a job would start; nothing is submitted. */
    assess: (body: BodyOf<"assessJob">) => items(call("assessJob", { body })),
    job: (id: string) => call("getJob", { params: { id } }),
    jobs: (query: QueryOf<"listJobs"> = {}) => call("listJobs", { query }),
    async act(id: string, verb: JobVerb): Promise<void> {
      await call(`${verb}Job`, { params: { id } });
    },
    why: (id: string) => call("explainJob", { params: { id } }),
    /** Why a job of a cluster waits, by its id there. */
    whyThere: (name: string, siteJob: string) => call("explainSiteJob", { params: { name, siteJob } }),
    /** The queue of a cluster as the lines of a workload file. */
    queueThere: (name: string) => call("readSiteQueue", { params: { name } }),
    files: (id: string) => items(call("listFiles", { params: { id } })),
    /** Removes what a job that is over has left at its site; gives what is there still. */
    clearFiles: (id: string) => items(call("clearFiles", { params: { id } })),
  };
}

function siteCalls(call: Call) {
  return {
    sites: () => items(call("listSites")),
    site: (name: string) => call("getSite", { params: { name } }),
    /** Adding a site that is there with the same spec is no mistake. */
    addSite: (body: BodyOf<"addSite">, key: Keyed = {}) => call("addSite", { body }, key),
    /** No new job goes there any more; gives the site as it then is. */
    drainSite: (name: string) => call("drainSite", { params: { name } }),
    reopenSite: (name: string) => call("reopenSite", { params: { name } }),
    /** Tries what works at a site; takes some seconds. */
    testSite: (name: string) => call("testSite", { params: { name } }),
    /** The same of a site that is not added. */
    testSiteSpec: (spec: BodyOf<"testSiteSpec">["spec"]) => call("testSiteSpec", { body: { spec } }),
    /** Removes a site at which no job is; with `clean` also what is ours there. */
    removeSite: (name: string, { clean = false } = {}) =>
      call("removeSite", { params: { name }, query: clean ? { clean } : {} }),
    slots: (name: string) => call("getSiteSlots", { params: { name } }),
    /** The slots of every site that the caller may see. */
    allSlots: () => items(call("listSlots")),
  };
}

function reservationCalls(call: Call) {
  return {
    /** What a slot costs; nothing is kept aside and nothing recorded. */
    quote: (body: BodyOf<"quoteSlot">) => call("quoteSlot", { body }),
    /** Keeps a slot aside for a moment, at its price of now. */
    offer: (body: BodyOf<"offerSlot">, key: Keyed = {}) => call("offerSlot", { body }, key),
    /** The starts at which all can be had, and their prices. */
    quoteCoReservation: (body: BodyOf<"quoteTogether">) => call("quoteTogether", { body }),
    /** Keeps them aside for a moment, all or none. */
    offerCoReservation: (body: BodyOf<"offerTogether">, key: Keyed = {}) =>
      call("offerTogether", { body }, key),
    /** When its job would be submitted, and how surely it runs then. */
    quoteVirtualReservation: (body: BodyOf<"quoteVirtual">) => call("quoteVirtual", { body }),
    /** Makes one, at the site that a quote would choose. */
    reserveVirtually: (body: BodyOf<"reserveVirtual">, key: Keyed = {}) =>
      call("reserveVirtual", { body }, key),
    /** Makes an offer a reservation. */
    accept: (id: string) => call("acceptOffer", { params: { id } }),
    /** Withdraws an offer, or cancels a reservation that has not begun, with its penalty. */
    cancelReservation: (id: string) => call("cancelReservation", { params: { id } }),
    /** Gives back what is left of an active reservation. */
    relinquish: (id: string) => call("relinquishReservation", { params: { id } }),
    /** What more time costs. */
    quoteExtension: (id: string, moreSec: number) =>
      call("quoteExtension", { params: { id }, query: { moreSec } }),
    extend: (id: string, body: BodyOf<"extendReservation">) =>
      call("extendReservation", { params: { id }, body }),
    reservation: (id: string) => call("getReservation", { params: { id } }),
    reservations: (query: QueryOf<"listReservations"> = {}) => call("listReservations", { query }),
    /** How the accounts of a consumer (the caller's own where absent) stand. */
    account: (query: QueryOf<"getAccounts"> = {}) => call("getAccounts", { query }),
    /** Gives a consumer SU at a site. */
    grant: (body: BodyOf<"grant">, key: Keyed = {}) => call("grant", { body }, key),
  };
}

function policyCalls(call: Call) {
  return {
    policies: () => call("getPolicies"),
    policyVersions: () => items(call("listPolicyVersions")),
    /** @param options `onVersion`: the version that they were made on; any where absent */
    applyPolicies: (body: BodyOf<"applyPolicies">, { onVersion }: { readonly onVersion?: number } = {}) =>
      call("applyPolicies", { body }, { onVersion }),
    enforcementActions: (query: QueryOf<"listEnforcementActions"> = {}) =>
      call("listEnforcementActions", { query }),
    /** Keeps the policies for sites elsewhere; answers what holds and will. */
    followPolicies: (name: string, body: BodyOf<"followPolicies">) =>
      call("followPolicies", { params: { name }, body }),
    async unfollowPolicies(name: string): Promise<void> {
      await call("unfollowPolicies", { params: { name } });
    },
    siteUsage: (name: string) => call("getSiteUsage", { params: { name } }),
    compiledPolicies: (name: string) => call("compilePolicies", { params: { name } }),
    /** Changes the cluster's own shares to the policies that hold. */
    applyCompiledPolicies: (name: string) => call("applyCompiledPolicies", { params: { name } }),
    /** Takes back what was changed so; `force`: also what somebody else has changed since. */
    takeBackCompiledPolicies: (name: string, force: boolean) =>
      call("takeBackCompiledPolicies", { params: { name }, query: force ? { force } : {} }),
    pauseEnforcement: (name: string) => call("pauseEnforcement", { params: { name } }),
    continueEnforcement: (name: string) => call("continueEnforcement", { params: { name } }),
    /** Reverses what an enforcer did to a job, and has it left alone. */
    async undoEnforcement(id: string): Promise<void> {
      await call("undoEnforcement", { params: { id } });
    },
  };
}

function organisationCalls(call: Call) {
  return {
    /** What this broker has sent to clusters. */
    dispatches: () => call("listDispatches"),
    peers: () => items(call("listPeers")),
    /** Has what another broker told counted here; `name` is what it is called here. */
    hearPeer: (name: string, body: BodyOf<"hearPeer">) => call("hearPeer", { params: { name }, body }),
    async forgetPeer(name: string): Promise<void> {
      await call("forgetPeer", { params: { name } });
    },
    /** Those whose use the caller may see. */
    tickets: () => items(call("listTickets")),
    /** Whether a ticket's line would be taken now; nothing is recorded. */
    checkTicket: (ticket: string) => call("checkTicket", { body: { ticket } }),
    /** All that were ever trusted. */
    ticketKeys: () => items(call("listTicketKeys")),
    trustTicketKey: (body: BodyOf<"trustTicketKey">) => call("trustTicketKey", { body }),
    /** Gives the key as it then is. */
    revokeTicketKey: (id: string) => call("revokeTicketKey", { params: { id } }),
    /** Those that have said something, and that the caller may see. */
    vos: () => items(call("listVos")),
    vo: (name: string) => call("getVo", { params: { name } }),
    /** Says all of it anew; gives how it then is. */
    changeVo: (name: string, body: BodyOf<"changeVo">) => call("changeVo", { params: { name }, body }),
    usageHistory: (name: string, query: QueryOf<"getUsageHistory"> = {}) =>
      call("getUsageHistory", { params: { name }, query }),
    /** @param query the period of their course; none where absent */
    hosts: (name: string, query: QueryOf<"listHosts"> = {}) =>
      items(call("listHosts", { params: { name }, query })),
    /** Sent again it counts once. */
    reportHost: (body: BodyOf<"reportHost">) => call("reportHost", { body }),
  };
}

function tokenCalls(call: Call) {
  return {
    /** Its secret is said once. */
    createToken: (body: BodyOf<"createToken">) => call("createToken", { body }),
    tokens: () => items(call("listTokens")),
    /** Gives the token as it then is. */
    revokeToken: (id: string) => call("revokeToken", { params: { id } }),
  };
}
