/**
 * The slots of a simulated site at sampling times: measured, and written a row each.
 */
import { Fault, MS_PER_SECOND } from "../../base/index.ts";
import { openSafeFile, type SafeFile } from "../../formats/index.ts";
import { isProgram, type SimulationRequest, type SlotSummary } from "../../model/index.ts";
import { slotsOf } from "../../profile/index.ts";
import { jobsInSystem, type Machine, projectedProfiles } from "../../queue/index.ts";
import { type SlotSample, SlotStatistics } from "./slot-statistics.ts";

/** The sampling of one run. */
export interface SlotSampling {
  readonly everyMs: number;
  /** Takes the slots of this instant, pool after pool. */
  look(machine: Machine, atMs: number): void;
  /** Undefined where no sample was counted. */
  summary(): SlotSummary | undefined;
  /** Waits until the file has taken what was written. */
  drained(): Promise<void>;
  /** Makes the file appear, whole. */
  commit(): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

const COLUMNS = "at,jobs_in_system,slots,start,procs,duration,extensible";
/** Last column, where the site has several pools: index of the slot's pool, from 0. */
const POOL_COLUMN = ",pool";

/**
 * Opens what a request asks for, if it asks for samples. What is not counted is written all the same.
 *
 * @throws Fault where it asks for what cannot be
 */
export async function openSlotSampling(
  request: SimulationRequest,
  onSample?: (sample: SlotSample) => void,
  isCounted: (atMs: number) => boolean = () => true,
): Promise<SlotSampling | undefined> {
  const { sampleSlotsMs: everyMs, slotsOut, discipline } = request;
  if (everyMs === undefined) {
    if (slotsOut === undefined) return undefined;
    throw misplaced(`${slotsOut} is for slots that nobody samples`, "say how often: --sample-slots 1h");
  }
  if (isProgram(discipline)) {
    throw misplaced(`it cannot be predicted which jobs ${discipline} will start`, "leave out --sample-slots");
  }
  const statistics = new SlotStatistics();
  const file = slotsOut === undefined ? undefined : await openRows(slotsOut);
  let hasHeader = false;
  const head = (pools: number): void => {
    if (!hasHeader) file?.write(`${COLUMNS}${pools > 1 ? POOL_COLUMN : ""}\n`);
    hasHeader = true;
  };
  return {
    everyMs,
    look: (machine, atMs) => {
      const sample = sampleOf(machine, atMs);
      if (isCounted(atMs)) statistics.add(sample);
      head(sample.pools.length);
      file?.write(rowsOf(sample));
      onSample?.(sample);
    },
    summary: () => statistics.summary(everyMs / MS_PER_SECOND),
    drained: async () => file?.drained(),
    commit: async () => {
      head(1);
      await file?.commit();
    },
    abort: async () => file?.abort(),
  };
}

/** A sample, and its slots by pool. */
interface PoolSample extends SlotSample {
  readonly pools: readonly SlotSample["slots"][];
}

function sampleOf(machine: Machine, atMs: number): PoolSample {
  const pools = projectedProfiles(machine, atMs).map((profile) => slotsOf(profile));
  return { atMs, jobsInSystem: jobsInSystem(machine), slots: pools.flat(), pools };
}

async function openRows(path: string): Promise<SafeFile> {
  if (!/\.csv(\.gz)?$/.test(path)) {
    throw new Fault({
      kind: "badInput",
      code: "outputFormatUnknown",
      what: `${path}: this kind of file cannot be written`,
      why: "slots are written as CSV, by the extension of the file name",
      remedy: "name a file that ends in .csv or .csv.gz",
    });
  }
  return openSafeFile(path);
}

/** Times in seconds; starts from the sample on. */
function rowsOf({ atMs, jobsInSystem: jobs, slots: all, pools }: PoolSample): string {
  const sample = `${atMs / MS_PER_SECOND},${jobs},${all.length}`;
  const rows = pools.flatMap((slots, pool) =>
    slots.map(({ startAt, procs, durationMs, extensible }) => {
      const startSec = (startAt - atMs) / MS_PER_SECOND;
      const row = `${sample},${startSec},${procs},${durationMs / MS_PER_SECOND},${extensible ? 1 : 0}`;
      return `${row}${pools.length > 1 ? `,${pool}` : ""}\n`;
    }),
  );
  return rows.join("");
}

function misplaced(why: string, remedy: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "sampleMisplaced",
    what: "slots cannot be sampled so",
    why,
    remedy,
  });
}
