/**
 * Jobs of other users: a trace that is repeated without end, faster on request.
 *
 * The trace is stored in columns, and its n-th job is computed from n alone, so that a restart needs only
 * the number of jobs so far.
 */
import { Fault, mulDiv } from "../../base/index.ts";
import { readSwf, type SwfBatch, swfField, traceBytes } from "../../formats/index.ts";
import type { ClusterRules } from "./simulated-cluster.ts";

/** A job of another user; instants in ms of the site's clock. */
interface BackgroundJob {
  readonly submittedAtMs: number;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly estimateMs: number;
  readonly runtimeMs: number;
  /** Names made of the numbers in the trace (`u3`, `g2`); null if it has none. */
  readonly user: string | null;
  readonly account: string | null;
}

/** Source of other users' jobs. */
export interface Background {
  /** Submission of the n-th job, n from 0, at a site opened at `openedAtMs`; Infinity: never. */
  submittedAtMs(n: number, openedAtMs: number): number;
  job(n: number, openedAtMs: number): BackgroundJob;
}

/** No jobs of other users. */
const NO_BACKGROUND: Background = {
  submittedAtMs: () => Number.POSITIVE_INFINITY,
  job: () => {
    throw new Error("what must hold: nobody submits no jobs");
  },
};

interface TraceRow {
  readonly submitMs: number;
  readonly procs: number;
  readonly memoryBytes: number;
  readonly requestedMs: number;
  readonly runtimeMs: number;
  readonly user: number;
  readonly group: number;
}

/**
 * Reads the trace of a site.
 *
 * @throws Fault `traceUnusable`, or the fault of `traceBytes` if the file cannot be opened
 */
export async function readBackground(rules: ClusterRules): Promise<Background> {
  if (rules.background === null) return NO_BACKGROUND;
  const { trace, skipMs } = rules.background;
  const rows = await readRows(trace, rules);
  if (rows.length === 0) throw unusable(trace, "none of its jobs fits the site", undefined);
  rows.sort((a, b) => a.submitMs - b.submitMs);
  return repeated(rows, skipMs, rules.speedUp);
}

function repeated(rows: readonly TraceRow[], skipMs: number, speedUp: number): Background {
  const firstMs = rows[0].submitMs;
  const spanMs = rows[rows.length - 1].submitMs - firstMs;
  // From the last job to the first of the next round it takes as long as between two jobs on average.
  const periodMs = Math.max(spanMs + Math.ceil(spanMs / Math.max(1, rows.length - 1)), 1000, speedUp);
  const skippedMs = skipMs % periodMs;
  const skipped = rows.findIndex(({ submitMs }) => submitMs - firstMs >= skippedMs);
  const begin = skipped < 0 ? rows.length : skipped;
  const faster = (ms: number): number => mulDiv(ms, 1, speedUp, "down");
  const submittedAtMs = (n: number, openedAtMs: number): number => {
    const at = begin + n;
    const round = Math.floor(at / rows.length);
    const { submitMs } = rows[at % rows.length];
    return openedAtMs + faster(round * periodMs + submitMs - firstMs - skippedMs);
  };
  return {
    submittedAtMs,
    job(n, openedAtMs) {
      const { procs, memoryBytes, requestedMs, runtimeMs, user, group } = rows[(begin + n) % rows.length];
      return {
        submittedAtMs: submittedAtMs(n, openedAtMs),
        procs,
        memoryBytes,
        estimateMs: Math.max(1, faster(Math.max(requestedMs, runtimeMs))),
        runtimeMs: Math.max(1, faster(runtimeMs)),
        user: named("u", user),
        account: named("g", group),
      };
    },
  };
}

async function readRows(trace: string, rules: ClusterRules): Promise<TraceRow[]> {
  const rows: TraceRow[] = [];
  try {
    for await (const batch of readSwf(traceBytes(trace), { file: trace, lenient: false })) {
      for (let at = 0; at < batch.count; at++) {
        const row = rowOf(batch, at);
        const fits = row.procs <= rules.procs && row.memoryBytes <= rules.memoryBytes;
        if (row.procs > 0 && row.runtimeMs > 0 && fits) rows.push(row);
      }
    }
  } catch (error) {
    throw unusable(trace, error instanceof Fault ? error.message : String(error), error);
  }
  return rows;
}

function rowOf({ fields }: SwfBatch, at: number): TraceRow {
  const requestedProcs = fields[swfField.requestedProcs][at];
  const procs = requestedProcs > 0 ? requestedProcs : fields[swfField.allocatedProcs][at];
  const runtimeMs = milliseconds(fields[swfField.runtime][at]);
  const requestedMs = milliseconds(fields[swfField.requestedTime][at]);
  const kilobytes = Math.max(0, fields[swfField.requestedMemory][at]);
  return {
    submitMs: milliseconds(fields[swfField.submit][at]),
    procs,
    memoryBytes: Math.round(kilobytes * 1024) * procs,
    requestedMs: requestedMs > 0 ? requestedMs : runtimeMs,
    runtimeMs,
    user: fields[swfField.user][at],
    group: fields[swfField.group][at],
  };
}

function named(what: string, number: number): string | null {
  return number >= 0 ? `${what}${number}` : null;
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

function unusable(trace: string, why: string, cause: unknown): Fault {
  return new Fault({
    kind: "badInput",
    code: "traceUnusable",
    what: `cannot simulate the jobs of ${trace}`,
    why,
    remedy: "name an SWF file (plain or .gz) that can be read, or give the site no background",
    cause,
  });
}
