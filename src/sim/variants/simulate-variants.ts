/**
 * Simulates the variants of an order one after the other, and compares each with the first.
 *
 * Held are the jobs of two variants at a time. Files appear in the order's directory: a schedule for each
 * variant, and one of rows for all.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MS_PER_SECOND } from "../../base/index.ts";
import type { VariantResult } from "../../contract/index.ts";
import { openSafeFile, type SafeFile } from "../../formats/index.ts";
import { Distribution } from "../distribution.ts";
import type { StartedJob } from "../what-if/play-record.ts";
import { VARIANT_FILES, type VariantsOrder } from "./order.ts";
import { type PlayedVariant, playRecordedVariant, playTrace } from "./play-variant.ts";
import { JOB_COLUMNS, jobRow, scheduleOf } from "./schedule.ts";
import { variantChange } from "./variant-change.ts";
import { variantRequest } from "./variant-request.ts";

/** Parts into which the distribution of waits is divided. */
const PARTS = 100;
/** Rows between two waits for the file. */
const ROWS_AT_ONCE = 4096;

/**
 * Results in the order of the variants.
 *
 * @param onProgress told of the fraction of the whole, 0 … 1
 * @throws Fault of the first variant that cannot be simulated
 */
export async function simulateVariants(
  order: VariantsOrder,
  onProgress: (progress: number) => void,
): Promise<readonly VariantResult[]> {
  const { directory, variants } = order;
  const rows = await openSafeFile(join(directory, VARIANT_FILES.jobs));
  try {
    rows.write(JOB_COLUMNS);
    const results: VariantResult[] = [];
    let first: PlayedVariant | undefined;
    for (const [at, { name }] of variants.entries()) {
      const tell = (part: number): void => onProgress((at + Math.min(1, part)) / variants.length);
      const played = await play(order, at, { first, tell });
      first ??= played;
      await writeRows(rows, name, played);
      const schedule = JSON.stringify(scheduleOf(at, played));
      await writeFile(join(directory, VARIANT_FILES.schedule(at)), schedule);
      results.push(resultOf(name, played, first));
      tell(1);
    }
    await rows.commit();
    return results;
  } catch (error) {
    await rows.abort();
    throw error;
  }
}

async function play(
  order: VariantsOrder,
  at: number,
  { first, tell }: { readonly first: PlayedVariant | undefined; readonly tell: (part: number) => void },
): Promise<PlayedVariant> {
  const request = await variantRequest(order, at);
  const hooks = { version: order.version, onProgress: tell };
  if (order.isRecord) return playRecordedVariant(request, hooks, first?.neverStarted);
  const played = await playTrace(request, hooks);
  const { report } = played;
  return { ...played, report: report && { ...report, trace: order.workload } };
}

function resultOf(name: string, played: PlayedVariant, first: PlayedVariant): VariantResult {
  const { procs, summary, started, underWay, report, course, baseline } = played;
  const isFirst = played === first;
  return {
    ...{ name, procs, report, course, baseline },
    summary: measuresOf(summary),
    waitQuantilesSec: waitQuantiles(started),
    change: isFirst
      ? null
      : variantChange({ first: first.started, other: started, baseline: first.baseline }),
    scheduled: started.length + underWay.length,
  };
}

function measuresOf(summary: PlayedVariant["summary"]): VariantResult["summary"] {
  const { jobs, backfilled, waitMeanSec, waitMedianSec, waitP95Sec, waitP99Sec, waitMaxSec } = summary;
  const { responseMeanSec, boundedSlowdownMean, boundedSlowdownMedian, boundedSlowdownP95 } = summary;
  const { utilisation, makespanSec } = summary;
  return {
    ...{ jobs, backfilled, waitMeanSec, waitMedianSec, waitP95Sec, waitP99Sec, waitMaxSec },
    ...{ responseMeanSec, boundedSlowdownMean, boundedSlowdownMedian, boundedSlowdownP95 },
    ...{ utilisation, makespanSec },
  };
}

function waitQuantiles(started: readonly StartedJob[]): readonly number[] {
  const waits = new Distribution();
  for (const { startMs, eligibleMs } of started) waits.add(startMs - eligibleMs);
  return Array.from({ length: PARTS + 1 }, (_, at) => waits.quantile(at / PARTS) / MS_PER_SECOND);
}

async function writeRows(file: SafeFile, name: string, { underWay, started }: PlayedVariant): Promise<void> {
  for (const jobs of [underWay, started]) {
    for (const [at, job] of jobs.entries()) {
      file.write(jobRow(name, job));
      if (at % ROWS_AT_ONCE === 0) await file.drained();
    }
  }
}
