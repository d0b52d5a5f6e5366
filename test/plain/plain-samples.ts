/**
 * Samples of use by rule ST-26 alone: every slot is kept, and every question
 * answered from the slots. No folding, and so nothing that could fold wrongly. In memory.
 */
import type { SeriesGrid } from "../../src/policy/index.ts";
import type { Sample, SampleBatch, SampledSeries, Samples } from "../../src/runtime/index.ts";

interface Place {
  /** By the begin of the slot: what was named. */
  readonly slots: Map<number, ReadonlyMap<string, number>>;
  /** What stood from an instant on, in the order in which it was said. */
  readonly said: { atMs: number; standing: ReadonlyMap<string, number> }[];
}

/** A store that forgets nothing but what is asked to be dropped for the counting of late samples. */
export function plainSamples(): Samples {
  const places = new Map<string, Place>();
  const sources = new Map<string, number>();
  const notes = new Map<string, string>();
  let droppedUntilMs = -Infinity;
  const placeOf = (name: string): Place => {
    const place = places.get(name) ?? { slots: new Map(), said: [] };
    places.set(name, place);
    return place;
  };
  const take = ({ place: name, atMs, slots = 1, values, standing }: Sample, isNumbered: boolean) => {
    const place = placeOf(name);
    const last = Math.floor(atMs / 10_000) * 10_000;
    for (let back = 0; back < slots; back++) {
      const slot = last - back * 10_000;
      if (place.slots.has(slot) || (!isNumbered && slot < droppedUntilMs)) continue;
      place.slots.set(slot, new Map(values));
    }
    const isLate = place.said.some(({ atMs: saidAtMs }) => saidAtMs > last);
    if (isLate || (!isNumbered && last < droppedUntilMs)) return;
    place.said.push({ atMs: last, standing: new Map(standing) });
  };
  return {
    async add({ samples, numbered, notes: said = [] }: SampleBatch) {
      if (numbered !== undefined) {
        if (numbered.seq <= (sources.get(numbered.source) ?? 0)) return false;
        sources.set(numbered.source, numbered.seq);
      }
      for (const sample of samples) take(sample, numbered !== undefined);
      for (const { place, text } of said) notes.set(place, text);
      return true;
    },
    lastOf: async (source) => sources.get(source) ?? 0,
    course: async (name, grid) => courseOf(placeOf(name), grid),
    notes: async (prefix) =>
      [...notes]
        .filter(([place]) => place.startsWith(prefix))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([place, text]) => ({ place, text })),
    async prune(nowMs) {
      droppedUntilMs = Math.floor((nowMs - 24 * 3_600_000) / 10_000) * 10_000;
    },
    close: async () => undefined,
  };
}

function courseOf({ slots, said }: Place, grid: SeriesGrid): SampledSeries {
  const { fromMs, untilMs, stepMs } = grid;
  const steps = Array.from({ length: (untilMs - fromMs) / stepMs }, (_, step) => {
    const begin = fromMs + step * stepMs;
    return [...slots].filter(([at]) => at >= begin && at < begin + stepMs).map(([, values]) => values);
  });
  const names = new Set(
    steps.flat().flatMap((values) => [...values].flatMap(([n, v]) => (v > 0 ? [n] : []))),
  );
  const values = [...names].sort().map((name) => ({
    name,
    parts: steps.map((all) => {
      if (all.length === 0) return null;
      const each = all.map((one) => one.get(name) ?? 0);
      const sum = each.reduce((total, value) => total + BigInt(value), 0n);
      const mean = Number((sum * 1000n) / BigInt(each.length)) / 1000;
      return { mean, min: Math.min(...each), max: Math.max(...each) };
    }),
  }));
  return { grid, covered: steps.map((all) => all.length), values, standing: standingOf(said, grid) };
}

/** Of several words about one instant the last counts. */
function standingOf(said: Place["said"], { fromMs, untilMs, stepMs }: SeriesGrid) {
  const inOrder = [...said.entries()].sort(([i, a], [j, b]) => a.atMs - b.atMs || i - j).map(([, it]) => it);
  const names = [...new Set(inOrder.flatMap(({ standing }) => [...standing.keys()]))].sort();
  const steps = Array.from(
    { length: (untilMs - fromMs) / stepMs },
    (_, step) => fromMs + (step + 1) * stepMs,
  );
  return names
    .map((name) => ({
      name,
      parts: steps.map((end) => inOrder.findLast(({ atMs }) => atMs < end)?.standing.get(name) ?? null),
    }))
    .filter(({ parts }) => parts.some((part) => part !== null));
}
