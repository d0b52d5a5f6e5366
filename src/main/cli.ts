/** Wires the command line: each command gets the functions that it needs, loaded on use. */
import { readFile } from "node:fs/promises";
import { Fault, messageOf } from "../base/index.ts";
import { type Capabilities, type EndRequest, reachBroker, runProgram, type Terminal } from "../cli/index.ts";
import type { PolicyTrial } from "../model/index.ts";
import { type Environment, findStateDirectory } from "./settings.ts";
import { brokerPlace } from "./state-directory.ts";
import { readVersion } from "./version.ts";

/** Runs the program on this process's arguments and streams; sets its exit code. */
export async function main(): Promise<void> {
  const version = readVersion();
  const endRequests = listenForEndRequests();
  const terminal = surfaceOf(version, endRequests);
  process.exitCode = await runProgram(process.argv.slice(2), capabilities(version), terminal);
  await endRequests.endWhereInsisted();
}

function capabilities(version: string): Capabilities {
  return {
    simulate: async () => {
      const { simulateFile } = await import("../sim/index.ts");
      return (request, onProgress) =>
        simulateFile(request, {
          version,
          writeError: (text) => process.stderr.write(text),
          ...(onProgress === undefined ? {} : { onProgress }),
        });
    },
    generate: async () => {
      const { generateWorkload } = await import("../sim/index.ts");
      return (request, target) => generateWorkload(request, version, target);
    },
    describe: async () => {
      const { describeTrace } = await import("../sim/index.ts");
      return (request) => describeTrace(request, { version });
    },
    scenario: async () => {
      const { runScenario } = await import("../sim/index.ts");
      return (order, hooks) => runScenario(order, version, hooks);
    },
    whatIf: async () => {
      const { whatIf } = await import("../sim/index.ts");
      return (request) => whatIf(request, version);
    },
    simulateStreams: async () => (await import("../sim/index.ts")).simulateStreams,
    quote: async () => (await import("./quote-file.ts")).quoteFile,
    checkFile: async () => (await import("./check-input.ts")).checkInput,
    readJobFile: async () => (await import("./read-job-input.ts")).readJobInput,
    policies: async () => {
      const { judgeRequests, readPolicySet } = await import("./policy-files.ts");
      const { policiesToApply } = await import("./policies-to-apply.ts");
      const against = async (trial: PolicyTrial) => (await import("../sim/index.ts")).affectedBy(trial);
      return { admit: judgeRequests, read: readPolicySet, holding: policiesToApply, against };
    },
    classAds: async () => (await import("./classad-tools.ts")).classAdTools,
    planWorkflow: async () => (await import("./plan-workflow.ts")).planWorkflow,
    leftPauses: async () => (await import("./left-pauses.ts")).leftPauses(process.env),
    verify: async () => (await import("./verify-policies.ts")).verifyTools,
    usageReport: async () => (await import("./usage-page.ts")).writeUsageReport,
    sensor: async () => (await import("./sensor.ts")).sensor,
    streamWrapper: async () => (await import("./stream-wrapper.ts")).streamWrapper,
    testAdapter: async () => {
      const { checkAdapter } = await import("../sites/exec/index.ts");
      return async (adapter) =>
        (await checkAdapter(adapter)).map(({ isNeeded, ...check }) => ({ ...check, needed: isNeeded }));
    },
    connectSite: async () => (await import("./connect-site.ts")).siteConnector(process.env),
    doctor: async () => (await import("./doctor.ts")).examine,
    demo: async () => (await import("./demo.ts")).demo,
    down: async () =>
      (await import("./stop-broker.ts")).brokerStopper(process.env, () => findBroker(process.env)),
    backUp: async () => (await import("./back-up.ts")).backUpOf(process.env),
    restore: async () => (await import("./restore.ts")).restoreInto(process.env),
    archives: async () => (await import("./archives.ts")).archiveTools(process.env),
    service: async () => (await import("./service-world.ts")).serviceWorld(),
    up: async () => (await import("./serve.ts")).up,
    config: async () => (await import("./show-settings.ts")).showConfiguration,
    client: async () => reachBroker(await findBroker(process.env)),
  };
}

