/** Compares the broker's records with the lines that the jobs wrote. */

/** Records of the broker about a job, or their absence. */
export interface BookedJob {
  /** Number of the submitted job. */
  readonly number: number;
  readonly id: string;
  readonly state: string | null;
  readonly result: string | null;
  /** Submission, start and end, as far as reached; Unix time in ms. */
  readonly timesMs: readonly number[];
  /** True if the wrapper was killed or the job's end was requested: the job may have failed. */
  readonly mayFail: boolean;
  /** Numbers of the jobs that must have ended before it started; none where absent. */
  readonly after?: readonly number[];
}

/** Line that a job wrote at its start or its end. */
export interface LedgerLine {
  readonly what: "start" | "end";
  readonly number: number;
}

/** Contradictions; empty if the records are right. */
export function compareBooks(booked: readonly BookedJob[], ledger: readonly LedgerLine[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { what, number } of ledger) {
    counts.set(`${what} ${number}`, (counts.get(`${what} ${number}`) ?? 0) + 1);
  }
  const known = new Set(booked.map(({ number }) => number));
  const strangers = ledger.filter(({ number }) => !known.has(number));
  return [
    ...strangers.map(({ what, number }) => `job ${number} wrote "${what}", but no broker accepted it`),
    ...booked.flatMap((job) => tooEarly(job, ledger)),
    ...booked.flatMap((job) => wrongOf(job, (what) => counts.get(`${what} ${job.number}`) ?? 0)),
  ];
}

/** Nodes of a DAG that started before a parent had ended. */
function tooEarly({ number, id, after = [] }: BookedJob, ledger: readonly LedgerLine[]): readonly string[] {
  const placeOf = (what: LedgerLine["what"], of: number): number =>
    ledger.findIndex((line) => line.what === what && line.number === of);
  const start = placeOf("start", number);
  if (start < 0) return [];
  const early = after.filter((parent) => placeOf("end", parent) < 0 || placeOf("end", parent) > start);
  return early.map((parent) => `job ${number} (${id}) started before job ${parent}, its parent, had ended`);
}

function wrongOf(
  { number, id, state, result, timesMs, mayFail }: BookedJob,
  written: (what: LedgerLine["what"]) => number,
): readonly string[] {
  const name = `job ${number} (${id})`;
  const [starts, ends] = [written("start"), written("end")];
  const wrong: string[] = [];
  if (state === null) wrong.push(`${name} was accepted, but the broker has no record of it`);
  else if (!FINAL.has(state)) wrong.push(`${name} is ${state}, but should have ended`);
  if (starts > 1) wrong.push(`${name} ran ${starts} times`);
  if (state === "DONE" && result === "ok" && (starts !== 1 || ends !== 1)) {
    wrong.push(`${name} is DONE with ok, but wrote ${starts} starts and ${ends} ends`);
  }
  if (state === "CANCELLED" && ends > 0) wrong.push(`${name} is CANCELLED, but its program ran to its end`);
  const isSuccess = state === "DONE" && result === "ok";
  if (!mayFail && state !== null && FINAL.has(state) && !isSuccess) {
    wrong.push(`${name} is ${state} (${result ?? "no result"}), but no fault affected it`);
  }
  if (timesMs.some((atMs, at) => atMs < (timesMs[at - 1] ?? atMs))) {
    wrong.push(`${name} has times that go back: ${timesMs.map((atMs) => new Date(atMs).toISOString())}`);
  }
  return wrong;
}

const FINAL = new Set(["DONE", "ABORTED", "CANCELLED"]);

/** Parses the jobs' lines, `start 7` or `end 7`; any other line is an error. */
export function readLedger(text: string): readonly LedgerLine[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, what, number] = /^(start|end) (\d+)$/.exec(line) ?? [];
      if (what !== "start" && what !== "end") throw new Error(`not a line of a ledger: ${line}`);
      return { what, number: Number(number) };
    });
}
