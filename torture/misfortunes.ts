/**
 * Faults in one life of a broker: of its machine, its clients, and the wrappers of its jobs.
 *
 * Each is drawn independently, so that they also come together.
 */
import { renameSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { StintClient } from "../src/api/client/index.ts";
import { drawFraction, drawInteger, type Random } from "../src/base/index.ts";
import { type BrokerProcess, wrappersOf } from "./broker-process.ts";
import { freeDescriptors, limitDescriptors } from "./few-descriptors.ts";
import { HOSTILE, sendHostile, sendSlow } from "./hostile-clients.ts";
import { count, type World } from "./world.ts";

/** Participants of a fault. */
export interface Scene {
  readonly world: World;
  readonly chance: Random;
  readonly life: BrokerProcess;
  readonly client: StintClient;
  /** Jobs accepted so far. */
  readonly known: readonly string[];
}

const LONGEST_LIFE_MS = 1500;
const LONGEST_TROUBLE_MS = 1000;
const LONGEST_STOP_MS = 200;
const LARGEST_STEP_MS = 3_600_000;
const MOST_SLOW = 50;

const misfortunes: readonly (readonly [likely: number, happen: (scene: Scene) => Promise<void> | void])[] = [
  [0.25, fillDisk],
  [0.25, stepClock],
  [0.25, takeDescriptors],
  [0.3, sendBadClient],
  [0.2, sendSlowClients],
  [0.2, stopForAMoment],
  [0.2, cancelOne],
  [0.6, killWrapper],
];

/** Runs the faults of one life, in the order of their table; long ones overlap. */
export async function suffer(scene: Scene): Promise<void> {
  const lasting: (Promise<void> | void)[] = [delay(drawInteger(scene.chance, 0, LONGEST_LIFE_MS))];
  for (const [likely, happen] of misfortunes) {
    if (drawFraction(scene.chance) >= likely) continue;
    lasting.push(happen(scene));
    await delay(drawInteger(scene.chance, 0, LONGEST_LIFE_MS / misfortunes.length));
  }
  await Promise.all(lasting);
}

/** Fills the disk; in half of the cases it stays full for the next life. */
async function fillDisk({ world, chance }: Scene): Promise<void> {
  if (world.disk === undefined) return;
  const isShort = drawFraction(chance) < 0.5;
  world.disk.fill();
  count(world, "disks filled");
  if (!isShort) return;
  await delay(drawInteger(chance, 0, LONGEST_TROUBLE_MS));
  world.disk.empty();
}

function stepClock({ world, chance }: Scene): void {
  const shiftMs = drawInteger(chance, -LARGEST_STEP_MS, LARGEST_STEP_MS);
  // Whole at every moment, for a broker may be reading it.
  writeFileSync(`${world.clock}.new`, String(shiftMs));
  renameSync(`${world.clock}.new`, world.clock);
  count(world, "clock steps");
}

/** Takes the file descriptors. A broker that cannot start without them must say so and end. */
async function takeDescriptors({ world, chance, life }: Scene): Promise<void> {
  const free = drawInteger(chance, 0, 3);
  const spanMs = drawInteger(chance, 0, LONGEST_TROUBLE_MS);
  if (!life.isReady()) return;
  limitDescriptors(life.pid, free);
  count(world, "file descriptor shortages");
  await delay(spanMs);
  freeDescriptors(life.pid);
}

function sendBadClient({ world, chance }: Scene): void {
  const kinds = Object.keys(HOSTILE) as (keyof typeof HOSTILE)[];
  sendHostile(world.socketPath, kinds[drawInteger(chance, 0, kinds.length - 1)] ?? "garbage");
  count(world, "hostile clients");
}

function sendSlowClients({ world, chance }: Scene): void {
  sendSlow(world.socketPath, drawInteger(chance, 1, MOST_SLOW));
  count(world, "groups of slow clients");
}

async function stopForAMoment({ world, chance, life }: Scene): Promise<void> {
  life.signal("SIGSTOP");
  await delay(drawInteger(chance, 0, LONGEST_STOP_MS));
  life.signal("SIGCONT");
  count(world, "pauses (SIGSTOP)");
}

function cancelOne({ world, chance, client, known }: Scene): void {
  if (known.length === 0) return;
  // Late ones: most of the earlier have ended.
  const job = known[Math.max(0, known.length - drawInteger(chance, 1, 6))] ?? "";
  world.harmed.add(job);
  // A broker that dies may or may not have heard of it; both are right.
  client.act(job, "cancel").catch(() => undefined);
  count(world, "cancellations");
}

function killWrapper({ world, chance }: Scene): void {
  const wrappers = wrappersOf(world.stateDirectory);
  if (wrappers.length === 0) return;
  const victim = wrappers[drawInteger(chance, 0, wrappers.length - 1)];
  if (victim === undefined) return;
  world.harmed.add(victim.job);
  try {
    process.kill(victim.pid, "SIGKILL");
    count(world, "wrappers killed");
  } catch (error) {
    // It may have ended by itself a moment ago.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
