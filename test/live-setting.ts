/**
 * What a live test works with: a broker as a process, and the commands that people would type.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { createClient, type JobView, type StintClient } from "../src/api/client/index.ts";
import { isFinal, JOB_STATES } from "../src/model/index.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { type Ran, stint, stintFile, temporaryFolder } from "./stint.ts";

/** How long a broker may be away while a job is watched. */
const PATIENCE_MS = 200_000;

/** A job as `stint status -o json` tells of it, in part. */
export interface JobStatus {
  readonly state: string;
  readonly site: string | null;
  readonly exitCode: number | null;
}

/** A broker of these tests and whoever uses it. */
export interface LiveSetting {
  readonly folder: string;
  readonly stateDirectory: string;
  /** Runs a command. */
  ask(...words: string[]): Ran;
  /** Runs a command with more in its environment: as somebody else. */
  with(environment: Readonly<Record<string, string>>): (...words: string[]) => Ran;
  /** The program as a process that goes on while the test does; gives what it wrote to stdout, in the end. */
  begin(...words: string[]): { readonly child: ChildProcess; readonly out: Promise<string> };
  /** Submits a job described in YAML lines; gives its id. */
  submit(...lines: string[]): string;
  /** Submits a Node program. */
  submitProgram(program: string, more?: ProgramOptions): string;
  status(id: string): JobStatus;
  /** For what is asked again and again: a process of the command line takes longer than its answer. */
  client(): StintClient;
  /** Waits until a job is in a state, or in one of some. @throws Error when it ends in another */
  until(id: string, wanted: string | readonly string[]): Promise<void>;
  /** Waits until the broker has a job of this id. */
  untilThere(id: string): Promise<void>;
  /** Waits until no job is under way. */
  untilIdle(): Promise<void>;
  /** Ends the broker by a signal. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again, with more words of `stint up`. */
  up(words?: readonly string[]): Promise<void>;
  /** Where it listens for those who have a token. */
  url(): string;
}

/** What may be said of a program besides. */
export interface ProgramOptions {
  readonly words?: readonly string[];
  readonly lines?: readonly string[];
}

/** A setting whose broker has the sites of these lines of `stint.yaml`, for the tests of one describe. */
export function liveSetting(sites: readonly string[]): LiveSetting {
  const folder = temporaryFolder();
  const stateDirectory = join(folder, "state");
  const configuration = join(folder, "stint.yaml");
  writeFileSync(configuration, `${["sites:", ...sites].join("\n")}\n`);
  let broker: LiveBroker;
  let client: StintClient | undefined;
  let descriptions = 0;
  const setting: LiveSetting = {
    folder,
    stateDirectory,
    ask: (...words) => stint(words, folder, broker.environment),
    with:
      (more) =>
      (...words) =>
        stint(words, folder, { ...broker.environment, ...more }),
    begin(...words) {
      const env = { ...process.env, NO_COLOR: "1", ...broker.environment };
      const child = spawn(process.execPath, [stintFile, ...words], { env, cwd: folder });
      return { child, out: textOf(child) };
    },
    submit(...lines) {
      const file = join(folder, `job-${++descriptions}.yaml`);
      writeFileSync(file, `${lines.join("\n")}\n`);
      const { out, err } = setting.ask("submit", "-o", "name", file);
      if (out === "") throw new Error(err);
      return out.trim();
    },
    submitProgram(program, { words = [], lines = [] } = {}) {
      const all = JSON.stringify(["-e", program, ...words]);
      return setting.submit(`executable: ${JSON.stringify(process.execPath)}`, `arguments: ${all}`, ...lines);
    },
    status: (id) => JSON.parse(setting.ask("status", id, "-o", "json").out) as JobStatus,
    client() {
      client ??= createClient({ socketPath: join(stateDirectory, "stint.sock"), patienceMs: PATIENCE_MS });
      return client;
    },
    until: (id, wanted) => untilState(setting.client(), id, [wanted].flat()),
    async untilThere(id) {
      const isThere = () =>
        setting
          .client()
          .job(id)
          .then(
            () => true,
            () => false,
          );
      while (!(await isThere())) await setTimeout(50);
    },
    async untilIdle() {
      const state = JOB_STATES.filter((it) => !isFinal(it));
      while ((await setting.client().jobs({ state, limit: 1 })).items.length > 0) await setTimeout(100);
    },
    async end(signal) {
      await broker.end(signal);
      client?.close();
      client = undefined;
    },
    async up(words = []) {
      broker = await startLiveBroker(stateDirectory, ["--config", configuration, ...words]);
    },
    url: () => broker.url,
  };
  beforeAll(() => setting.up());
  afterAll(async () => {
    if (broker.isUp()) await endAll(setting.client());
    await setting.end("SIGTERM");
  });
  return setting;
}

/** Ends what tests leave running: it would compute beside the tests after it. */
async function endAll(client: StintClient): Promise<void> {
  const state = JOB_STATES.filter((it) => !isFinal(it));
  const { items } = await client.jobs({ state, limit: 100 });
  await Promise.allSettled(items.map(({ id }) => client.act(id, "cancel")));
}

async function untilState(client: StintClient, id: string, wanted: readonly string[]): Promise<void> {
  const reached = new AbortController();
  const onChange = ({ state }: JobView): void => {
    if (wanted.includes(state)) reached.abort();
  };
  try {
    const { state } = await client.watch(id, onChange, reached.signal);
    if (!wanted.includes(state)) throw new Error(`job ${id} is over: ${state}, not ${wanted.join(" or ")}`);
  } catch (error) {
    if (!reached.signal.aborted) throw error;
  }
}

async function textOf(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += chunk;
  });
  await once(child, "close");
  return text;
}
