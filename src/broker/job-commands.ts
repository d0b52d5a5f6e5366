/**
 * Commands about jobs: input files are copied before a job is accepted, and a verb on a job that is over is
 * refused for its state, not as unknown.
 */
import { createHash } from "node:crypto";
import { refused } from "../base/index.ts";
import { ALLOWED_IN, type Answer } from "../engine/index.ts";
import {
  dependencyOf,
  endOfArray,
  endOfJob,
  indexesOf,
  type JobEnd,
  type JobRecord,
  type JobVerb,
  memberId,
  type Refusal,
} from "../model/index.ts";
import { jobOf, type Logbook, type Round } from "../runtime/index.ts";
import { findArray } from "./arrays.ts";
import type { BrokerAnswers, CommandOf, CommandWorld } from "./broker-commands.ts";
import { copyState } from "./checkpoints/begin-from.ts";
import { findDag } from "./dags.ts";
import { withTicket } from "./tickets.ts";

export const jobCommands = {
  submit,
  submitArray,
  actOnArray,
  editJob,
  cancel: askOfJob,
  hold: askOfJob,
  release: askOfJob,
  suspend: askOfJob,
  resume: askOfJob,
  undoEnforcement,
} as const satisfies BrokerAnswers;

/** A job's record: from memory, or from the views when it has ended. */
export async function findJob(round: Round, logbook: Logbook, id: string): Promise<JobRecord | undefined> {
  const living = round.projection.jobs.get(id);
  if (living !== undefined) return living;
  const row = await logbook.record("jobs", id);
  return row === undefined ? undefined : jobOf(row);
}

/**
 * Copies the input files first, so that an accepted job has all that it needs; the jobs of one owner are
 * accepted in the order in which they came, however long their files take.
 */
async function submit(world: CommandWorld, command: CommandOf<"submit">): Promise<Answer> {
  const presented = withTicket(world.round.projection, command);
  return presented.ok ? take(world, command.job, presented.value) : presented;
}

/** The input files of an array are there once, for all its jobs. */
function submitArray(world: CommandWorld, command: CommandOf<"submitArray">): Promise<Answer> {
  return take(world, command.array, command);
}

/** Keeps the state and the files that a job begins with; the bytes of the files, or why there is no state. */
async function keepInputs(
  world: CommandWorld,
  job: string,
  command: CommandOf<"submit"> | CommandOf<"submitArray">,
): Promise<number | Refusal> {
  const { sandboxes } = world;
  const { description, isByToken, owner } = command;
  const lacking = await copyState(world, job, command);
  if (lacking !== undefined) return lacking;
  try {
    return await sandboxes.keep(job, description.inputSandbox, { isByToken, owner });
  } catch (error) {
    await sandboxes.given.drop(job);
    throw error;
  }
}

async function take(
  world: CommandWorld,
  job: string,
  command: CommandOf<"submit"> | CommandOf<"submitArray">,
): Promise<Answer> {
  const { round, sandboxes, submissions } = world;
  const { owner, description } = command;
  const { logbook } = world;
  const isTaken = Promise.all([
    world.find(job),
    findArray(round, logbook, job),
    findDag(round, logbook, job),
  ]).then((found) => found.some((one) => one !== undefined));
  const isReady = isTaken.then((taken) => (taken ? 0 : keepInputs(world, job, command)));
  await submissions.after(owner, isReady);
  if (await isTaken) return refused({ kind: "idInUse", id: job });
  const inputBytes = await isReady;
  if (typeof inputBytes !== "number") return refused(inputBytes);
  const ends = await endsOf(world, description.after ?? []);
  const answered = await round.ask({
    ...command,
    ...(inputBytes === 0 ? {} : { inputBytes }),
    ...(command.kind === "submit" && description.inputSandbox.length > 0
      ? { inputs: inputHashes(sandboxes.hashesOf(job)) }
      : {}),
    ...(ends === undefined ? {} : { ends }),
  });
  if (!answered.ok && answered.refusal.kind !== "idInUse") {
    await sandboxes.drop(job);
    await sandboxes.given.drop(job);
  }
  return answered;
}

/** Files whose hashes are recorded one by one; of more only the hash of all. */
const MOST_HASHES = 100;

/** Hash of all files as `sha256sum *` and another `sha256sum` give it, and those of a few. */
export function inputHashes(files: Readonly<Record<string, string>>): NonNullable<JobRecord["inputs"]> {
  const names = Object.keys(files).sort();
  const digest = createHash("sha256");
  for (const name of names) digest.update(`${files[name]}  ${name}\n`);
  return { digest: digest.digest("hex"), ...(names.length <= MOST_HASHES ? { files } : {}) };
}

