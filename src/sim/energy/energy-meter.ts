/**
 * Energy of a simulated schedule by a model of idle, busy and switched-off processors (rule SI-88).
 *
 * All processors are alike; of the idle ones those are taken first that became idle last, so that the others
 * can stay off. Starts are not delayed: whoever switches on does so in time. Equivalent to following each
 * processor by itself; for speed those that became idle together are one entry of a stack.
 * Cost: O(n log n); memory: three numbers a run of a job.
 */
import { MS_PER_HOUR } from "../../base/index.ts";
import type { EnergyUse, PowerModel } from "../../model/index.ts";

const WATTS_PER_KILOWATT = 1000;

/** A stretch in which so many processors were busy. */
export interface BusyRun {
  readonly procs: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Processors that are idle since the same instant. */
interface IdleProcs {
  readonly sinceMs: number;
  count: number;
}

/** In processor-milliseconds. */
interface Spent {
  busy: number;
  idle: number;
  off: number;
  boot: number;
  boots: number;
}

/**
 * The energy of runs that never take more than `procs` at once, from 0 to the last end.
 *
 * @param runs at least one, in any order
 */
export function energyOf(model: PowerModel, procs: number, runs: readonly BusyRun[]): EnergyUse {
  const spent: Spent = { busy: 0, idle: 0, off: 0, boot: 0, boots: 0 };
  const idle: IdleProcs[] = [{ sinceMs: 0, count: procs }];
  let lastMs = 0;
  for (const { atMs, procs: change } of changesOf(runs)) {
    lastMs = atMs;
    if (change > 0) idle.push({ sinceMs: atMs, count: change });
    else take(model, idle, { count: -change, atMs, spent });
  }
  for (const { procs: count, startMs, endMs } of runs) spent.busy += count * (endMs - startMs);
  for (const { sinceMs, count } of idle) leave(model, lastMs - sinceMs, count, spent);
  return kilowattHours(model, spent);
}

/** Processors that become idle (above 0) or busy; at one instant ends come first. */
function changesOf(runs: readonly BusyRun[]): readonly { readonly atMs: number; readonly procs: number }[] {
  return runs
    .flatMap(({ procs, startMs, endMs }) => [
      { atMs: startMs, procs: -procs },
      { atMs: endMs, procs },
    ])
    .sort((one, other) => one.atMs - other.atMs || other.procs - one.procs);
}

interface Taking {
  readonly count: number;
  readonly atMs: number;
  readonly spent: Spent;
}

/** Makes idle processors busy, the latest first. */
function take(model: PowerModel, idle: IdleProcs[], { count, atMs, spent }: Taking): void {
  let missing = count;
  while (missing > 0) {
    const top = idle[idle.length - 1];
    if (top === undefined) throw new Error("what must hold: no more is busy than there is");
    const taken = Math.min(missing, top.count);
    const gapMs = atMs - top.sinceMs;
    if (model.offAfterMs !== undefined && gapMs > model.offAfterMs) {
      spent.boots += taken;
      spent.boot += taken * model.bootMs;
      spent.idle += taken * model.offAfterMs;
      spent.off += taken * Math.max(0, gapMs - model.offAfterMs - model.bootMs);
    } else spent.idle += taken * gapMs;
    missing -= taken;
    top.count -= taken;
    if (top.count === 0) idle.pop();
  }
}

/** Processors that are idle to the end. */
function leave(
  { offAfterMs = Number.POSITIVE_INFINITY }: PowerModel,
  gapMs: number,
  count: number,
  spent: Spent,
): void {
  spent.idle += count * Math.min(gapMs, offAfterMs);
  spent.off += count * Math.max(0, gapMs - offAfterMs);
}

function kilowattHours({ idleWatts, busyWatts, offWatts }: PowerModel, spent: Spent): EnergyUse {
  const kwh = (procMs: number, watts: number): number =>
    ((procMs / MS_PER_HOUR) * watts) / WATTS_PER_KILOWATT;
  const parts = {
    busyKwh: kwh(spent.busy, busyWatts),
    idleKwh: kwh(spent.idle, idleWatts),
    offKwh: kwh(spent.off, offWatts),
    bootKwh: kwh(spent.boot, busyWatts),
  };
  const totalKwh = parts.busyKwh + parts.idleKwh + parts.offKwh + parts.bootKwh;
  const kwhPerProcHour = totalKwh / (spent.busy / MS_PER_HOUR);
  return { totalKwh, ...parts, boots: spent.boots, kwhPerProcHour };
}
