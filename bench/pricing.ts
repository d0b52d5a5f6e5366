/**
 * Whole price lists against queues that are drawn afresh, on one pool of 512 processors.
 *
 * `npm run bench:pricing`; words narrow it down: `conservative`, `fcfs`, `easy`, `100`, `1000`. Jobs and
 * slots are drawn by the model of Lublin and Feitelson, the machine is full, and there are a few
 * reservations. A list is timed from the machine as it stands, in processor time, taking up included.
 * Beside it, on the first queues of 100 jobs, the plain version of the tests prices a few of the same
 * candidates; on those of 1,000, where it would take minutes, a copy of the site machine does. Both must
 * give the same prices. Exit code 1 where p99 is over its goal (spec: 2 ms for 100 jobs, 50 ms for 1,000).
 */
import { createRandom, drawFraction, drawInteger, type Random } from "../src/base/index.ts";
import { delaysBy, PLAIN_PRICE, type PricedStart, priceList } from "../src/market/index.ts";
import { machineOfSnapshot } from "../src/market/quote-snapshot.ts";
import type { QueueSnapshot } from "../src/model/index.ts";
import { type Machine, prepareImpact } from "../src/queue/index.ts";
import { lublinModel } from "../src/sim/generate/lublin.ts";
import { plainQuote } from "../test/plain/pricing.ts";
import { type PlainState, plainIsPossible } from "../test/plain/pricing-schedule.ts";

const PROCS = 512;
const RESERVATIONS = 4;
const RESERVED_WITHIN_MS = 2 * 86_400_000;
const DISCIPLINES = ["conservative", "fcfs", "easy"] as const;
/** Number of price lists, each from a queue of its own. */
const LISTS = 100;
/** Budgets; the lists before the counted ones warm up the code. */
const GOALS = [
  { waiting: 100, goalMs: 2, warmUp: 200 },
  { waiting: 1000, goalMs: 50, warmUp: 10 },
] as const;
/** Number of checked lists, and of candidates in each. */
const CHECKED_LISTS = 2;
const CHECKED_STARTS = 4;

type Discipline = (typeof DISCIPLINES)[number];

interface Scene {
  readonly state: PlainState;
  readonly machine: Machine;
  readonly slot: { readonly need: readonly number[]; readonly durationMs: number };
}

const model = lublinModel("combined", PROCS, {});

/** A full machine, a queue, and a requested slot. */
function drawScene(seed: number, discipline: Discipline, waiting: number): Scene {
  const random = createRandom(seed);
  const running = [...drawRunning(random)];
  const queued = Array.from({ length: waiting }, (_, id) => ({ id: `q${id}`, ...drawJob(random) }));
  const empty: PlainState = {
    nowMs: 0,
    capacity: [PROCS],
    discipline,
    running: running.map(({ id, procs, endMs }) => ({ id, need: [procs], endMs })),
    queued: queued.map(({ id, procs, estimateMs }) => ({ id, need: [procs], estimateMs })),
    reservations: [],
  };
  let state = empty;
  while (state.reservations.length < RESERVATIONS) state = withReservation(state, random);
  const snapshot: QueueSnapshot = {
    ...{ nowMs: 0, procs: PROCS, discipline, running, queued },
    reservations: state.reservations.map(({ id, need, startMs, durationMs }) => ({
      ...{ id: String(id), procs: need[0], startMs, durationMs },
    })),
  };
  const { procs, estimateMs } = drawJob(random);
  const slot = { need: [procs], durationMs: estimateMs };
  return { state, machine: machineOfSnapshot(snapshot).machine, slot };
}

function drawJob(random: Random) {
  const { procs, runtimeSec } = model.drawJob(random);
  return { procs, estimateMs: Math.max(1, runtimeSec) * 1000 };
}

/** Jobs until every processor is used, each somewhere in its run. */
function* drawRunning(random: Random) {
  for (let left = PROCS, id = 0; left > 0; id++) {
    const { procs, estimateMs } = drawJob(random);
    const width = Math.min(procs, left);
    const endMs = Math.ceil((1 - drawFraction(random)) * estimateMs);
    yield { id: `r${id}`, procs: width, endMs };
    left -= width;
  }
}

