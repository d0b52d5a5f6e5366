/**
 * Reads how much at one end of a workload is simulated but not counted.
 */
import { MS_PER_HOUR } from "../../base/index.ts";
import type { ScenarioCut } from "../../model/index.ts";
import { durationOf, type NamedValue, wholeNumberOf } from "../yaml/index.ts";
import { type Readers, readRecord } from "./record.ts";

/** Nothing is cut. */
export const NO_CUT: ScenarioCut = { kind: "time", lengthMs: 0 };

const MOST_JOBS = 10_000_000;

const readers: Readers<{ readonly time: number; readonly jobs: number }> = {
  time: (it) => durationOf(it, { example: "time: 1d" }),
  jobs: (it) => wholeNumberOf(it, { least: 0, most: MOST_JOBS, example: "jobs: 100" }),
};

/** `{ time: 1d }` or `{ jobs: 100 }`; undefined, with a problem, where it is neither. */
export function readCut(named: NamedValue): ScenarioCut | undefined {
  const { name, value, notes } = named;
  const example = `${name}: { time: 1d }`;
  const before = notes.problemCount();
  const said = readRecord(named, readers, { example });
  const [lengthMs, count] = [said?.time, said?.jobs];
  if (notes.problemCount() > before) return undefined;
  if (lengthMs !== undefined && count === undefined) return { kind: "time", lengthMs };
  if (lengthMs === undefined && count !== undefined) return { kind: "jobs", count };
  notes.problem(value.at, {
    code: "cutUnclear",
    what: `${name} is either a time or a number of jobs`,
    why:
      lengthMs === undefined ? "neither is said" : `both are said, ${lengthMs / MS_PER_HOUR} h and ${count}`,
    remedy: `write ${example}, or ${name}: { jobs: 100 }`,
  });
  return undefined;
}
