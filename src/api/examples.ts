/**
 * An example body for each operation with one, for the OpenAPI document. A missing or ill-typed one does not
 * compile; a test validates each by its schema.
 */
import type { Given, Of, OPERATIONS, OperationId } from "./operations.ts";

type Asked = {
  [Id in OperationId]: (typeof OPERATIONS)[Id] extends { readonly body: Of<unknown> } ? Id : never;
}[OperationId];
type BodyOf<Id extends Asked> = Given<Id> extends { readonly body: infer Body } ? Body : never;

const slot = { procs: 16, durationSec: 7200 };
const earliest = "2026-11-20T12:00:00Z";
const parts = [
  { site: "elm", procs: 16 },
  { site: "oak", procs: 8 },
];

/** Example bodies by the name of the operation. */
export const EXAMPLES: { readonly [Id in Asked]: BodyOf<Id> } = {
  submitJobs: {
    executable: "sh",
    arguments: ["-c", "uname -a > machine.txt"],
    outputSandbox: ["machine.txt"],
    procs: 1,
    memoryBytes: 536_870_912,
    wallTimeSec: 600,
    userTags: { run: "7" },
  },
  submitDag: {
    name: "night",
    nodes: [
      { name: "prepare", description: { executable: "prepare", wallTimeSec: 600 }, retries: 2 },
      { name: "solve", description: { executable: "solve", procs: 16 }, parents: ["prepare"] },
    ],
    maxRunning: 10,
  },
  signIn: { token: `stint_${"a".repeat(12)}_${"A".repeat(43)}` },
  writeTerminal: { writer: "window-1", at: 6, data: "bHMgLWwN", rows: 24, columns: 80 },
  checkJobs: { text: "executable: hostname\nwallTime: 10m\n" },
  assessJob: { procs: 16, wallTimeSec: 3600, deadline: "2026-11-20T18:00:00Z" },
  callForBids: { procs: 16, wallTimeSec: 3600, alpha: 0.5 },
  archiveEvents: { olderThanSec: 7_776_000 },
  addReplica: { name: "/cms/run7/hits.root", bytes: 4_294_967_296, site: "elm", store: "disk" },
  createWebhook: { url: "https://hooks.example.org/stint", kinds: ["attemptEnded"] },
  matchJob: { procs: 16, requirements: 'other.GlueCEInfoLRMSType == "slurm"' },
  decideScouts: { use: true },
  editJob: { procs: 8, wallTimeSec: 7200 },
  createToken: { role: "user", consumer: "cms/higgs/ann", label: "notebook" },
  addSite: { name: "elm", spec: { type: "simulated", procs: 64, discipline: "easy", jobs: "imitate" } },
  planWorkflow: {
    text: "tasks:\n  - { id: fetch, runtime: 10m }\n  - { id: sum, runtime: 1h, parents: [fetch] }\n",
    deadlineSec: 7200,
  },
  startWorkflow: {
    ...{
      name: "survey",
      beginAt: earliest,
      reservations: [{ site: "elm", procs: 2, startSec: 0, endSec: 900 }],
    },
    tasks: [
      {
        ...{ id: "fetch", runtimeSec: 300, executable: "fetch.sh" },
        ...{ startSec: 0, endSec: 400, reservation: 0 },
      },
      {
        ...{ id: "draw", runtimeSec: 300, parents: [0], executable: "draw.sh", arguments: ["-v"] },
        ...{ startSec: 400, endSec: 900, reservation: 0 },
      },
    ],
  },
  noteSite: { text: "new disks on Monday from 8 on", until: earliest },
  submitStream: {
    site: "elm",
    stream: {
      ...{ name: "ligo-h1", weight: 3, weightStep: 1, weightPeriodSec: 600, procs: 2 },
      ...{ minBytesPerSec: 2_000_000, maxBytesPerSec: 8_000_000, minBytes: 2_000_000_000 },
      sources: [{ href: ["https://data.example.org/h1-001.gwf"] }],
      ...{ blockBytes: 64_000_000, connections: 2, ahead: 100, delivery: "lines", restarts: 3 },
      ...{ command: ["analyse", "--channel", "H1"], environment: {} },
    },
  },
  changeStream: { maxBytesPerSec: 4_000_000 },
  testSiteSpec: { spec: { type: "slurm", consumers: { higgs: "cms/higgs" } } },
  quoteSlot: { ...slot, sites: ["elm"] },
  quoteTogether: { parts, durationSec: 3600 },
  quoteVirtual: { procs: 16, durationSec: 3600, startAt: earliest },
  offerSlot: { site: "elm", ...slot, startAt: earliest },
  offerTogether: { parts, durationSec: 3600, startAt: earliest },
  reserveVirtual: {
    executable: "simulate",
    arguments: ["--live"],
    procs: 16,
    durationSec: 3600,
    startAt: earliest,
  },
  extendReservation: { moreSec: 1800, mostFixedSu: 1 },
  grant: { site: "elm", consumer: "cms/higgs", su: 50_000 },
  applyPolicies: { policies: [], note: "everybody may use everything" },
  checkPolicies: { text: "CPU, elm, cms, (3600, 40), (60, 80)\n" },
  tryPolicies: { site: "elm", text: "CPU, elm, cms, (3600, 40), (60, 80)\n", since: earliest },
  followPolicies: { sites: ["elm"], version: 3 },
  hearPeer: {
    asOf: earliest,
    dispatched: [
      {
        ...{ id: "b2xkZ3J1bXB5/1", site: "elm", siteJob: "812", consumer: "cms/higgs", procs: 16, gpus: 0 },
        ...{ memoryBytes: 17_179_869_184, startedAt: null, wallTimeSec: 3600 },
      },
    ],
    leftOut: 0,
  },
  checkTicket: { ticket: "stint-ticket.v1.eyJ2byI6ImNtcyJ9.c2lnbmF0dXJl" },
  trustTicketKey: {
    publicKey: "ed25519:oMq1oMrlQvBGX8tNsOZnzdp-9k1-_-bEKnRsREO3Acs",
    vo: "cms",
    label: "the organisation's own",
  },
  runSimulation: {
    name: "would backfilling help?",
    workload: { example: "poisson" },
    variants: [
      { name: "today", discipline: "fcfs" },
      { name: "backfilling", discipline: "easy" },
    ],
  },
  changeSimulation: { name: "backfilling on a Poisson workload", shared: true },
  changeVo: { selector: "leastUsed", enforcement: { extraPpm: 100_000 } },
  reportHost: {
    site: "elm",
    host: "e1",
    sensor: "b7f0",
    readings: [{ seq: 1, at: earliest, overSec: 10, unreadable: 0, dropped: 0, jobs: [] }],
  },
};
