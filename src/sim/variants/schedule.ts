/**
 * When the jobs of a variant start and end: in columns for a picture, and as rows of CSV.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import type { SimulationSchedule } from "../../contract/index.ts";
import type { StartedJob } from "../what-if/play-record.ts";
import type { PlayedVariant } from "./play-variant.ts";

/** Most bars of a picture. */
const MOST_BARS = 50_000;

/** Header of the rows of all variants. */
export const JOB_COLUMNS = "variant,job_id,user,group,queue,procs,submit,start,end,wait\n";

/** Columns of a variant, the first jobs to start. */
export function scheduleOf(variant: number, played: PlayedVariant): SimulationSchedule {
  const all = [...played.underWay, ...played.started];
  const shown = all.toSorted((one, other) => one.startMs - other.startMs).slice(0, MOST_BARS);
  const users = numbered(shown, ({ user }) => user);
  const queues = numbered(shown, ({ queue }) => queue);
  return {
    ...{ variant, procs: played.procs, jobs: all.length },
    users: users.names,
    queues: queues.names,
    id: shown.map(({ name }) => name),
    user: users.places,
    queue: queues.places,
    procsOf: shown.map(({ procs }) => procs),
    submitSec: shown.map(({ eligibleMs }) => seconds(eligibleMs)),
    startSec: shown.map(({ startMs }) => seconds(startMs)),
    endSec: shown.map(({ endMs }) => seconds(endMs)),
  };
}

/** A row of CSV for a job; times in seconds from the beginning. */
export function jobRow(variant: string, job: StartedJob): string {
  const { name, user, group, queue, procs, eligibleMs, startMs, endMs } = job;
  const times = [eligibleMs, startMs, endMs, startMs - eligibleMs].map(seconds);
  return `${[...[variant, name, user, group, queue].map(cell), procs, ...times].join(",")}\n`;
}

/** Different values in the order they came, and the place of each item's among them. */
function numbered(
  jobs: readonly StartedJob[],
  nameIn: (job: StartedJob) => string,
): { readonly names: readonly string[]; readonly places: readonly number[] } {
  const places = new Map<string, number>();
  const found = jobs.map((job) => {
    const value = nameIn(job);
    const at = places.get(value) ?? places.size;
    places.set(value, at);
    return at;
  });
  return { names: [...places.keys()], places: found };
}

function seconds(ms: number): number {
  return ms / MS_PER_SECOND;
}

/** A text as a field of CSV that no spreadsheet takes for a formula. */
function cell(text: string): string {
  const plain = /^[=+@-]/.test(text) && !/^-?\d+$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
