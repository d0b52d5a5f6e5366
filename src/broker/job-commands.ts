/**
 * Commands about jobs: input files are copied before a job is accepted, and a verb on a job that is over is
 * refused for its state, not as unknown.
 */
import { refused } from "../base/index.ts";
import { ALLOWED_IN, type Answer } from "../engine/index.ts";
import { dependencyOf, endOfJob, type JobEnd, type JobRecord, type JobVerb } from "../model/index.ts";
import { jobOf, type Logbook, type Round } from "../runtime/index.ts";
import type { BrokerAnswers, CommandOf, CommandWorld } from "./broker-commands.ts";
import { withTicket } from "./tickets.ts";

export const jobCommands = {
  submit,
  cancel: askOfJob,
  hold: askOfJob,
  release: askOfJob,
  suspend: askOfJob,
  resume: askOfJob,
  undoEnforcement,
} as const satisfies BrokerAnswers;

/** A job's record: from memory, or from the views when it is over. */
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
async function submit(
  { round, sandboxes, submissions, find }: CommandWorld,
  command: CommandOf<"submit">,
): Promise<Answer> {
  const { job, owner, description, isByToken } = command;
  const presented = withTicket(round.projection, command);
  if (!presented.ok) return presented;
  const isTaken = find(job).then((found) => found !== undefined);
  const isReady = isTaken.then((taken) =>
    taken ? 0 : sandboxes.keep(job, description.inputSandbox, { isByToken }),
  );
  await submissions.after(owner, isReady);
  if (await isTaken) return refused({ kind: "idInUse", id: job });
  const inputBytes = await isReady;
  const ends = await endsOf({ round, find }, description.after ?? []);
  const answered = await round.ask({
    ...presented.value,
    ...(inputBytes === 0 ? {} : { inputBytes }),
    ...(ends === undefined ? {} : { ends }),
  });
  if (!answered.ok && answered.refusal.kind !== "idInUse") await sandboxes.drop(job);
  return answered;
}

/** Ends of those of these jobs that are over; undefined where none is. What is not known is refused later. */
async function endsOf(
  { round, find }: Pick<CommandWorld, "round" | "find">,
  after: readonly string[],
): Promise<Readonly<Record<string, JobEnd>> | undefined> {
  const ends: Record<string, JobEnd> = {};
  const unknown = new Set<string>();
  const ids = [...new Set(after.map((text) => dependencyOf(text).job))];
  const isOpen = (id: string): boolean => !Object.hasOwn(ends, id) && !unknown.has(id);
  // One that ends while another is looked up is looked up then.
  for (;;) {
    const gone = ids.find((id) => isOpen(id) && !round.projection.jobs.has(id));
    if (gone === undefined) return Object.keys(ends).length === 0 ? undefined : ends;
    const record = await find(gone);
    const end = record === undefined ? undefined : endOfJob(record);
    if (end === undefined) unknown.add(gone);
    else ends[gone] = end;
  }
}

async function askOfJob({ round, find }: CommandWorld, command: CommandOf<JobVerb>): Promise<Answer> {
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