/** Ends of those of these jobs that are over; undefined where none is. What is not known is refused later. */
async function endsOf(
  { round, logbook, find }: Pick<CommandWorld, "round" | "logbook" | "find">,
  after: readonly string[],
): Promise<Readonly<Record<string, JobEnd>> | undefined> {
  const ends: Record<string, JobEnd> = {};
  const unknown = new Set<string>();
  const ids = [...new Set(after.map((text) => dependencyOf(text).job))];
  const { jobs, arrays } = round.projection;
  const isOpen = (id: string): boolean => !Object.hasOwn(ends, id) && !unknown.has(id);
  // One that ends while another is looked up is looked up then.
  for (;;) {
    const gone = ids.find((id) => isOpen(id) && !jobs.has(id) && !arrays.has(id));
    if (gone === undefined) return Object.keys(ends).length === 0 ? undefined : ends;
    const end = await endOf({ round, logbook, find }, gone);
    if (end === undefined) unknown.add(gone);
    else ends[gone] = end;
  }
}

/** The end of a job or an array; undefined for one that is not over, or never was. */
async function endOf(
  { round, logbook, find }: Pick<CommandWorld, "round" | "logbook" | "find">,
  id: string,
): Promise<JobEnd | undefined> {
  const job = await find(id);
  if (job !== undefined) return endOfJob(job);
  const array = await findArray(round, logbook, id);
  return array === undefined ? undefined : endOfArray(array);
}

/** A verb on an array that is over is refused for its state, not as unknown. */
async function actOnArray(
  { round, logbook, sites }: CommandWorld,
  command: CommandOf<"actOnArray">,
): Promise<Answer> {
  if (command.verb === "suspend") {
    const { description } = round.projection.arrays.get(command.array)?.accepted ?? {};
    const jobs = indexesOf(description?.array ?? "").map((index) => memberId(command.array, index));
    const unable = withoutSuspension({ round, sites }, jobs);
    if (unable !== undefined) return refused(unable);
  }
  const answered = await round.ask(command);
  if (answered.ok || answered.refusal.kind !== "unknownArray") return answered;
  const { array, verb } = command;
  const over = await findArray(round, logbook, array);
  return over === undefined ? answered : refused({ kind: "noneInState", array, verb });
}

/**
 * A job that is over is refused for its state, not as unknown. A priority is set once the change is recorded.
 *
 * @throws Fault of the site that does not set it
 */
async function editJob({ round, sites, find }: CommandWorld, command: CommandOf<"editJob">): Promise<Answer> {
  const { job, mayRaise = false } = command;
  const { priority } = command.change;
  const site = round.projection.jobs.get(job)?.site ?? null;
  const order = sites.get(site ?? "")?.setPriority;
  if (priority !== undefined && site !== null && order === undefined) {
    return refused({ kind: "notEditable", job, why: { kind: "noPriority", site, because: "arrivalOrder" } });
  }
  const answered = await round.ask(command);
  if (answered.ok && priority !== undefined) await order?.(job, priority, mayRaise);
  if (answered.ok || answered.refusal.kind !== "unknownJob") return answered;
  const over = await find(command.job);
  if (over === undefined) return answered;
  return refused({ kind: "notEditable", job: over.id, why: { kind: "started", state: over.state } });
}

/** Refuses to suspend jobs of which one runs where that is impossible. */
function withoutSuspension(
  { round, sites }: Pick<CommandWorld, "round" | "sites">,
  ids: readonly string[],
): Refusal | undefined {
  for (const id of ids) {
    const { state, site = null } = round.projection.jobs.get(id) ?? {};
    if (state !== "RUNNING" || site === null || sites.get(site)?.canSuspend?.() !== false) continue;
    return { kind: "siteWithoutSuspension", job: id, site };
  }
  return undefined;
}

async function askOfJob({ round, find, sites }: CommandWorld, command: CommandOf<JobVerb>): Promise<Answer> {
  const unable = command.kind === "suspend" && withoutSuspension({ round, sites }, [command.job]);
  if (typeof unable === "object") return refused(unable);
  const answered = await round.ask(command);
  if (answered.ok || answered.refusal.kind !== "unknownJob") return answered;
  const { job: id, kind: verb } = command;
  const job = await find(id);
  if (job === undefined) return answered;
  return refused({ kind: "wrongState", job: id, verb, state: job.state, allowedIn: ALLOWED_IN[verb] });
}

async function undoEnforcement(
  { round, find }: CommandWorld,
  command: CommandOf<"undoEnforcement">,
): Promise<Answer> {
  const answered = await round.ask(command);
  if (answered.ok || answered.refusal.kind !== "unknownJob") return answered;
  const over = await find(command.enforcedJob);
  return over === undefined ? answered : refused({ kind: "notEnforced", job: over.id, isOver: true });
}
