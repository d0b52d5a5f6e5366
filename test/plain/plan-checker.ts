/**
 * An independent checker of plans, written from specification 30 and 35 alone; it shares no code with the
 * planners.
 *
 * It takes the workflow and the platform as their files state them and a plan as `stint plan -o json` writes
 * it, and names every rule that the plan breaks: each task once, at a known site, as long as its files need
 * to get there and it runs there; no task before its parents' data have arrived; no resource of a site
 * exceeded at any instant, nor a limit on the tasks that run at once; reservations within what is sold, and
 * every task within reservations; makespan and both costs as they follow from these.
 */

import { checkFreeBeside, peakOf, type Span, type StatedFree } from "./plan-checker-amounts.ts";

/** A task as its file states it. Times in milliseconds. */
export interface StatedTask {
  readonly id: string;
  readonly procs: number;
  readonly runtimeMs?: number;
  readonly runtimesMs?: Readonly<Record<string, number>>;
  readonly memoryBytes?: number;
  readonly gpus?: number;
  readonly amounts?: Readonly<Record<string, number>>;
  readonly parents: readonly { readonly id: string; readonly bytes: number }[];
  /** Files that exist before the plan, with the sites that have them. */
  readonly inputs?: readonly { readonly bytes: number; readonly at?: readonly string[] }[];
  readonly rules?: { readonly category?: string };
}

/** Limits on the tasks that run at once: of all, and of categories. */
export interface StatedLimits {
  readonly maxRunning?: number;
  readonly maxRunningOf?: Readonly<Record<string, number>>;
}

/** A slot that a site sells. */
export interface StatedSlot {
  readonly startMs: number;
  readonly procs: number;
  readonly durationMs: number;
  readonly price: number;
  readonly fixedSu: number;
  readonly divisible: boolean;
  readonly extensible: boolean;
}

/** A site as the platform states it. */
export interface StatedSite {
  readonly name: string;
  readonly procs: number;
  readonly speed: number;
  readonly memoryBytes?: number;
  readonly gpus?: number;
  readonly amounts?: Readonly<Record<string, number>>;
  readonly price: number;
  readonly slots?: readonly StatedSlot[];
  /** Memory and GPUs that are free, from each instant until the next; absent: all, always. */
  readonly freeBeside?: readonly StatedFree[];
}

interface StatedLink {
  readonly latencyMs: number;
  readonly bytesPerSec: number;
}

/** Sites and the links between them. */
export interface StatedPlatform {
  readonly sites: readonly StatedSite[];
  readonly link?: StatedLink;
  readonly pairs: readonly (StatedLink & { readonly from: string; readonly to: string })[];
}

/** What a plan claims. Times in seconds from the plan's begin, as in its JSON. */
export interface ClaimedPlan {
  readonly makespanSec: number;
  readonly planningCostSu?: number;
  readonly packedCostSu?: number;
  readonly tasks: readonly {
    readonly id: string;
    readonly site: string;
    readonly procs: number;
    readonly startSec: number;
    readonly endSec: number;
    /** Part of its time in which its input files are brought; absent: none. */
    readonly stageInSec?: number;
    /** Number of the reservation in which it runs; absent: of none alone. */
    readonly reservation?: number;
  }[];
  readonly reservations?: readonly {
    readonly site: string;
    /** Number of the slot at its site; absent where the site sells none. */
    readonly slot?: number;
    readonly procs: number;
    readonly memoryBytes?: number;
    readonly gpus?: number;
    readonly startSec: number;
    readonly endSec: number;
  }[];
}

type Placed = Span & { readonly task: StatedTask; readonly site: StatedSite };
type Reserved = Span & {
  readonly site: StatedSite;
  readonly slot?: StatedSlot;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
};

