/**
 * What an enforcer that polls owes, measured from samples of a cluster's queue alone.
 *
 * Written from spec and sources, without a look at the enforcer: whatever keeps the limits would do, and
 * nothing here knows who does. Times in ms since the play began; processors only.
 */

/** A job as a sample shows it. */
export interface SampledJob {
  readonly id: string;
  readonly consumer: string;
  readonly procs: number;
  readonly state: "waiting" | "running" | "suspended";
  /** When it was submitted, and when it last began or went on; the latter counts for running jobs only. */
  readonly submittedMs: number;
}

/** The queue at an instant. */
export interface QueueSample {
  readonly atMs: number;
  readonly jobs: readonly SampledJob[];
}

/** What a consumer may use, in processors; whole numbers. */
export interface ConsumerLimit {
  readonly consumer: string;
  /** At any instant. */
  readonly burstProcs: number;
  /** Of the sliding window. */
  readonly epochProcs: number;
  readonly windowMs: number;
}

/** Which promise is judged. */
export interface OwedOrder {
  readonly procs: number;
  readonly limits: readonly ConsumerLimit[];
  readonly mode: "shared" | "preempting" | "dedicated" | "cap";
  /** The time between two looks, with what the orders of a look take. */
  readonly lookMs: number;
  /** Judged are samples from here on: what is before is known to the windows alone. */
  readonly fromMs: number;
}

/** What came of it. Fractions are of samples, or of capacity · time. */
export interface Owed {
  readonly samples: number;
  /** Samples in which somebody was over the burst limit. */
  readonly overFraction: number;
  /** Samples in which somebody was over it by more than came between two looks. */
  readonly beyondLooks: number;
  /** By how many processors, at most. */
  readonly mostOver: number;
  /** Idle while somebody entitled waited. */
  readonly idleFraction: number;
  /** Over the epoch share of the window by more than fits between two looks; only under `cap`. */
  readonly overEpochFraction: number;
}

/** Measures what was owed and what was given. Samples are in order of time. */
export function measureOwed(samples: readonly QueueSample[], order: OwedOrder): Owed {
  const { limits, procs, fromMs } = order;
  const windows = new Map(limits.map(({ consumer }) => [consumer, new WindowSum()]));
  let [judged, over, beyond, mostOver, overEpoch] = [0, 0, 0, 0, 0];
  let [idleProcMs, judgedMs] = [0, 0];
  for (const [at, sample] of samples.entries()) {
    const lengthMs = (samples[at + 1]?.atMs ?? sample.atMs) - sample.atMs;
    const used = (consumer: string): number => usedBy(sample, consumer);
    for (const { consumer, windowMs } of limits) {
      windows.get(consumer)?.add(sample.atMs, used(consumer), lengthMs, windowMs);
    }
    if (sample.atMs < fromMs) continue;
    judged++;
    const excess = limits.map((limit) => used(limit.consumer) - limit.burstProcs);
    const unseen = limits.map(({ consumer }) => unseenProcs(sample, consumer, order.lookMs));
    if (excess.some((procsOver) => procsOver > 0)) over++;
    if (excess.some((procsOver, i) => procsOver > 0 && procsOver > (unseen[i] ?? 0))) beyond++;
    mostOver = Math.max(mostOver, ...excess);
    const usage = (limit: ConsumerLimit): number => windows.get(limit.consumer)?.procMs ?? 0;
    // What is used over a window is known to within what may run between two looks.
    const isOver = (limit: ConsumerLimit): boolean =>
      usage(limit) > limit.epochProcs * limit.windowMs + limit.burstProcs * order.lookMs &&
      used(limit.consumer) > unseenProcs(sample, limit.consumer, order.lookMs);
    if (order.mode === "cap" && limits.some(isOver)) overEpoch++;
    const isSpent = (limit: ConsumerLimit): boolean => usage(limit) >= limit.epochProcs * limit.windowMs;
    const spent = new Set(order.mode === "cap" ? limits.filter(isSpent).map(({ consumer }) => consumer) : []);
    idleProcMs += idleOwed(sample, order, spent) * lengthMs;
    judgedMs += lengthMs;
  }
  const part = (count: number): number => (judged === 0 ? Number.NaN : count / judged);
  return {
    samples: judged,
    overFraction: part(over),
    beyondLooks: beyond,
    mostOver: Math.max(0, mostOver),
    idleFraction: judgedMs === 0 ? Number.NaN : idleProcMs / (procs * judgedMs),
    overEpochFraction: part(overEpoch),
  };
}

function usedBy({ jobs }: QueueSample, consumer: string): number {
  return sum(
    jobs.flatMap((job) => (job.consumer === consumer && job.state === "running" ? [job.procs] : [])),
  );
}

/** Processors of running jobs that no look could have known: they came within two looks' time. */
function unseenProcs({ atMs, jobs }: QueueSample, consumer: string, lookMs: number): number {
  return sum(
    jobs.flatMap((job) =>
      job.consumer === consumer && job.state === "running" && atMs - job.submittedMs <= 2 * lookMs
        ? [job.procs]
        : [],
    ),
  );
}

/**
 * Processors that nobody used and that jobs of the entitled could have had, the narrowest first: within their
 * burst, under `cap` not of those who have used their epoch share, and none of what is dedicated to others.
 */
function idleOwed(
  sample: QueueSample,
  { procs, limits, mode }: OwedOrder,
  spent: ReadonlySet<string>,
): number {
  let free = procs - sum(limits.map(({ consumer }) => usedBy(sample, consumer)));
  let owed = 0;
  for (const { consumer, burstProcs } of limits) {
    if (spent.has(consumer)) continue;
    const dedicatedToOthers =
      mode === "dedicated"
        ? sum(
            limits.flatMap((other) =>
              other.consumer === consumer
                ? []
                : [Math.max(0, other.epochProcs - usedBy(sample, other.consumer))],
            ),
          )
        : 0;
    let room = Math.min(burstProcs - usedBy(sample, consumer), free - dedicatedToOthers);
    const waiting = sample.jobs
      .filter((job) => job.consumer === consumer && job.state !== "running")
      .map((job) => job.procs)
      .sort((one, other) => one - other);
    for (const width of waiting) {
      if (width > room) break;
      room -= width;
      free -= width;
      owed += width;
    }
  }
  return owed;
}

/** Use over a sliding window, as a sum of steps; what leaves the window leaves the sum. */
class WindowSum {
  private readonly steps: { readonly endMs: number; readonly procMs: number }[] = [];
  procMs = 0;

  add(atMs: number, procs: number, lengthMs: number, windowMs: number): void {
    this.steps.push({ endMs: atMs + lengthMs, procMs: procs * lengthMs });
    this.procMs += procs * lengthMs;
    while ((this.steps[0]?.endMs ?? Number.POSITIVE_INFINITY) <= atMs + lengthMs - windowMs) {
      this.procMs -= this.steps.shift()?.procMs ?? 0;
    }
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
