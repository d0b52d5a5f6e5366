/**
 * Streams, plainly: admission, selection and bandwidth as the text has them, without any shortcut.
 *
 * Source: [STREAM] 3.1, 3.2 and 3.5. Nothing is kept between two tests: what is free is summed anew each
 * time.
 */

/** A stream with its minima. */
export interface PlainStream {
  readonly id: string;
  readonly procs: number;
  readonly classes: readonly string[];
  readonly link: string;
  readonly bytesPerSec: number;
  readonly storageBytes: number;
  readonly weight: number;
  readonly weightStep: number;
  readonly weightPeriodMs: number;
  readonly submittedMs: number;
}

/** A stream that has resources. */
export type PlainHolder = Pick<PlainStream, "id" | "link" | "bytesPerSec" | "storageBytes"> & {
  readonly procs: Readonly<Record<string, number>>;
};

/** A pool. */
export interface PlainPool {
  readonly procs: Readonly<Record<string, number>>;
  readonly inboundBytesPerSec: Readonly<Record<string, number>>;
  readonly storageBytes: number;
}

/** The three conditions: true where the stream has to wait. */
export function plainWaits(stream: PlainStream, pool: PlainPool, holders: readonly PlainHolder[]): boolean {
  let eligible = 0;
  for (const name of stream.classes) eligible += Math.max(0, plainFree(name, pool, holders));
  if (eligible < stream.procs) return true;
  let rate = stream.bytesPerSec;
  for (const one of holders) if (one.link === stream.link) rate += one.bytesPerSec;
  if (rate > pool.inboundBytesPerSec[stream.link]) return true;
  let bytes = stream.storageBytes;
  for (const one of holders) bytes += one.storageBytes;
  return bytes > pool.storageBytes;
}

function plainFree(name: string, pool: PlainPool, holders: readonly PlainHolder[]): number {
  let free = pool.procs[name];
  for (const one of holders) free -= one.procs[name] ?? 0;
  return free;
}

/** Weight at an instant. */
export function plainWeight(stream: PlainStream, nowMs: number): number {
  let weight = stream.weight;
  for (let atMs = stream.submittedMs + stream.weightPeriodMs; atMs <= nowMs; atMs += stream.weightPeriodMs) {
    weight += stream.weightStep;
  }
  return weight;
}

/** Who starts, in order, where nobody reserves. */
export function plainSelection(
  waiting: readonly PlainStream[],
  { pool, running, nowMs }: { pool: PlainPool; running: readonly PlainHolder[]; nowMs: number },
): readonly PlainHolder[] {
  const holders = [...running];
  const started: PlainHolder[] = [];
  const rest = [...waiting];
  while (rest.length > 0) {
    let next = rest[0];
    for (const one of rest) if (isBefore(one, next, nowMs)) next = one;
    rest.splice(rest.indexOf(next), 1);
    if (plainWaits(next, pool, holders)) continue;
    const procs: Record<string, number> = {};
    let missing = next.procs;
    for (const name of next.classes) {
      const taken = Math.min(missing, Math.max(0, plainFree(name, pool, holders)));
      if (taken > 0) procs[name] = taken;
      missing -= taken;
    }
    const holder = { ...next, procs };
    holders.push(holder);
    started.push(holder);
  }
  return started;
}

function isBefore(one: PlainStream, other: PlainStream, nowMs: number): boolean {
  const [own, its] = [one, other].map((it) => Math.floor(plainWeight(it, nowMs)));
  if (own !== its) return own > its;
  if (one.submittedMs !== other.submittedMs) return one.submittedMs < other.submittedMs;
  return one.id < other.id;
}

/** A utility of the rate, and its bounds. */
export interface PlainSession {
  readonly least: number;
  readonly most: number;
  readonly utility: (rate: number) => number;
}

/**
 * The greatest sum of utilities on a grid of so many steps of the link, by dynamic programming over the
 * sessions: best[k] is the best with k steps for the sessions so far. For utilities of any shape.
 */
export function plainBestUtility(sessions: readonly PlainSession[], inbound: number, steps: number): number {
  const size = inbound / steps;
  let best = [0, ...Array.from({ length: steps }, () => Number.NEGATIVE_INFINITY)];
  for (const { least, most, utility } of sessions) {
    const next = best.map(() => Number.NEGATIVE_INFINITY);
    const [from, to] = [Math.ceil(least / size - 1e-9), Math.floor(most / size + 1e-9)];
    for (let own = from; own <= Math.min(to, steps); own++) {
      const gain = utility(own * size);
      for (let before = 0; before + own <= steps; before++) {
        next[before + own] = Math.max(next[before + own], best[before] + gain);
      }
    }
    best = next;
  }
  return Math.max(...best);
}

/** Rates of concave utilities: small parts of the link, each to the session that gains most by it. */
export function plainGreedyRates(
  sessions: readonly PlainSession[],
  inbound: number,
  parts: number,
): number[] {
  const rates = sessions.map(({ least }) => least);
  const part = (inbound - rates.reduce((sum, rate) => sum + rate, 0)) / parts;
  for (let round = 0; round < parts; round++) {
    let best = -1;
    let most = 0;
    for (const [at, session] of sessions.entries()) {
      const next = Math.min(session.most, rates[at] + part);
      const gain = session.utility(next) - session.utility(rates[at]);
      if (gain > most) [best, most] = [at, gain];
    }
    if (best >= 0) rates[best] = Math.min(sessions[best].most, rates[best] + part);
  }
  return rates;
}
