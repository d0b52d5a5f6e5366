/** Figures of streams over time as this page has seen them: the broker keeps the last report of each. */
import type { StreamView } from "../../app/client.ts";

/** Figures of all running streams at one instant. */
export interface Sample {
  readonly at: number;
  readonly of: ReadonlyMap<string, StreamSample>;
}

/** Figures of one stream. */
export interface StreamSample {
  readonly allocated: number;
  readonly received: number;
  readonly occupied: number;
  readonly procs: number;
}

/** A line of a chart: one value for each sample, null where the stream was not there. */
export interface StreamLine {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

/** Above this, every other sample of the older half goes. */
const MOST_SAMPLES = 1200;

/** The samples with one more; the same where nothing is newer. */
export function withSample(
  samples: readonly Sample[],
  streams: readonly StreamView[],
  at: number,
): readonly Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && at <= last.at) return samples;
  const of = new Map(streams.flatMap((stream) => sampleOf(stream)));
  const more = [...samples, { at, of }];
  if (more.length <= MOST_SAMPLES) return more;
  const half = more.length / 2;
  return more.filter((_, index) => index >= half || index % 2 === 0);
}

function sampleOf({ id, endedAt, figures, procs }: StreamView): readonly (readonly [string, StreamSample])[] {
  if (endedAt !== null || figures === null) return [];
  const { allocatedBytesPerSec: allocated, receivedBytesPerSec: received, occupiedBytes: occupied } = figures;
  return [[id, { allocated, received, occupied, procs }]];
}

/** One line for each stream that is in any of the samples. */
export function linesOf(
  samples: readonly Sample[],
  names: ReadonlyMap<string, string>,
  value: (of: StreamSample) => number,
): readonly StreamLine[] {
  const ids = new Set(samples.flatMap(({ of }) => [...of.keys()]));
  return [...ids].map((id) => ({
    label: names.get(id) ?? id.slice(0, 6),
    values: samples.map(({ of }) => {
      const one = of.get(id);
      return one === undefined ? null : value(one);
    }),
  }));
}