/** Every rule that a plan breaks, in words; empty where it holds. */
export function checkPlan(
  tasks: readonly StatedTask[],
  platform: StatedPlatform,
  plan: ClaimedPlan,
  limits: StatedLimits = {},
): readonly string[] {
  const broken: string[] = [];
  const placed = placements(tasks, platform, plan, broken);
  checkPrecedence(placed, platform, broken);
  checkLimits([...placed.values()], limits, broken);
  for (const site of platform.sites) {
    checkCapacity(
      site,
      [...placed.values()].filter((one) => one.site === site),
      broken,
    );
  }
  const reserved = reservationsOf(platform, plan, broken);
  checkInside(plan, placed, broken);
  if (plan.reservations !== undefined) checkReservations([...placed.values()], reserved, platform, broken);
  const last = Math.max(0, ...[...placed.values()].map(({ toMs }) => toMs));
  if (milliseconds(plan.makespanSec) !== last) {
    broken.push(`makespan: ${plan.makespanSec} s claimed, the last task ends at ${last / 1000} s`);
  }
  checkCost(plan, reserved, broken);
  if (plan.reservations !== undefined) checkPlanningCost(plan, [...placed.values()], broken);
  return broken;
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

function placements(
  tasks: readonly StatedTask[],
  platform: StatedPlatform,
  plan: ClaimedPlan,
  broken: string[],
): ReadonlyMap<string, Placed> {
  const placed = new Map<string, Placed>();
  for (const claim of plan.tasks) {
    const task = tasks.find(({ id }) => id === claim.id);
    const site = platform.sites.find(({ name }) => name === claim.site);
    if (task === undefined) broken.push(`${claim.id}: no task of the workflow`);
    else if (site === undefined) broken.push(`${claim.id}: no site ${claim.site}`);
    else if (placed.has(claim.id)) broken.push(`${claim.id}: planned twice`);
    else {
      const span = { fromMs: milliseconds(claim.startSec), toMs: milliseconds(claim.endSec) };
      placed.set(claim.id, { task, site, ...span });
      const own = task.runtimesMs?.[site.name] ?? (task.runtimeMs ?? Number.NaN) / site.speed;
      const stagingMs = stagingMsOf(task, site, platform);
      if (span.toMs - span.fromMs !== Math.ceil(own) + stagingMs) {
        const staged = stagingMs === 0 ? "" : `, after ${stagingMs} ms for its files`;
        broken.push(
          `${task.id}: lasts ${span.toMs - span.fromMs} ms, runs ${own} ms at ${site.name}${staged}`,
        );
      }
      if (milliseconds(claim.stageInSec ?? 0) !== stagingMs) {
        broken.push(`${task.id}: ${claim.stageInSec ?? 0} s of stage-in claimed, not ${stagingMs} ms`);
      }
      if (span.fromMs < 0) broken.push(`${task.id}: starts before the plan begins`);
      if (claim.procs !== task.procs) broken.push(`${task.id}: ${claim.procs} processors, not ${task.procs}`);
    }
  }
  for (const { id } of tasks) if (!placed.has(id)) broken.push(`${id}: not planned`);
  return placed;
}

/** Time for the inputs of a task that its site lacks, in ms, over the one link of all sites. */
function stagingMsOf({ inputs = [] }: StatedTask, { name }: StatedSite, { link }: StatedPlatform): number {
  let bytes = 0;
  let isAnyAway = false;
  for (const file of inputs) {
    if (file.at?.includes(name) === true) continue;
    isAnyAway = true;
    bytes += file.bytes;
  }
  if (link === undefined || !isAnyAway) return 0;
  return link.latencyMs + Math.ceil((bytes * 1000) / link.bytesPerSec - 1e-6);
}

function checkLimits(placed: readonly Placed[], limits: StatedLimits, broken: string[]): void {
  const { maxRunning = Number.POSITIVE_INFINITY, maxRunningOf = {} } = limits;
  const groups: [string, number, readonly Placed[]][] = [["all", maxRunning, placed]];
  for (const [category, most] of Object.entries(maxRunningOf)) {
    groups.push([category, most, placed.filter(({ task }) => task.rules?.category === category)]);
  }
  for (const [name, most, some] of groups) {
    const { peak, atMs } = peakOf(some.map((one) => ({ ...one, amount: 1 })));
    if (peak > most) broken.push(`${name}: ${peak} tasks run at ${atMs} ms, of ${most} at once`);
  }
}

function checkPrecedence(
  placed: ReadonlyMap<string, Placed>,
  platform: StatedPlatform,
  broken: string[],
): void {
  for (const { task, site, fromMs } of placed.values()) {
    for (const { id, bytes } of task.parents) {
      const parent = placed.get(id);
      if (parent === undefined) continue;
      const arrivesMs = parent.toMs + transferMs(platform, parent.site, site, bytes);
      if (fromMs < arrivesMs) {
        broken.push(`${task.id}: starts at ${fromMs} ms, the data of ${id} arrive at ${arrivesMs} ms`);
      }
    }
  }
}

function transferMs(
  { pairs, link }: StatedPlatform,
  from: StatedSite,
  to: StatedSite,
  bytes: number,
): number {
  if (from === to) return 0;
  const own = pairs.filter(
    (pair) =>
      (pair.from === from.name && pair.to === to.name) || (pair.from === to.name && pair.to === from.name),
  );
  const used = own.at(-1) ?? link;
  return used === undefined
    ? Number.POSITIVE_INFINITY
    : used.latencyMs + Math.ceil((bytes * 1000) / used.bytesPerSec - 1e-6);
}

/** At every instant at which a task starts, what runs needs no more of each resource than there is. */
function checkCapacity(site: StatedSite, placed: readonly Placed[], broken: string[]): void {
  const resources: [string, number, (task: StatedTask) => number][] = [
    ["processors", site.procs, (task) => task.procs],
    ["bytes of memory", site.memoryBytes ?? Number.POSITIVE_INFINITY, (task) => task.memoryBytes ?? 0],
    ["GPUs", site.gpus ?? 0, (task) => task.gpus ?? 0],
  ];
  const names = new Set(placed.flatMap(({ task }) => Object.keys(task.amounts ?? {})));
  for (const name of names) {
    resources.push([name, site.amounts?.[name] ?? 0, (task) => task.amounts?.[name] ?? 0]);
  }
  for (const [name, capacity, need] of resources) {
    const { peak, atMs } = peakOf(placed.map((one) => ({ ...one, amount: need(one.task) })));
    if (peak > capacity) broken.push(`${site.name}: ${peak} ${name} in use at ${atMs} ms of ${capacity}`);
  }
  const memory = placed.map((one) => ({ ...one, amount: one.task.memoryBytes ?? 0 }));
  const gpus = placed.map((one) => ({ ...one, amount: one.task.gpus ?? 0 }));
  checkFreeBeside(site, { verb: "in use", memory, gpus }, broken);
}

/** The tasks that are to run in a reservation lie within its time, and all that they need at once in it. */
function checkInside(plan: ClaimedPlan, placed: ReadonlyMap<string, Placed>, broken: string[]): void {
  for (const [number, claim] of (plan.reservations ?? []).entries()) {
    const inside = plan.tasks.flatMap(({ id, reservation }) => {
      const one = placed.get(id);
      return reservation === number && one !== undefined ? [one] : [];
    });
    const [fromMs, toMs] = [milliseconds(claim.startSec), milliseconds(claim.endSec)];
    for (const one of inside) {
      if (one.site.name !== claim.site || one.fromMs < fromMs || one.toMs > toMs) {
        broken.push(`${one.task.id}: not within reservation ${number}`);
      }
    }
    const needed = {
      processors: [claim.procs, (task: StatedTask) => task.procs],
      "bytes of memory": [claim.memoryBytes ?? 0, (task: StatedTask) => task.memoryBytes ?? 0],
      GPUs: [claim.gpus ?? 0, (task: StatedTask) => task.gpus ?? 0],
    } as const;
    for (const [name, [held, need]] of Object.entries(needed)) {
      const { peak, atMs } = peakOf(inside.map((one) => ({ ...one, amount: need(one.task) })));
      if (peak > held)
        broken.push(`reservation ${number}: its tasks need ${peak} ${name} at ${atMs} ms, of ${held}`);
    }
  }
}

function reservationsOf({ sites }: StatedPlatform, plan: ClaimedPlan, broken: string[]): Reserved[] {
  return (plan.reservations ?? []).flatMap((claim, at) => {
    const site = sites.find(({ name }) => name === claim.site);
    const slot = claim.slot === undefined ? undefined : site?.slots?.[claim.slot];
    if (site === undefined || (site.slots !== undefined && slot === undefined)) {
      broken.push(`reservation ${at}: of no site, or of no slot that ${claim.site} sells`);
      return [];
    }
    const span = { fromMs: milliseconds(claim.startSec), toMs: milliseconds(claim.endSec) };
    const { procs, memoryBytes = 0, gpus = 0 } = claim;
    return [{ site, ...(slot === undefined ? {} : { slot }), procs, memoryBytes, gpus, ...span }];
  });
}

function checkReservations(
  placed: readonly Placed[],
  reserved: readonly Reserved[],
  { sites }: StatedPlatform,
  broken: string[],
): void {
  for (const site of sites) {
    const own = reserved.filter((one) => one.site === site);
    checkSold(site, own, broken);
    const running = placed.filter((one) => one.site === site && one.task.procs > 0 && one.fromMs < one.toMs);
    for (const { task, fromMs, toMs } of running) {
      const around = own.filter((one) => one.fromMs <= fromMs && toMs <= one.toMs);
      const procs = around.reduce((sum, one) => sum + one.procs, 0);
      if (procs < task.procs) broken.push(`${task.id}: reservations around it have ${procs} processors`);
    }
    for (const { fromMs } of running) {
      const needed = procsAt(
        running.map((one) => ({ ...one, procs: one.task.procs })),
        fromMs,
      );
      const held = procsAt(own, fromMs);
      if (needed > held)
        broken.push(`${site.name}: ${needed} processors needed at ${fromMs} ms, ${held} held`);
    }
  }
}

/** What is reserved lies within the site, or within the slots that it sells, by their rules. */
function checkSold(site: StatedSite, reserved: readonly Reserved[], broken: string[]): void {
  const amounts = reserved.map((one) => ({ ...one, amount: one.procs }));
  const { peak, atMs } = peakOf(amounts);
  if (peak > site.procs) broken.push(`${site.name}: ${peak} processors reserved at ${atMs} ms`);
  const { memoryBytes = Number.POSITIVE_INFINITY, gpus = 0 } = site;
  const memory = reserved.map((one) => ({ ...one, amount: one.memoryBytes }));
  const devices = reserved.map((one) => ({ ...one, amount: one.gpus }));
  const all = { ...site, freeBeside: site.freeBeside ?? [{ fromMs: 0, memoryBytes, gpus }] };
  checkFreeBeside(all, { verb: "reserved", memory, gpus: devices }, broken);
  for (const [at, slot] of (site.slots ?? []).entries()) {
    const own = amounts.filter((one) => one.slot === slot);
    const endMs = slot.startMs + slot.durationMs;
    for (const { fromMs, toMs, procs } of own) {
      if (fromMs < slot.startMs || (toMs > endMs && !slot.extensible)) {
        broken.push(`${site.name}: a reservation goes beyond slot ${at}`);
      }
      const isWhole = procs === slot.procs && fromMs === slot.startMs && toMs >= endMs;
      if (!slot.divisible && (own.length > 1 || !isWhole)) {
        broken.push(`${site.name}: slot ${at} is sold as a whole`);
      }
    }
    if (peakOf(own).peak > slot.procs) broken.push(`${site.name}: slot ${at} is sold twice`);
  }
}

function procsAt(spans: readonly (Span & { readonly procs: number })[], atMs: number): number {
  return spans.reduce((sum, { fromMs, toMs, procs }) => sum + (fromMs <= atMs && atMs < toMs ? procs : 0), 0);
}

const PROC_MS_PER_SU = 3_600_000;

/** The packed cost is n·d·c + f of each reservation; the planning cost is that before packing. */
function checkCost(plan: ClaimedPlan, reserved: readonly Reserved[], broken: string[]): void {
  if (plan.reservations === undefined || plan.packedCostSu === undefined) return;
  const packed = reserved.reduce((sum, { site, slot, procs, fromMs, toMs }) => {
    const { price, fixedSu } = slot ?? { price: site.price, fixedSu: 0 };
    return sum + (procs * (toMs - fromMs) * price) / PROC_MS_PER_SU + fixedSu;
  }, 0);
  if (Math.abs(packed - plan.packedCostSu) > 1e-6 * Math.max(1, packed)) {
    broken.push(`packed cost: ${plan.packedCostSu} SU claimed, the reservations cost ${packed} SU`);
  }
}

/**
 * Where no slots are sold, the planning cost is no less than n·d·c of each task, which a rectangle around
 * several exceeds, and no more than the packed cost, since joining rectangles can only add idle time.
 */
function checkPlanningCost(plan: ClaimedPlan, placed: readonly Placed[], broken: string[]): void {
  const { planningCostSu, packedCostSu } = plan;
  if (planningCostSu === undefined || placed.some(({ site }) => site.slots !== undefined)) return;
  const used = placed.reduce(
    (sum, { task, site, fromMs, toMs }) => sum + (task.procs * (toMs - fromMs) * site.price) / PROC_MS_PER_SU,
    0,
  );
  const margin = 1e-6 * Math.max(1, used);
  if (planningCostSu < used - margin) {
    broken.push(`planning cost: ${planningCostSu} SU claimed, the tasks use ${used} SU`);
  }
  if (packedCostSu !== undefined && planningCostSu > packedCostSu + margin) {
    broken.push(`planning cost: ${planningCostSu} SU claimed, more than the packed ${packedCostSu} SU`);
  }
}
