/**
 * An example response of the operations that most programs begin with, for the OpenAPI document; others with
 * the same response show it, too. A test validates each by its schema.
 */
import type { Operations } from "./operations.ts";

const id = "nkkpvfeqp734";
const at = "2026-11-20T12:00:00.000Z";
const later = "2026-11-20T12:00:20.000Z";
const su = (amount: number) => ({ su: amount, procMs: amount * 3_600_000 });

const job: Operations["getJob"]["answer"] = {
  id,
  ...{ state: "DONE", result: "ok", exitCode: 0, signal: null, timeLimit: false, reason: null },
  ...{ site: "elm", siteJob: "812", attempt: 1, reservation: null, virtual: null, name: null },
  ...{ consumer: "cms/higgs/ann", owner: "cms/higgs/ann", userTags: { run: "7" }, after: [], waitsFor: [] },
  ...{ executable: "sh", arguments: ["-c", "uname -a > machine.txt"], workingDirectory: null },
  ...{ stdInput: null, stdOutput: "stdout", stdError: "stderr", outputSandbox: ["machine.txt"] },
  ...{
    procs: 1,
    memoryBytes: null,
    gpus: null,
    gpuDevices: null,
    wallTimeSec: 600,
    delayCostSuPerHour: null,
  },
  ...{ submittedAt: at, startedAt: at, endedAt: later, ranSec: 20, runningSince: null, cpuSec: 19.2 },
};

const token: Operations["listTokens"]["answer"]["items"][number] = {
  ...{ id: "ogz2ns2dbieq", state: "valid", role: "user", consumer: "cms/higgs/ann", site: null },
  ...{ scopes: ["compute.read", "compute.create"], label: "notebook", createdBy: "root", createdAt: at },
  ...{ expiresAt: "2026-12-20T12:00:00.000Z", revokedAt: null },
};

const site: Operations["getSite"]["answer"] = {
  name: "elm",
  spec: {
    ...{ type: "simulated", procs: 64, memoryBytes: 68_719_476_736, discipline: "easy", jobs: "imitate" },
    ...{ defaultWallTimeSec: 3600, speedUp: 1, seed: 1, background: null },
    delays: { orderSec: 0, startSec: 0 },
    losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0 },
  },
  ...{ state: "open", running: 1, waiting: 0, procsBusy: 16, draining: false, seenAt: at, trouble: null },
  responseTimes: null,
};

const price = {
  ...{ priceSu: 32, priceProcMs: 115_200_000, baseSu: 32, baseProcMs: 115_200_000, fixedSu: 0 },
  ...{ fixedProcMs: 0, delaysJobs: 0, delaySu: 0, delayProcMs: 0 },
  ...{ unitPrice: 1, transactionSu: 0, transactionProcMs: 0 },
  rules: [{ rule: null, unitPrice: 1, durationSec: 7200 }],
};

/** Example responses by the name of the operation. */
export const RESPONSE_EXAMPLES: { readonly [Id in keyof Operations]?: Operations[Id]["answer"] } = {
  submitJobs: { ids: [id] },
  getJob: job,
  listJobs: { items: [job], next: null },
  explainJob: {
    ...{ job: id, state: "SCHEDULED", predictedStartAt: later, method: "schedule", helpfulChanges: [] },
    causes: [{ kind: "procsBusy", site: "elm", needed: 2, free: 0 }],
    lines: [`job ${id} is SCHEDULED`, "it needs 2 processors; elm has 0 free"],
  },
  listFiles: { items: [{ name: "machine.txt", sizeBytes: 92 }] },
  writeTerminal: { inputBytes: 12 },
  createToken: { ...token, token: "stint_ogz2ns2dbieq_…" },
  listTokens: { items: [token] },
  getSite: site,
  listSites: { items: [site] },
  quoteSlot: {
    items: [
      {
        ...{ site: "elm", trouble: null },
        starts: [
          {
            ...{ startAt: at, ...price, hindrance: null, effect: "delays nobody" },
            delays: { jobs: 0, totalSec: 0, worstSec: 0, ownJobs: 0 },
          },
        ],
      },
    ],
    chosen: { site: "elm", startAt: at },
  },
  getReservation: {
    ...{ id: "5nyprwm7qbvu", state: "OFFERED", site: "elm", siteReservation: null, together: null },
    ...{ consumer: "cms/higgs", owner: "cms/higgs/ann", procs: 16, memoryBytes: null, gpus: null },
    resource: null,
    ...{ startAt: at, endAt: "2026-11-20T14:00:00.000Z", durationSec: 7200, ...price },
    ...{ penalty: 0.1, basePenalty: 0, expiresAt: at, used: false, usedSu: 0, usedProcMs: 0 },
    ...{ penaltySu: 0, penaltyProcMs: 0, refundSu: 0, refundProcMs: 0 },
    history: [{ state: "OFFERED", at, by: "cms/higgs/ann", why: null }],
  },
  grant: {
    ...{ id: "ul2vspro55uk", site: "elm", consumer: "cms/higgs", ...su(50_000) },
    ...{ balanceSu: 50_000, balanceProcMs: 180_000_000_000 },
  },
};

/** Example of a refusal. */
export const PROBLEM_EXAMPLE = {
  type: "urn:stint:unknownJob",
  title: "Unknown job",
  status: 404,
  detail: "there is no job zzzz",
  why: "no job at this broker has an id with this prefix",
  remedy: "`stint list` shows the jobs; ids may be abbreviated while unique",
  job: "zzzz",
};
