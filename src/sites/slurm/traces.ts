/**
 * Removal of what is ours at a cluster when a site is removed: reservations and jobs with our mark,
 * directories of attempts, the connection.
 *
 * Only what the broker's records name is removed. At a read-only site nothing is, whatever was submitted
 * before.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import { readQueue, SQUEUE_COMMAND } from "../../formats/slurm/index.ts";
import type { SiteRemovalReport, SlurmSiteSpec } from "../../model/index.ts";
import type { EnforcementAnswer } from "../../runtime/index.ts";
import { askWith } from "./ask.ts";
import { type AttemptBook, openAttemptBook } from "./attempt-book.ts";
import { EnforcementOrders } from "./enforcement.ts";
import { ORDER_TIMEOUT_MS } from "./job-orders.ts";
import { groupOf, tokensBy } from "./own-jobs.ts";
import { withOwnTasks } from "./queued-tasks.ts";
import { ReservationOrders } from "./reservation-orders.ts";
import { reservationNameOf } from "./reservation-words.ts";
import type { RunCommand } from "./run-command.ts";
import { sharedPlace } from "./shared-inputs.ts";
import { AttemptFiles } from "./site-files.ts";
import { slurmFault } from "./slurm-fault.ts";

/** A closed site. */
export interface LeftSite {
  readonly spec: SlurmSiteSpec;
  /** Directory of the broker's records of the site. */
  readonly directory: string;
  readonly run: RunCommand;
}

const LOOK_EVERY_MS = 500;
const LOOKS = 60;
const clock = { nowMs: () => Date.now() };

/** Lists what would stay. */
export async function tracesOf({ spec, directory }: LeftSite): Promise<readonly string[]> {
  const book = await openAttemptBook(directory);
  const count = [...book.all()].length;
  const kept = [...book.reservations.all()].filter(({ endMs }) => endMs > clock.nowMs());
  const acted = book.enforced.all().size;
  return [
    ...(acted === 0 ? [] : [enforcedText(acted)]),
    ...(kept.length === 0
      ? []
      : [reservationsText(kept.map((it) => reservationNameOf(book.mark, it.token)))]),
    ...(count === 0 || spec.submitDirectory === null ? [] : [directoriesText(count, spec)]),
  ];
}

/**
 * Removes what is ours.
 *
 * @throws Fault if the cluster cannot be reached or refuses; a repetition continues
 */
export async function cleanTraces(site: LeftSite): Promise<SiteRemovalReport> {
  const { spec, directory, run } = site;
  const book = await openAttemptBook(directory);
  const tokens = [...book.all()].map(({ token }) => token);
  const groups = new Set([...book.all()].flatMap((it) => groupOf(it.token, it.siteJobs) ?? []));
  const givenBack = await giveBack(site, book);
  if (spec.readOnly || spec.submitDirectory === null) {
    const left = (await tracesOf(site)).map((trace) => `${trace}; the site is read-only`);
    return { removed: givenBack, left };
  }
  const kept = [...book.reservations.all()].length > 0;
  const reserved = kept ? await new ReservationOrders({ spec, book, run, clock }).removeAll() : [];
  const removed = [...givenBack, ...(reserved.length === 0 ? [] : [reservationsText(reserved)])];
  removed.push(...(await cancelOwn(site, book)));
  const files = new AttemptFiles(run, spec.submitDirectory);
  for (const token of tokens) {
    await files.remove(token);
    await book.remove(token);
  }
  for (const group of groups) await files.remove(group);
  for (const { token } of book.inputs.all()) {
    await files.remove(sharedPlace(token));
    await book.inputs.remove(token);
  }
  if (tokens.length > 0) removed.push(directoriesText(tokens.length, spec));
  // Only where nobody else has anything in it.
  const words = ["rmdir", "--", spec.submitDirectory];
  const { code } = await run({ words, timeoutMs: ORDER_TIMEOUT_MS });
  if (code === 0) removed.push(`${placeText(spec)}, which was empty`);
  return { removed, left: [] };
}

/** Undoes an enforcer's effects on jobs of any user. */
async function giveBack({ spec, run }: LeftSite, book: AttemptBook): Promise<readonly string[]> {
  const siteJobs = [...book.enforced.all().keys()];
  if (siteJobs.length === 0) return [];
  const requeueOwn = () => Promise.reject(new Error("what must hold: nothing is requeued to give it back"));
  const orders = new EnforcementOrders({ name: "that is left", spec, book, run, clock, requeueOwn });
  for (const verb of ["resume", "release"] as const) {
    const { refused } = await orders.give({ verb, siteJobs, untilMs: clock.nowMs() });
    if (refused.length > 0) throw notGivenBack(verb, refused);
  }
  return [enforcedText(siteJobs.length)];
}

function enforcedText(count: number): string {
  const jobs = count === 1 ? "1 job" : `${count} jobs`;
  return `what was enforced on ${jobs}: begin-times, nice values, suspensions`;
}

function notGivenBack(verb: string, refused: EnforcementAnswer["refused"]): Fault {
  const [{ siteJob, why } = { siteJob: "", why: "" }] = refused;
  return new Fault({
    kind: "failed",
    code: "siteJobsNotGivenBack",
    what: `cannot ${verb} ${refused.length} jobs`,
    why: `job ${siteJob}: ${why}`,
    remedy: "try again, or run scontrol update JobId=… StartTime=now and scontrol resume by hand",
  });
}

/** Cancels jobs with our mark that no record has. */
async function cancelOwn({ run, spec }: LeftSite, book: AttemptBook): Promise<string[]> {
  const tokenOf = tokensBy(book, spec.submitDirectory);
  const ask = askWith(run, ORDER_TIMEOUT_MS);
  const own = async () => {
    const jobs = withOwnTasks(readQueue(await ask("queue", SQUEUE_COMMAND)).jobs);
    return jobs.filter((job) => tokenOf(job) !== null).map(({ siteJob }) => siteJob);
  };
  const found = await own();
  if (found.length === 0) return [];
  const result = await run({ words: ["scancel", ...found], timeoutMs: ORDER_TIMEOUT_MS });
  if (result.code !== 0) throw slurmFault("cannot cancel jobs of ours", result);
  for (let look = 0; (await own()).length > 0; look++) {
    if (look === LOOKS) throw notGone(found);
    await delay(LOOK_EVERY_MS);
  }
  return [`jobs of ours in its queue: ${found.join(", ")}`];
}

function reservationsText(names: readonly string[]): string {
  return `reservations of ours: ${names.join(", ")}`;
}

function directoriesText(count: number, spec: SlurmSiteSpec): string {
  const attempts = count === 1 ? "1 attempt" : `${count} attempts`;
  return `the directories of ${attempts}, with their output, below ${placeText(spec)}`;
}

function placeText({ submitDirectory, sshHost }: SlurmSiteSpec): string {
  return sshHost === null ? `${submitDirectory}` : `${submitDirectory} at ${sshHost}`;
}

function notGone(siteJobs: readonly string[]): Fault {
  return new Fault({
    kind: "unreachable",
    code: "siteJobsStay",
    what: "cannot remove the jobs and files at the site",
    why: `jobs ${siteJobs.join(", ")} were cancelled and are still in its queue`,
    remedy: "check them with squeue, and try again when they have left the queue",
  });
}
