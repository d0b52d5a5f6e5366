/** Sums of amounts over time, for the checker of plans. */

/** Half-open: what ends at an instant is over then. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Memory and GPUs of a site that are free from an instant on. */
export interface StatedFree {
  readonly fromMs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

type Amount = Span & { readonly amount: number };

/** Memory and GPUs in use, or reserved, are among those that are free at every instant. */
export function checkFreeBeside(
  { name, freeBeside = [] }: { readonly name: string; readonly freeBeside?: readonly StatedFree[] },
  { verb, memory, gpus }: { verb: string; memory: readonly Amount[]; gpus: readonly Amount[] },
  broken: string[],
): void {
  for (const [at, { fromMs, memoryBytes, gpus: freeGpus }] of freeBeside.entries()) {
    const toMs = freeBeside[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    const cut = (spans: readonly Amount[]) =>
      peakOf(
        spans.map((one) => ({
          ...{ amount: one.amount, fromMs: Math.max(one.fromMs, fromMs), toMs: Math.min(one.toMs, toMs) },
        })),
      );
    const [usedMemory, usedGpus] = [cut(memory), cut(gpus)];
    if (usedMemory.peak > memoryBytes) {
      broken.push(
        `${name}: ${usedMemory.peak} bytes of memory ${verb} at ${usedMemory.atMs} ms, ${memoryBytes} free`,
      );
    }
    if (usedGpus.peak > freeGpus) {
      broken.push(`${name}: ${usedGpus.peak} GPUs ${verb} at ${usedGpus.atMs} ms, ${freeGpus} free`);
    }
  }
}

/** The largest sum of amounts at one instant. */
export function peakOf(spans: readonly (Span & { readonly amount: number })[]): {
  peak: number;
  atMs: number;
} {
  const changes = spans
    .filter(({ fromMs, toMs }) => fromMs < toMs)
    .flatMap(({ fromMs, toMs, amount }) => [
      { atMs: fromMs, by: amount },
      { atMs: toMs, by: -amount },
    ])
    .sort((one, other) => one.atMs - other.atMs || one.by - other.by);
  let [now, peak, peakAtMs] = [0, 0, 0];
  for (const { atMs, by } of changes) {
    now += by;
    if (now > peak) [peak, peakAtMs] = [now, atMs];
  }
  return { peak, atMs: peakAtMs };
}
