/**
 * Plays a golden script and writes what happens: a line for each thing, with its time.
 */
import { formatDuration } from "../../src/base/index.ts";
import { enforcementActionText } from "../../src/model/index.ts";
import type { EnforcingInput, EnforcingNote } from "../../src/sim/enforcing/enforced-input.ts";
import { playEnforced } from "../../src/sim/enforcing/play-enforced.ts";
import { usedBetween } from "../../src/sim/enforcing/use-courses.ts";

/** What comes of it, in lines, and who used how much in the end. */
export function tellGolden(input: EnforcingInput): string {
  const { notes, courses, endMs } = playEnforced(input);
  const lines = notes.filter(({ kind }) => kind !== "submitted").map(lineOf);
  const whole = input.capacity.cpu * endMs;
  const uses = [...courses]
    .filter(([path]) => path !== "")
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, course]) => `${path} ${((100 * usedBetween(course, 0, endMs)) / whole).toFixed(1)} %`);
  return `${[...lines, `used until ${clock(endMs)}: ${uses.join(", ")}`].join("\n")}\n`;
}

function lineOf(note: EnforcingNote): string {
  return `${clock(note.atMs).padEnd(8)} ${said(note)}`;
}

function said(note: EnforcingNote): string {
  switch (note.kind) {
    case "acted":
      return enforcementActionText(note.action, clock);
    case "lost":
      return `${note.cpu} processors fail`;
    case "returned":
      return `${note.cpu} processors are back`;
    case "leaseOver":
      return "the lease is over: nothing is held or stopped any more";
    case "applied":
      return "other policies hold";
    case "failed":
      return `${note.job} is lost, and will start anew`;
    case "started":
      return `${note.job} starts`;
    case "ended":
      return `${note.job} ends`;
    case "submitted":
      return `${note.job} comes`;
    case "taken":
      return `${note.job} is taken away`;
  }
}

function clock(atMs: number): string {
  return atMs === 0 ? "0" : formatDuration(atMs);
}
