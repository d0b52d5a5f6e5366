/**
 * Runs the command line in this process, with a broker made of plain objects and captured streams.
 */
import type {
  FileView,
  JobView,
  PricedStartView,
  ReservationView,
  SiteView,
  StintClient,
} from "../src/api/client/index.ts";
import { Fault, type FaultKind } from "../src/base/index.ts";
import {
  type Capabilities,
  type EndRequest,
  type Keyboard,
  runProgram,
  type Terminal,
} from "../src/cli/index.ts";

/** What a call of the program left. */
export interface Called {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A program with a broker behind it. */
export interface CapturedProgram {
  readonly call: (...words: string[]) => Promise<Called>;
  /** Asks the program to end, as Ctrl-C does. */
  readonly request: (request: EndRequest) => void;
  /** What came so far of the call under way. */
  readonly soFar: () => Pick<Called, "out" | "err">;
}

/** The present instant of the program under test. */
export const NOW = "2026-05-31T12:00:00.000Z";

/** Lists of jobs for people have arrays and DAGs beside them: none, where a test says nothing of them. */
const NO_ARRAYS: Pick<StintClient, "arrays" | "dags"> = {
  arrays: async () => ({ items: [], next: null }),
  dags: async () => ({ items: [], next: null }),
};

/** An input that has nothing, and does not end. */
const NO_KEYBOARD: Keyboard = { isTerminal: false, size: () => undefined, open: () => () => {} };

/** A program that speaks to `client`; a method that is not given fails the call. */
export function capturedProgram(
  client: Partial<StintClient>,
  surroundings: Partial<Terminal & Capabilities> = {},
): CapturedProgram {
  let streams = { out: "", err: "" };
  let listener: ((request: EndRequest) => void) | undefined;
  const writeOut = (text: string): void => {
    streams.out += text;
  };
  const writeError = (text: string): void => {
    streams.err += text;
  };
  const terminal: Terminal = {
    version: "0.0.0",
    writeResult: writeOut,
    writeError,
    writeBytes: async (stream, bytes) => {
      (stream === "stdout" ? writeOut : writeError)(new TextDecoder().decode(bytes));
    },
    columns: undefined,
    environment: {},
    directory: "/data",
    nowMs: () => Date.parse(NOW),
    onEndRequest: (taking) => {
      listener = taking;
      return () => {
        listener = undefined;
      };
    },
    showsProgress: false,
    isDebugging: false,
    keyboard: async () => NO_KEYBOARD,
    standardInput: async function* () {},
    ...surroundings,
  };
  const capabilities: Capabilities = {
    simulate: () => Promise.reject(new Error("nothing is simulated here")),
    generate: () => Promise.reject(new Error("no workload is made here")),
    describe: () => Promise.reject(new Error("no workload is described here")),
    scenario: () => Promise.reject(new Error("no scenario is simulated here")),
    whatIf: () => Promise.reject(new Error("nothing is compared here")),
    quote: () => Promise.reject(new Error("nothing is priced here")),
    readJobFile: () => Promise.reject(new Error("no file is read here")),
    checkFile: () => Promise.reject(new Error("no file is checked here")),
    policies: () => Promise.reject(new Error("no policies are read here")),
    client: async () => ({ close: () => undefined, ...NO_ARRAYS, ...client }) as StintClient,
    ...surroundings,
  };
  return {
    call: async (...words) => {
      streams = { out: "", err: "" };
      const code = await runProgram(words, capabilities, terminal);
      return { code, ...streams };
    },
    request: (request) => listener?.(request),
    soFar: () => streams,
  };
}

/** A job; it runs `./a.out x` unless said otherwise. */
export function aJob(change: Partial<JobView> = {}): JobView {
  return {
    id: "7f3a0000",
    state: "RUNNING",
    result: null,
    exitCode: null,
    signal: null,
    timeLimit: false,
    site: "here",
    reservation: null,
    virtual: null,
    siteJob: null,
    attempt: 1,
    name: null,
    consumer: "local/all/ada",
    owner: "ada",
    executable: "./a.out",
    arguments: ["x"],
    procs: 2,
    memoryBytes: null,
    gpus: null,
    gpuDevices: null,
    wallTimeSec: 5400,
    delayCostSuPerHour: null,
    after: [],
    waitsFor: [],
    userTags: {},
    stdInput: null,
    workingDirectory: null,
    stdOutput: "stdout",
    stdError: "stderr",
    outputSandbox: [],
    submittedAt: "2026-05-31T11:00:00.000Z",
    startedAt: "2026-05-31T11:30:00.000Z",
    endedAt: null,
    ranSec: 0,
    runningSince: "2026-05-31T11:30:00.000Z",
    cpuSec: null,
    reason: null,
    ...change,
  };
}

/** This machine as a site; other fields where they are given. */
export function aSite(change: Partial<SiteView> = {}): SiteView {
  const spec = { type: "managed", procs: 8, memoryBytes: 2 ** 34, discipline: "easy" } as const;
  return {
    name: "here",
    spec: { ...spec, defaultWallTimeSec: 3600 },
    state: "open",
    running: 2,
    waiting: 1,
    procsBusy: 6,
    draining: false,
    seenAt: null,
    adAgeSec: null,
    adLifetimeSec: 60,
    trouble: null,
    responseTimes: null,
    ...change,
  };
}

/** An accepted reservation of four processors for an hour from now on; 6 SU, of which 2 for delays. */
export function aReservation(change: Partial<ReservationView> = {}): ReservationView {
  return {
    ...{ id: "ab12cd34", state: "ACCEPTED", site: "here", siteReservation: null, together: null },
    ...{ consumer: "local/all/ada", owner: "ada", procs: 4, memoryBytes: null, gpus: null },
    resource: null,
    ...{ startAt: NOW, endAt: "2026-05-31T13:00:00.000Z", durationSec: 3600 },
    ...{ priceSu: 6, priceProcMs: 21_600_000, baseSu: 4, baseProcMs: 14_400_000 },
    ...{ fixedSu: 2, fixedProcMs: 7_200_000, unitPrice: 1, transactionSu: 0, transactionProcMs: 0 },
    ...{ penalty: 0.1, basePenalty: 0, delaysJobs: 1, delaySu: 2, delayProcMs: 7_200_000 },
    ...{
      expiresAt: "2026-05-31T12:01:00.000Z",
      used: false,
      usedSu: 0,
      usedProcMs: 0,
      penaltySu: 0,
      penaltyProcMs: 0,
    },
    ...{ refundSu: 0, refundProcMs: 0 },
    rules: [{ rule: null, unitPrice: 1, durationSec: 3600 }],
    history: [{ state: "OFFERED", at: NOW, by: "ada", why: null }],
    ...change,
  };
}

/** A start now, which costs 4 SU and 2 SU for delays. */
export function aStart(change: Partial<PricedStartView> = {}): PricedStartView {
  return {
    startAt: NOW,
    ...{ priceSu: 6, priceProcMs: 21_600_000, baseSu: 4, baseProcMs: 14_400_000 },
    ...{ fixedSu: 2, fixedProcMs: 7_200_000, unitPrice: 1, transactionSu: 0, transactionProcMs: 0 },
    rules: [{ rule: null, unitPrice: 1, durationSec: 3600 }],
    ...{ delaysJobs: 1, delaySu: 2, delayProcMs: 7_200_000, delays: null },
    effect: "delays 1 queued job by 30 min",
    hindrance: null,
    ...change,
  };
}

/** A refusal of the broker. */
export function aFault(kind: FaultKind, what = `a fault of kind ${kind}`): Fault {
  const code = kind === "unreachable" ? "serverUnreachable" : kind;
  return new Fault({ kind, code, what, why: "the test says so", remedy: "nothing" });
}

/** A file's bytes in two parts. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  yield bytes.subarray(0, 3);
  yield bytes.subarray(3);
}

/** Files of a job by name, as `files` and `readFile` of a client. */
export function jobFiles(texts: Readonly<Record<string, string>>): Pick<StintClient, "files" | "readFile"> {
  return {
    files: async () =>
      Object.entries(texts).map(([name, text]): FileView => ({ name, sizeBytes: text.length })),
    readFile: (_, name) => bytesOf(texts[name] ?? ""),
  };
}