async function findBroker(environment: Environment) {
  const { STINT_URL: url, STINT_TOKEN: token, STINT_CA } = environment;
  // Who is told the address needs no state directory, and no file that would name one.
  const stateDirectory = url ? "" : await findStateDirectory(environment);
  const ca = url && STINT_CA ? await certificatesIn(STINT_CA) : undefined;
  return brokerPlace({ stateDirectory, url, token, ca });
}

async function certificatesIn(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new Fault({
      kind: "badInput",
      code: "fileUnreadable",
      what: `${file} cannot be read`,
      why: `STINT_CA refers to it, and ${messageOf(cause)}`,
      remedy: "name a PEM file with the CA certificates that verify the broker, or unset STINT_CA",
      cause,
    });
  }
}

function surfaceOf(version: string, endRequests: EndRequests): Terminal {
  const { NO_COLOR, STINT_DEBUG } = process.env;
  return {
    version,
    writeResult: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    // A reader that has gone is told of by the stream itself; here it only ends the waiting.
    writeBytes: (stream, bytes) => new Promise((resolve) => process[stream].write(bytes, () => resolve())),
    columns: process.stdout.isTTY === true ? process.stdout.columns : undefined,
    environment: process.env,
    directory: process.cwd(),
    nowMs: Date.now,
    onEndRequest: endRequests.takeOver,
    ...(process.stdin.isTTY === true && process.stderr.isTTY === true ? { askPerson } : {}),
    standardInput: () => process.stdin,
    keyboard: async () => (await import("./keyboard.ts")).keyboardHere(),
    showsProgress: process.stderr.isTTY === true && !NO_COLOR,
    isDebugging: Boolean(STINT_DEBUG),
  };
}

/** Answer at the terminal; anything but y or yes, and the end of input, means no. */
async function askPerson(question: string): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => {
    lines.once("close", () => resolve(""));
  });
  try {
    const answered = lines.question(`${question} [y/N] `).catch(() => "");
    return /^y(es)?$/i.test((await Promise.race([answered, ended])).trim());
  } finally {
    lines.close();
  }
}

// Ctrl-C, SIGTERM and a reader that has gone: one command at a time may take them over; otherwise they end
// the process.

type EndSignal = "SIGINT" | "SIGTERM";

/** Requests to end, for the whole life of the process. */
interface EndRequests {
  /** Listener of a command, as in `Surface.onEndRequest`. */
  readonly takeOver: (listener: (request: EndRequest) => void) => () => void;
  /** Ends the process by the signal if the command that took over was asked twice. */
  readonly endWhereInsisted: () => Promise<void>;
}

/** Begins to listen. */
function listenForEndRequests(): EndRequests {
  let listener: ((request: EndRequest) => void) | undefined;
  let signalsTaken = 0;
  let last: EndSignal = "SIGINT";
  const onSignal = (signal: EndSignal, request: EndRequest): void => {
    last = signal;
    if (listener === undefined) void endBy(signal);
    else {
      signalsTaken++;
      listener(request);
    }
  };
  process.on("SIGINT", () => onSignal("SIGINT", "interrupt"));
  process.on("SIGTERM", () => onSignal("SIGTERM", "terminate"));
  const onWriteError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") throw error;
    // `stint … | head`: the reader has gone, which is no error of anybody.
    if (listener === undefined) process.exit(0);
    listener("readerGone");
  };
  process.stdout.on("error", onWriteError);
  process.stderr.on("error", onWriteError);
  return {
    takeOver: (taking) => {
      listener = taking;
      signalsTaken = 0;
      return () => {
        if (listener === taking) listener = undefined;
      };
    },
    endWhereInsisted: async () => {
      if (signalsTaken > 1) await endBy(last);
    },
  };
}

/**
 * Ends the process by the signal itself after Ctrl-C, with partial files removed and the terminal restored:
 * a normal exit would wait for a read that may never end (a silent pipe).
 */
async function endBy(signal: EndSignal): Promise<void> {
  const { abortOpenFiles } = await import("../formats/index.ts");
  abortOpenFiles();
  process.removeAllListeners(signal);
  process.once("exit", () => process.kill(process.pid, signal));
  process.exit();
}
