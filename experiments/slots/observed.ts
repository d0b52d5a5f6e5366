/**
 * What the figures need of a run's slot samples: counted as they come, since a run has hundreds of thousands
 * of slots.
 */
import { MS_PER_HOUR } from "../../src/base/index.ts";
import type { SlotSample } from "../../src/sim/index.ts";

/** How many values fell where, and how many there were. */
export interface Histogram {
  readonly counts: Map<number, number>;
  total: number;
}

/** Mean and standard deviation of what came. */
export class Moments {
  #count = 0;
  #sum = 0;
  #squares = 0;

  add(value: number): void {
    this.#count++;
    this.#sum += value;
    this.#squares += value * value;
  }

  /** The standard deviation. */
  spread(): number {
    const mean = this.#sum / this.#count;
    return Math.sqrt(Math.max(0, this.#squares / this.#count - mean * mean));
  }
}

/** The slots of one run. */
export class ObservedSlots {
  readonly counts: Histogram = { counts: new Map(), total: 0 };
  readonly procs: Histogram = { counts: new Map(), total: 0 };
  /** Hours. */
  readonly starts = new Moments();
  readonly durations = new Moments();
  extensible = 0;
  /** Extensible ones of which start and duration are the usual horizon. */
  onLine = 0;
  readonly #loads = new Map<string, readonly [number, number]>();
  readonly #shapes = new Map<string, readonly [number, number]>();

  /** Jobs in the system against slots, each pair once. */
  get loads(): Iterable<readonly [number, number]> {
    return this.#loads.values();
  }

  /** Start against duration in hours, to a tenth, each pair once. */
  get shapes(): Iterable<readonly [number, number]> {
    return this.#shapes.values();
  }

  add({ atMs, jobsInSystem, slots }: SlotSample): void {
    count(this.counts, slots.length);
    this.#loads.set(`${jobsInSystem} ${slots.length}`, [jobsInSystem, slots.length]);
    for (const { startAt, durationMs, procs, extensible } of slots) {
      const start = (startAt - atMs) / MS_PER_HOUR;
      const duration = durationMs / MS_PER_HOUR;
      count(this.procs, procs);
      this.starts.add(start);
      this.durations.add(duration);
      if (extensible) this.extensible++;
      if (extensible && startAt + durationMs - atMs === HORIZON_HOURS * MS_PER_HOUR) this.onLine++;
      const shape = [Math.round(start * 10) / 10, Math.round(duration * 10) / 10] as const;
      this.#shapes.set(shape.join(" "), shape);
    }
  }
}

/** How far slots reach that nothing ends, unless something is scheduled beyond. */
export const HORIZON_HOURS = 48;

/** The share of values from `from` to `to`, both included. */
export function shareWithin({ counts, total }: Histogram, from: number, to: number): number {
  let within = 0;
  for (const [value, times] of counts) if (value >= from && value <= to) within += times;
  return within / total;
}

function count(histogram: Histogram, value: number): void {
  histogram.counts.set(value, (histogram.counts.get(value) ?? 0) + 1);
  histogram.total++;
}