/** The state with one more reservation, if the drawn one fits. */
function withReservation(state: PlainState, random: Random): PlainState {
  const need = [drawInteger(random, 8, 64)];
  const startMs = drawInteger(random, 1, RESERVED_WITHIN_MS);
  const slot = { need, startMs, durationMs: drawInteger(random, 1, 4) * 3_600_000 };
  if (!plainIsPossible(state, slot)) return state;
  return { ...state, reservations: [...state.reservations, { id: state.reservations.length, ...slot }] };
}

/** Computes the timed price list. */
function listOf({ machine, slot }: Scene): readonly PricedStart[] {
  return priceList(prepareImpact(machine), { pool: 0, ...slot }, { kind: "whenever" }, PLAIN_PRICE);
}

/**
 * Prices some starts of a list in another way.
 *
 * @returns the time of one
 *
 * @throws Error if a price differs
 */
function checkedMs(scene: Scene, list: readonly PricedStart[], price: (startMs: number) => number): number {
  let tookMs = 0;
  for (let i = 0; i < CHECKED_STARTS; i++) {
    const { startMs, fixedProcMs } = list[Math.floor((i * list.length) / CHECKED_STARTS)];
    const beforeMs = processorMs();
    const other = price(startMs);
    tookMs += processorMs() - beforeMs;
    if (other !== fixedProcMs) {
      throw new Error(`${scene.state.discipline} at ${startMs}: ${fixedProcMs} is not ${other}`);
    }
  }
  return tookMs / CHECKED_STARTS;
}

function plainPrice({ state, slot }: Scene, startMs: number): number {
  const [row] = plainQuote(state, slot.need, slot.durationMs, { startMs });
  return Number(row.fixedProcMs);
}

/** Price by a copy of the machine, as a single quote computes it. */
function machinePrice({ machine, slot }: Scene, startMs: number): number {
  const delays = delaysBy(prepareImpact(machine), { pool: 0, ...slot, startMs });
  if (delays === undefined) throw new Error("what is in the list is possible");
  return delays.reduce((sum, { costProcMs }) => sum + costProcMs, 0);
}

function bench(discipline: Discipline, { waiting, goalMs, warmUp }: (typeof GOALS)[number]): void {
  const timesMs: number[] = [];
  let candidates = 0;
  const ratios: number[] = [];
  const plain = waiting <= 100;
  for (let seed = -warmUp; seed < LISTS; seed++) {
    const scene = drawScene(seed + warmUp + 1, discipline, waiting);
    const beganMs = processorMs();
    const list = listOf(scene);
    const tookMs = processorMs() - beganMs;
    if (seed < 0) continue;
    timesMs.push(tookMs);
    candidates += list.length;
    if (seed >= CHECKED_LISTS) continue;
    const priceOf = (startMs: number) => (plain ? plainPrice(scene, startMs) : machinePrice(scene, startMs));
    ratios.push((checkedMs(scene, list, priceOf) * list.length) / tookMs);
  }
  timesMs.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((part) => timesMs[Math.ceil(part * LISTS) - 1]);
  const isGood = p99 <= goalMs;
  const starts = (candidates / LISTS).toFixed(0);
  const reference = plain ? "the plain version" : "a copy of the machine for each start";
  const verdict = isGood ? "within" : "OVER";
  if (!isGood) process.exitCode = 1;
  const ratio = ratios.reduce((sum, it) => sum + it, 0) / ratios.length;
  console.log(
    `${discipline.padEnd(12)} ${String(waiting).padStart(5)} jobs, ${starts} starts:` +
      ` p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms  ${verdict} ${goalMs} ms;` +
      ` 1/${ratio.toFixed(0)} of ${reference}`,
  );
}

/** Processor time of this process, which other load affects less than wall time. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const words = process.argv.slice(2);
const isMeant = (word: string, all: readonly string[]) =>
  words.includes(word) || !words.some((it) => all.includes(it));
const sizes = GOALS.map(({ waiting }) => String(waiting));
for (const goal of GOALS) {
  if (!isMeant(String(goal.waiting), sizes)) continue;
  for (const discipline of DISCIPLINES) {
    if (isMeant(discipline, DISCIPLINES)) bench(discipline, goal);
  }
}
