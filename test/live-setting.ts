/**
 * What a live test works with: a broker as a process, and the commands that people would type.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { type Ran, stint, stintFile, temporaryFolder } from "./stint.ts";

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
  /** Waits until a job is in a state, or in one of some; the test's own time limit bounds it. */
  until(id: string, wanted: string | readonly string[]): Promise<void>;
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
    async until(id, wanted) {
      while (![wanted].flat().includes(setting.status(id).state)) await setTimeout(50);
    },
    end: (signal) => broker.end(signal),
    async up(words = []) {
      broker = await startLiveBroker(stateDirectory, ["--config", configuration, ...words]);
    },
    url: () => broker.url,
  };
  beforeAll(() => setting.up());
  afterAll(() => setting.end("SIGTERM"));
  return setting;
}

async function textOf(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += chunk;
  });
  await once(child, "close");
  return text;
}
