/** The calls of a client by subject, whatever connection carries them. */
import type { JobSubmission, Keyed } from "../../contract/index.ts";
import type { JobVerb } from "../../model/index.ts";
import type { BodyOf, QueryOf } from "../operations.ts";
import type { Call } from "./call.ts";

/** Consumer of submitted jobs, and idempotency key. */
interface SubmitOptions extends Keyed {
  readonly for?: string;
  /** Called with each note on a part of the request that this broker does not carry out, such as mail. */
  readonly noted?: (note: string) => void;
}

/** All calls that are one request and one response. */
export function callsBy(call: Call) {
  return {
    ...jobCalls(call),
    ...siteCalls(call),
    ...reservationCalls(call),
    ...policyCalls(call),
    ...organisationCalls(call),
    ...tokenCalls(call),
  };
}

async function items<Item>(list: Promise<{ readonly items: readonly Item[] }>): Promise<readonly Item[]> {
  return (await list).items;
}

function jobCalls(call: Call) {
  return {
    /**
     * Submits all descriptions; rejects with the first refusal. @returns ids in the order of the descriptions
     */
    async submit(
      jobs: readonly JobSubmission[],
      { for: whose, noted, ...key }: SubmitOptions = {},
    ): Promise<string[]> {
      if (jobs.length === 0) return [];
      const [first] = jobs;
      const body = jobs.length === 1 && first !== undefined ? first : jobs;
      const query = whose === undefined ? {} : { for: whose };
      const { ids, notes = [] } = await call("submitJobs", { query, body }, key);
      for (const note of notes) noted?.(note);
      return [...ids];
    },
    /** Predicts where and when a job would start; submits nothing. */
    assess: (body: BodyOf<"assessJob">) => call("assessJob", { body }),
    /** Matches a job with every site; submits nothing. */
    match: (body: BodyOf<"matchJob">) => call("matchJob", { body }),
    arrays: (query: QueryOf<"listArrays"> = {}) => call("listArrays", { query }),
    array: (id: string) => call("getArray", { params: { id } }),
    /** Acts on all jobs of an array to which the verb applies. @returns the array, and how many it were */
    actOnArray: (id: string, verb: JobVerb) => call(`${verb}Array`, { params: { id } }),
    /** Submits a DAG. @returns its id */
    async submitDag(body: BodyOf<"submitDag">, { for: whose, ...key }: SubmitOptions = {}): Promise<string> {
      const query = whose === undefined ? {} : { for: whose };
      return (await call("submitDag", { query, body }, key)).ids[0] ?? "";
    },
    dags: (query: QueryOf<"listDags"> = {}) => call("listDags", { query }),
    dag: (id: string) => call("getDag", { params: { id } }),
    /** Acts on a DAG, or on nodes of it. @returns the DAG, and how many nodes and jobs were changed */
    actOnDag: (id: string, verb: JobVerb | "retry", node?: readonly string[]) =>
      call(`${verb}Dag`, { params: { id }, query: node === undefined ? {} : { node } }),
    job: (id: string) => call("getJob", { params: { id } }),
    provenance: (id: string) => call("getProvenance", { params: { id } }),
    jobs: (query: QueryOf<"listJobs"> = {}) => call("listJobs", { query }),
    /** Sums of the jobs that the caller may see, by groups. */
    report: (query: QueryOf<"reportJobs"> = {}) => call("reportJobs", { query }),
    /** Events of the log that the caller may see; see `next` and `head` of a page. */
    events: (query: QueryOf<"listEvents"> = {}) => call("listEvents", { query }),
    async act(id: string, verb: JobVerb): Promise<void> {
      await call(`${verb}Job`, { params: { id } });
    },
    /** Changes a waiting job. @returns the job afterwards */
    edit: (id: string, body: BodyOf<"editJob">) => call("editJob", { params: { id }, body }),
    why: (id: string) => call("explainJob", { params: { id } }),
    /** Explains why a job of a cluster waits, by its id there. */
    whyThere: (name: string, siteJob: string) => call("explainSiteJob", { params: { name, siteJob } }),
    /** The queue of a cluster as the lines of a workload file. */
    queueThere: (name: string) => call("readSiteQueue", { params: { name } }),
    files: (id: string) => items(call("listFiles", { params: { id } })),
    /** Removes the files of an ended job at its site. @returns the remaining files */
    clearFiles: (id: string) => items(call("clearFiles", { params: { id } })),
    /** Removes the files of an ended job, and marks it as PURGED. @returns the job afterwards */
    purgeJob: (id: string) => call("purgeJob", { params: { id } }),
  };
}

