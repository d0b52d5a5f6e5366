/**
 * Brokers over a foreign site that is a script, in time that is stepped through.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import {
  type Broker,
  type OpenSite,
  type Retention,
  type SiteCare,
  sandboxesIn,
  startBroker,
} from "../src/broker/index.ts";
import { JOB_DEFAULTS, type SiteSpec } from "../src/model/index.ts";
import { type Clock, type Logbook, VIEWS } from "../src/runtime/index.ts";
import { createMemoryLogbook } from "../src/store/index.ts";
import { foreignSpec } from "./engine-scene.ts";
import {
  type ScriptedQueue,
  SURVEY_EVERY,
  scriptedForeignSite,
  scriptedQueue,
} from "./scripted-foreign-site.ts";
import { exited, running, scriptedSite } from "./scripted-site.ts";
import { type SteppableClock, steppableClock } from "./steppable-clock.ts";

/** The world of a test: what outlives its brokers, and what was told to people. */
export let logbook: Logbook;
export let clock: SteppableClock;
export let queue: ScriptedQueue;
export let warnings: string[];
/** The names of the sites that were opened, in order. */
export let opened: string[];
let folder = "";

/** Begins a new world. */
export function beginWorld(): void {
  logbook = createMemoryLogbook(VIEWS);
  clock = steppableClock(1_000_000);
  queue = scriptedQueue();
  warnings = [];
  opened = [];
}

/** Sees to it that each test of a file has a world of its own. */
export function worldForEach(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "stint-foreign-"));
    beginWorld();
  });
  afterEach(() => rmSync(folder, { recursive: true }));
}

/** What may be different about a broker. */
export interface StartOptions {
  readonly over?: Logbook;
  readonly openSite?: (name: string, spec: SiteSpec) => Promise<OpenSite>;
  readonly at?: Clock;
  readonly care?: SiteCare;
  readonly retention?: Retention;
}

/** A site "far" that is the scripted queue; any other site is this machine. */
export async function openScripted(name: string, spec: SiteSpec): Promise<OpenSite> {
  opened.push(name);
  if (spec.type !== "managed") return { kind: "foreign", site: scriptedForeignSite(queue, clock) };
  const site = scriptedSite(({ token }) => {
    clock.wakeAt(clock.nowMs() + 100, () => site.tell(running(token, clock.nowMs())));
    clock.wakeAt(clock.nowMs() + 500, () => site.tell(exited(token, clock.nowMs())));
  });
  return { kind: "managed", site };
}

/** Starts a broker in this world. */
export function start({
  over = logbook,
  openSite = openScripted,
  at = clock,
  care,
  retention = {},
}: StartOptions = {}): Promise<Broker> {
  return startBroker({
    logbook: over,
    openSite,
    clock: at,
    ...(care === undefined ? {} : { care }),
    sandboxes: sandboxesIn(folder),
    retention,
    warn: (message) => warnings.push(message),
    onBroken: (error) => warnings.push(`broken: ${String(error)}`),
  });
}

/** Adds a foreign site, unless another kind is named. */
export const add = (broker: Broker, site: string, spec: SiteSpec = foreignSpec(4)) =>
  broker.brokerApi.ask({ kind: "addSite", site, spec });

/** A broker whose site "far" was seen. */
export async function withFar(options: StartOptions = {}): Promise<Broker> {
  const broker = await start(options);
  await add(broker, "far");
  await pass(10);
  return broker;
}

/** Submits a job of one processor. */
export const submit = (broker: Broker, job: string, site?: string) =>
  broker.brokerApi.ask({
    kind: "submit",
    job,
    description: { ...JOB_DEFAULTS, executable: "true", ...(site === undefined ? {} : { site }) },
    consumer: "vo/user",
    owner: "u1",
  });

/** Lets everything happen that follows within some time of the broker's clock. */
export async function pass(ms = SURVEY_EVERY): Promise<void> {
  const untilMs = clock.nowMs() + ms;
  do {
    await quiet();
    clock.moveTo(Math.min(untilMs, Math.max(clock.nowMs(), clock.nextAlarmMs())));
    await quiet();
  } while (clock.nowMs() < untilMs || clock.nextAlarmMs() <= untilMs);
}

async function quiet(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** How many events of a kind the log has. */
export async function logged(kind: string): Promise<number> {
  let count = 0;
  for await (const event of logbook.events(1)) if (event.kind === kind) count++;
  return count;
}

/** What hangs. */
export const never = (): Promise<void> => new Promise(() => undefined);

/** A logbook whose commits wait until they are let through. */
export function gated() {
  const waiting: (() => void)[] = [];
  const gate = { isOpen: true };
  const over: Logbook = {
    ...logbook,
    commit: async (commit) => {
      if (!gate.isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
      return logbook.commit(commit);
    },
  };
  const open = (): void => {
    gate.isOpen = true;
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { over, gate, open };
}

/**
 * The logbook and clock of a broker that is killed at the given step: from then on, nothing that it does has
 * an effect. Steps are the instants before and after each commit, and calls of `step`.
 */
export function dying(atStep: number) {
  let steps = 0;
  let isSafe = false;
  let isKilled = false;
  const isDead = (): boolean => isKilled || (!isSafe && steps > atStep);
  const step = (): Promise<void> | void => {
    steps++;
    return isDead() ? never() : undefined;
  };
  const over: Logbook = {
    ...logbook,
    commit: async (commit) => {
      await step();
      const receipt = await logbook.commit(commit);
      await step();
      return receipt;
    },
  };
  const at: Clock = {
    nowMs: () => clock.nowMs(),
    wakeAt: (atMs, call) => clock.wakeAt(atMs, () => (isDead() ? undefined : call())),
  };
  /** Lets the world live on: from now on no step kills it. */
  const live = (): void => {
    isSafe = true;
  };
  /** Kills the world now, whatever its step. */
  const die = (): void => {
    isKilled = true;
  };
  return { over, at, step, isDead, live, die };
}
