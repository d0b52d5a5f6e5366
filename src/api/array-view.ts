/** An array as the API writes it. */
import type { ArrayView } from "../contract/index.ts";
import { type ArrayRecord, readArray, type SearchEnd, type Sweep, timeLeftMs } from "../model/index.ts";
import { isoInstant } from "./iso-instant.ts";

/** The record as JSON for people; see `ArrayView`. */
export function arrayView(record: ArrayRecord): ArrayView {
  const { description, counts } = record;
  const { failed, ...states } = counts;
  const leftMs = timeLeftMs(record);
  const read = readArray(description.array ?? "");
  return {
    id: record.id,
    array: description.array ?? "",
    size: record.size,
    atMost: read.ok ? read.value.atMost : null,
    states,
    ...(leftMs === undefined ? {} : { timeLeftSec: leftMs / 1000 }),
    ...(description.sweep === undefined ? {} : { sweep: sizesOf(description.sweep) }),
    ...searchOf(record),
    ...scoutsOf(record),
    failed,
    name: description.name ?? null,
    consumer: record.consumer,
    owner: record.owner,
    executable: description.executable,
    arguments: description.arguments,
    procs: description.procs,
    memoryBytes: description.memoryBytes ?? null,
    wallTimeSec: description.wallTimeMs === undefined ? null : description.wallTimeMs / 1000,
    site: description.site ?? null,
    after: description.after ?? [],
    userTags: description.userTags,
    submittedAt: isoInstant(record.submittedAtMs),
    endedAt: record.endedAtMs === null ? null : isoInstant(record.endedAtMs),
  };
}

function searchOf({ description, search }: ArrayRecord): Pick<ArrayView, "search"> {
  const given = description.sweep?.search;
  if (search === undefined || given === undefined) return {};
  const { evaluated, failed, best, end } = search;
  const { goal, evaluations, method } = given;
  const found = { evaluated, failed, best, end: end && { reason: end.kind, text: endText(end) } };
  return { search: { method: method.kind, goal, evaluations, ...found } };
}

function scoutsOf({ scouts }: ArrayRecord): Pick<ArrayView, "scouts"> {
  if (scouts === undefined) return {};
  const { jobs, ended, ok: succeeded, longestMs, peakMemoryBytes, outcome, proposal } = scouts;
  const { wallTimeMs, memoryBytes } = proposal ?? {};
  const proposed = {
    ...(wallTimeMs === undefined ? {} : { wallTimeSec: wallTimeMs / 1000 }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  };
  const measured = { jobs, ended, succeeded, longestSec: longestMs / 1000, peakMemoryBytes, outcome };
  return { scouts: { ...measured, ...(proposal === undefined ? {} : { proposal: proposed }) } };
}

function endText(end: SearchEnd): string {
  switch (end.kind) {
    case "evaluated":
      return "all its points are evaluated";
    case "chosen":
      return "its program chose no more points";
    case "cancelled":
      return "it was cancelled";
    case "objectiveMissing":
      return `job ${end.index} has no objective: ${end.why}`;
    case "programFailed":
      return `its program failed: ${end.why}`;
  }
}

function sizesOf({ parameters }: Sweep): Readonly<Record<string, number>> {
  return Object.fromEntries(
    parameters.map((one) => [one.name, "values" in one ? one.values.length : one.count]),
  );
}
