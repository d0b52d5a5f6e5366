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
  /** Takes the slots of this instant. The site has one pool. */
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
    throw misplaced(`nobody knows whom ${discipline} will start`, "leave out --sample-slots");
  }
  const statistics = new SlotStatistics();
  const file = slotsOut === undefined ? undefined : await openRows(slotsOut);
  return {
    everyMs,
    look: (machine, atMs) => {
      const sample = sampleOf(machine, atMs);
      if (isCounted(atMs)) statistics.add(sample);
      file?.write(rowsOf(sample));
      onSample?.(sample);
    },
    summary: () => statistics.summary(everyMs / MS_PER_SECOND),
    drained: async () => file?.drained(),
    commit: async () => file?.commit(),
    abort: async () => file?.abort(),
  };
}

function sampleOf(machine: Machine, atMs: number): SlotSample {
  const [profile] = projectedProfiles(machine, atMs);
  return { atMs, jobsInSystem: jobsInSystem(machine), slots: slotsOf(profile) };
}

async function openRows(path: string): Promise<SafeFile> {
  if (!/\.csv(\.gz)?$/.test(path)) {
    throw new Fault({
      kind: "badInput",
      code: "outputFormatUnknown",
      what: `${path}: this kind of file cannot be written`,
      why: "slots are written as CSV, told by the end of the name",
      remedy: "name a file that ends in .csv or .csv.gz",
    });
  }
  const file = await openSafeFile(path);
  file.write(`${COLUMNS}\n`);
  return file;
}

/** Times in seconds; starts from the sample on. */
function rowsOf({ atMs, jobsInSystem: jobs, slots }: SlotSample): string {
  const sample = `${atMs / MS_PER_SECOND},${jobs},${slots.length}`;
  const rows = slots.map(({ startAt, procs, durationMs, extensible }) => {
    const startSec = (startAt - atMs) / MS_PER_SECOND;
    return `${sample},${startSec},${procs},${durationMs / MS_PER_SECOND},${extensible ? 1 : 0}\n`;
  });
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