function siteCalls(call: Call) {
  return {
    sites: () => items(call("listSites")),
    site: (name: string) => call("getSite", { params: { name } }),
    /** Adds a site; a site of the same spec is no error. */
    addSite: (body: BodyOf<"addSite">, key: Keyed = {}) => call("addSite", { body }, key),
    /** Drains a site. @returns the site afterwards */
    drainSite: (name: string) => call("drainSite", { params: { name } }),
    reopenSite: (name: string) => call("reopenSite", { params: { name } }),
    /** Tests a site; takes some seconds. */
    testSite: (name: string) => call("testSite", { params: { name } }),
    /** Tests a site that is not added. */
    testSiteSpec: (spec: BodyOf<"testSiteSpec">["spec"]) => call("testSiteSpec", { body: { spec } }),
    /** Removes a site without jobs; with `clean` also our files there. */
    removeSite: (name: string, { clean = false } = {}) =>
      call("removeSite", { params: { name }, query: clean ? { clean } : {} }),
    /** Ended, running and waiting jobs, and reservations, of a site. */
    schedule: (name: string, query: QueryOf<"getSiteSchedule"> = {}) =>
      call("getSiteSchedule", { params: { name }, query }),
    slots: (name: string) => call("getSiteSlots", { params: { name } }),
    /** The slots of every site that the caller may see. */
    allSlots: () => items(call("listSlots")),
    /** The sites that take jobs now, as planners of workflows take them. */
    platform: (site?: readonly string[]) =>
      call("getPlatform", { query: site === undefined ? {} : { site } }),
    /** Reserves what a plan needs, all of it or nothing, and executes its workflow. */
    startWorkflow: (body: BodyOf<"startWorkflow">, key: Keyed = {}) => call("startWorkflow", { body }, key),
    workflows: () => items(call("listWorkflows")),
    workflow: (id: string) => call("getWorkflow", { params: { id } }),
    cancelWorkflow: (id: string) => call("cancelWorkflow", { params: { id } }),
    /** Goes on with a workflow that failed or was cancelled; what is done stays done. */
    continueWorkflow: (id: string) => call("continueWorkflow", { params: { id } }),
  };
}

function reservationCalls(call: Call) {
  return {
    /** Prices of a slot; holds and records nothing. */
    quote: (body: BodyOf<"quoteSlot">) => call("quoteSlot", { body }),
    /** Makes an offer of a slot at its current price. */
    offer: (body: BodyOf<"offerSlot">, key: Keyed = {}) => call("offerSlot", { body }, key),
    /** Starts at which all slots are possible, with their prices. */
    quoteCoReservation: (body: BodyOf<"quoteTogether">) => call("quoteTogether", { body }),
    /** Makes offers of all slots or none. */
    offerCoReservation: (body: BodyOf<"offerTogether">, key: Keyed = {}) =>
      call("offerTogether", { body }, key),
    /** Plans of a virtual reservation: its submission and its probability, by site. */
    quoteVirtualReservation: (body: BodyOf<"quoteVirtual">) => call("quoteVirtual", { body }),
    /** Makes a virtual reservation at the site that a quote would choose. */
    reserveVirtually: (body: BodyOf<"reserveVirtual">, key: Keyed = {}) =>
      call("reserveVirtual", { body }, key),
    /** Accepts an offer. */
    accept: (id: string) => call("acceptOffer", { params: { id } }),
    /** Withdraws an offer, or cancels a future reservation for its penalty. */
    cancelReservation: (id: string) => call("cancelReservation", { params: { id } }),
    /** Ends an active reservation and refunds the rest. */
    relinquish: (id: string) => call("relinquishReservation", { params: { id } }),
    /** Price of an extension. */
    quoteExtension: (id: string, moreSec: number) =>
      call("quoteExtension", { params: { id }, query: { moreSec } }),
    extend: (id: string, body: BodyOf<"extendReservation">) =>
      call("extendReservation", { params: { id }, body }),
    reservation: (id: string) => call("getReservation", { params: { id } }),
    reservations: (query: QueryOf<"listReservations"> = {}) => call("listReservations", { query }),
    /** Accounts of a consumer (the caller's own where absent). */
    account: (query: QueryOf<"getAccounts"> = {}) => call("getAccounts", { query }),
    /** Grants SU to a consumer at a site. */
    grant: (body: BodyOf<"grant">, key: Keyed = {}) => call("grant", { body }, key),
  };
}

