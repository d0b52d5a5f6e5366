/**
 * The world of a session: one log, a clock that is stepped, clusters that are played and a machine whose
 * processes are a script. Brokers come and go in it.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Broker, type OpenSite, sandboxesIn, startBroker } from "../../src/broker/index.ts";
import type { SiteSpec } from "../../src/model/index.ts";
import { type Clock, type LoggedEvent, VIEWS } from "../../src/runtime/index.ts";
import { IMITATED_RUNTIME, openSimulatedSite } from "../../src/sites/simulated/index.ts";
import { createMemoryLogbook } from "../../src/store/index.ts";
import { type SteppableClock, steppableClock } from "../steppable-clock.ts";
import { scriptedMachine } from "./scripted-machine.ts";

/** When every session begins: a Monday, 08:00 UTC. */
export const BEGIN_MS = Date.UTC(2026, 0, 5, 8);

/** What a session is played in. */
export interface SessionWorld {
  readonly nowMs: () => number;
  readonly broker: () => Broker;
  /** Lets everything happen that follows within some time. */
  pass(ms: number): Promise<void>;
  /** `crash`: the broker is gone at once, and another begins; `restart`: it ends properly before. */
  incident(words: string): Promise<void>;
  /** What the log has since the last call, and what was warned of. */
  newEvents(): Promise<readonly LoggedEvent[]>;
  newWarnings(): readonly string[];
  end(): Promise<void>;
}

/** One life of a broker. */
interface Life {
  readonly broker: Broker;
  /** Its alarms ring no more, and its sites are let go. */
  kill(): Promise<void>;
}

/** A world with a broker in it. */
export async function sessionWorld(folder: string): Promise<SessionWorld> {
  const clock = steppableClock(BEGIN_MS);
  const logbook = createMemoryLogbook(VIEWS);
  const machine = scriptedMachine(clock, ({ environment }) =>
    Number.parseInt(environment[IMITATED_RUNTIME] ?? "60000", 10),
  );
  let warnings: string[] = [];
  let seen = 0;
  const begin = () => beginLife({ folder, clock, logbook, machine, warn: (it) => void warnings.push(it) });
  let life = await begin();
  const pass = (ms: number) => passOn(clock, ms);
  return {
    nowMs: clock.nowMs,
    broker: () => life.broker,
    pass,
    async incident(words) {
      if (words === "restart") await life.broker.stop();
      else if (words !== "crash") throw new Error(`not an incident: ${words}`);
      await life.kill();
      life = await begin();
    },
    async newEvents() {
      const events: LoggedEvent[] = [];
      for await (const event of logbook.events(seen + 1)) events.push(event);
      seen += events.length;
      return events;
    },
    newWarnings() {
      const told = warnings.map((it) => `warning: ${it}`);
      warnings = [];
      return told;
    },
    async end() {
      await life.broker.stop();
      await life.kill();
    },
  };
}

interface LifeParts {
  readonly folder: string;
  readonly clock: SteppableClock;
  readonly logbook: ReturnType<typeof createMemoryLogbook>;
  readonly machine: ReturnType<typeof scriptedMachine>;
  readonly warn: (message: string) => void;
}

async function beginLife({ folder, clock, logbook, machine, warn }: LifeParts): Promise<Life> {
  let isAlive = true;
  const own: Clock = {
    nowMs: clock.nowMs,
    wakeAt: (atMs, call) => clock.wakeAt(atMs, () => isAlive && call()),
  };
  const open: OpenSite[] = [];
  const openSite = async (name: string, spec: SiteSpec): Promise<OpenSite> => {
    const it = await openIn(name, spec);
    open.push(it);
    return it;
  };
  const openIn = async (name: string, spec: SiteSpec): Promise<OpenSite> => {
    if (spec.type === "managed") return { kind: "managed", site: machine.open(name, spec) };
    if (spec.type !== "simulated") throw new Error(`no ${spec.type} in sessions`);
    const directory = join(folder, "sites", name);
    const played = { name, spec: { ...spec, jobs: "imitate" as const }, directory };
    const site = await openSimulatedSite({ ...played, clock: own, surveyEveryMs: 1000 });
    return { kind: "foreign", site };
  };
  const broker = await startBroker({
    ...{ logbook, openSite, clock: own, sandboxes: sandboxesIn(join(folder, "sandboxes")) },
    warn: (message) => isAlive && warn(message),
    onBroken: (error) => warn(`broken: ${String(error)}`),
  });
  return {
    broker,
    async kill() {
      isAlive = false;
      await Promise.all(open.map(({ site }) => site.close()));
    },
  };
}

async function passOn(clock: SteppableClock, ms: number): Promise<void> {
  const untilMs = clock.nowMs() + ms;
  do {
    await quiet();
    clock.moveTo(Math.min(untilMs, Math.max(clock.nowMs(), clock.nextAlarmMs())));
    await quiet();
  } while (clock.nowMs() < untilMs || clock.nextAlarmMs() <= untilMs);
}

/** Until all that can follow has: files are written by threads, and what was asked before is done before. */
async function quiet(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(Array.from({ length: 8 }, () => stat(import.meta.dirname)));
  }
}