function policyCalls(call: Call) {
  return {
    policies: () => call("getPolicies"),
    policyVersions: () => items(call("listPolicyVersions")),
    /** Applies policies. @param options `onVersion`: the version that they are based on; any where absent */
    applyPolicies: (body: BodyOf<"applyPolicies">, { onVersion }: { readonly onVersion?: number } = {}) =>
      call("applyPolicies", { body }, { onVersion }),
    enforcementActions: (query: QueryOf<"listEnforcementActions"> = {}) =>
      call("listEnforcementActions", { query }),
    /** Follows the policies for sites of another broker. @returns current and future policies */
    followPolicies: (name: string, body: BodyOf<"followPolicies">) =>
      call("followPolicies", { params: { name }, body }),
    async unfollowPolicies(name: string): Promise<void> {
      await call("unfollowPolicies", { params: { name } });
    },
    siteUsage: (name: string) => call("getSiteUsage", { params: { name } }),
    compiledPolicies: (name: string) => call("compilePolicies", { params: { name } }),
    /** Changes the cluster's own shares to match the current policies. */
    applyCompiledPolicies: (name: string) => call("applyCompiledPolicies", { params: { name } }),
    /** Undoes these changes; `force`: also later changes by others. */
    takeBackCompiledPolicies: (name: string, force: boolean) =>
      call("takeBackCompiledPolicies", { params: { name }, query: force ? { force } : {} }),
    pauseEnforcement: (name: string) => call("pauseEnforcement", { params: { name } }),
    continueEnforcement: (name: string) => call("continueEnforcement", { params: { name } }),
    /** Undoes the actions of an enforcer on a job, and exempts the job. */
    async undoEnforcement(id: string): Promise<void> {
      await call("undoEnforcement", { params: { id } });
    },
  };
}

function organisationCalls(call: Call) {
  return {
    /** Active jobs that this broker has sent to clusters. */
    dispatches: () => call("listDispatches"),
    peers: () => items(call("listPeers")),
    /** Counts the report of another broker; `name` is its name here. */
    hearPeer: (name: string, body: BodyOf<"hearPeer">) => call("hearPeer", { params: { name }, body }),
    async forgetPeer(name: string): Promise<void> {
      await call("forgetPeer", { params: { name } });
    },
    /** Tickets whose use the caller may see. */
    tickets: () => items(call("listTickets")),
    /** Checks whether a ticket would be accepted now; records nothing. */
    checkTicket: (ticket: string) => call("checkTicket", { body: { ticket } }),
    /** Trusted and revoked keys. */
    ticketKeys: () => items(call("listTicketKeys")),
    trustTicketKey: (body: BodyOf<"trustTicketKey">) => call("trustTicketKey", { body }),
    /** Revokes a key. @returns the key afterwards */
    revokeTicketKey: (id: string) => call("revokeTicketKey", { params: { id } }),
    /** Organisations with settings that the caller may see. */
    vos: () => items(call("listVos")),
    vo: (name: string) => call("getVo", { params: { name } }),
    /** Replaces the settings of an organisation. @returns the organisation afterwards */
    changeVo: (name: string, body: BodyOf<"changeVo">) => call("changeVo", { params: { name }, body }),
    usageHistory: (name: string, query: QueryOf<"getUsageHistory"> = {}) =>
      call("getUsageHistory", { params: { name }, query }),
    /** @param query period of the history; none where absent */
    hosts: (name: string, query: QueryOf<"listHosts"> = {}) =>
      items(call("listHosts", { params: { name }, query })),
    /** Reports the readings of a sensor; repeated ones count once. */
    reportHost: (body: BodyOf<"reportHost">) => call("reportHost", { body }),
  };
}

function tokenCalls(call: Call) {
  return {
    /** Makes a token; only this response has its secret. */
    createToken: (body: BodyOf<"createToken">) => call("createToken", { body }),
    tokens: () => items(call("listTokens")),
    /** Revokes a token. @returns the token afterwards */
    revokeToken: (id: string) => call("revokeToken", { params: { id } }),
  };
}
