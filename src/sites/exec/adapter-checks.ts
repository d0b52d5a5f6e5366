/**
 * The conformance suite for authors of adapters: small jobs are submitted through the program as a broker
 * does it, and each requirement of the protocol is one check.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Fault, messageOf } from "../../base/index.ts";
import type { SurveyedEnd, SurveyedJob } from "../../engine/index.ts";
import { EXEC_DEFAULTS, type SiteCheck } from "../../model/index.ts";
import type { PlacedAttempt } from "../../runtime/index.ts";
import { adapterProcess } from "./adapter-process.ts";
import type { ExecSite } from "./exec-site.ts";
import { openExecSite } from "./open-site.ts";
import { describeAdapter } from "./protocol.ts";

/** Adapter under test. */
export interface CheckedAdapter {
  readonly command: readonly string[];
  /** Parent of the directories of test jobs; its nodes share it. */
  readonly directory?: string;
  /** Time limit of each step, in ms; the batch system must start a small job within it. */
  readonly patienceMs: number;
}

const LOOK_EVERY_MS = 200;
const GRACE_MS = 2000;
const CLOCK = { nowMs: () => Date.now() };

interface Checking {
  readonly open: () => Promise<ExecSite>;
  site: ExecSite;
  readonly patienceMs: number;
  number: number;
}

type Check = readonly [what: string, deed: (on: Checking) => Promise<string>];

/** Runs the checks in order; if `describe` fails, the others are skipped. */
export async function checkAdapter(adapter: CheckedAdapter): Promise<readonly SiteCheck[]> {
  const scratch = await mkdtemp(join(adapter.directory ?? tmpdir(), "stint-adapter-"));
  const { command, patienceMs } = adapter;
  const spec = { ...EXEC_DEFAULTS, type: "exec", command, procs: 0, memoryBytes: 0 } as const;
  const site = { ...spec, submitDirectory: join(scratch, "work") };
  const open = () =>
    openExecSite({ name: "tested", spec: site, directory: scratch, clock: CLOCK, graceMs: GRACE_MS });
  const on: Checking = { open, site: await open(), patienceMs, number: 0 };
  const results: SiteCheck[] = [];
  try {
    for (const [what, deed] of await checksFor(command)) {
      const result = await resultOf(what, () => deed(on));
      results.push(result);
      if (what === "describe" && !result.works) break;
    }
    return results;
  } finally {
    await on.site.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function resultOf(what: string, deed: () => Promise<string>): Promise<SiteCheck> {
  try {
    return { what, works: true, isNeeded: true, why: await deed(), remedy: null };
  } catch (error) {
    const why = whyOf(error);
    return {
      what,
      works: false,
      isNeeded: true,
      why,
      remedy: "correct the program as docs/reference/adapters.md describes it",
    };
  }
}

function whyOf(error: unknown): string {
  if (error instanceof Fault) return error.why;
  return messageOf(error);
}

async function checksFor(command: readonly string[]): Promise<readonly Check[]> {
  const program = adapterProcess({ site: "tested", command, clock: CLOCK });
  const verbs = await describeAdapter("tested", program.ask).then(
    (said) => said.verbs,
    () => new Set<string>(),
  );
  await program.close();
  return [
    ["describe", describing],
    ["submit and snapshot", running],
    ["exit codes", exiting],
    ["cancel a running job", cancelling],
    ["cancel a job twice, or an unknown one", unknown],
    ["start again", again],
    ...(verbs.has("signal") ? ([["signal", signalling]] as const) : []),
    ...(verbs.has("hold") && verbs.has("release") ? ([["hold and release", holding]] as const) : []),
  ];
}

async function describing({ site }: Checking): Promise<string> {
  const { procs } = await site.capacity();
  const { jobs } = await site.survey();
  return `${procs} processors, ${jobs.length} jobs in the queue`;
}

async function running(on: Checking): Promise<string> {
  const attempt = await submit(on, "printf done; sleep 1");
  const held = await seen(on, attempt, "held");
  if (held.startedAtMs !== null) throw new Error("a job started before it was released");
  await on.site.act("release", attempt);
  await seen(on, attempt, "running");
  await endOf(on, attempt);
  const part = await on.site.readFile(attempt.token, "stdout", 0, 100);
  const text = part === undefined ? "" : Buffer.from(part.bytes).toString("utf8");
  if (text !== "done") throw new Error("the output of a job is not in its directory: run its script there");
  return "a job was submitted, listed as running, and ended";
}

async function exiting(on: Checking): Promise<string> {
  const attempt = await started(on, "exit 7");
  const { end } = await endOf(on, attempt);
  if (end.exitCode !== 7) throw new Error(`a job with exit code 7 ended as ${JSON.stringify(end)}`);
  return "exit code 7 was reported";
}

async function cancelling(on: Checking): Promise<string> {
  const attempt = await started(on, "sleep 600");
  await seen(on, attempt, "running");
  await on.site.act("cancel", attempt);
  const { end } = await endOf(on, attempt);
  if (end.cause !== "cancelled") throw new Error(`a cancelled job ended as ${JSON.stringify(end)}`);
  return "it ended as cancelled";
}

async function unknown(on: Checking): Promise<string> {
  const attempt = await started(on, "sleep 600");
  await seen(on, attempt, "running");
  await on.site.act("cancel", attempt);
  await on.site.act("cancel", attempt);
  await endOf(on, attempt);
  await on.site.act("cancel", attempt);
  return "nothing happens";
}

async function again(on: Checking): Promise<string> {
  const attempt = await started(on, "sleep 2; exit 3");
  await seen(on, attempt, "running");
  await on.site.close();
  on.site = await on.open();
  await seen(on, attempt, "running");
  const { end } = await endOf(on, attempt);
  if (end.exitCode !== 3) throw new Error("a job did not continue while the program was started again");
  return "a job continues while the program is started again, and is listed by it";
}

async function signalling(on: Checking): Promise<string> {
  const attempt = await started(on, "trap 'exit 5' USR2; while :; do sleep 0.1; done");
  await seen(on, attempt, "running");
  // Its shell needs a moment to set its trap.
  await delay(1000);
  await on.site.act("suspend", attempt);
  await seen(on, attempt, "suspended");
  await on.site.act("resume", attempt);
  await seen(on, attempt, "running");
  await on.site.signal(attempt, "SIGUSR2");
  const { end } = await endOf(on, attempt);
  if (end.exitCode !== 5) throw new Error(`a signal did not reach the job: ${JSON.stringify(end)}`);
  return "a job was suspended, resumed, and got a signal";
}

async function holding(on: Checking): Promise<string> {
  const { procs } = await on.site.capacity();
  const first = await started(on, "sleep 600", procs);
  await seen(on, first, "running");
  const second = await started(on, "true");
  await seen(on, second, "waiting");
  await on.site.act("hold", second);
  await seen(on, second, "held");
  await on.site.act("release", second);
  await seen(on, second, "waiting");
  await on.site.act("cancel", first);
  await endOf(on, first);
  await endOf(on, second);
  return "a waiting job was held and released";
}

async function submit(on: Checking, shell: string, procs = 1): Promise<PlacedAttempt> {
  const token = `check-${++on.number}/1`;
  const siteJob = await on.site.submit({
    ...{ token, name: "stint-check", command: ["sh", "-c", shell], environment: {}, inputFiles: [], procs },
    ...{ limitMs: 900_000, memoryBytes: 0, reservation: null, stdOutput: "stdout", stdError: "stderr" },
  });
  return { token, siteJob };
}

async function started(on: Checking, shell: string, procs = 1): Promise<PlacedAttempt> {
  const attempt = await submit(on, shell, procs);
  await on.site.act("release", attempt);
  return attempt;
}

async function seen(
  on: Checking,
  { siteJob }: PlacedAttempt,
  state: SurveyedJob["state"],
): Promise<SurveyedJob> {
  return until(on, `a job was never listed as ${state}`, ({ jobs }) =>
    jobs.find((job) => job.siteJob === siteJob && job.state === state),
  );
}

async function endOf(on: Checking, { siteJob }: PlacedAttempt): Promise<SurveyedEnd> {
  return until(on, "a job that ended stays in the list, or left no report", ({ ended }) =>
    ended.find((end) => end.siteJob === siteJob),
  );
}

type Looked = Awaited<ReturnType<ExecSite["survey"]>>;

async function until<Found>(
  { site, patienceMs }: Checking,
  missing: string,
  find: (survey: Looked) => Found | undefined,
): Promise<Found> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    const found = find(await site.survey());
    if (found !== undefined) return found;
    if (performance.now() > deadlineMs) throw new Error(`${missing} within ${patienceMs / 1000} s`);
    await delay(LOOK_EVERY_MS);
  }
}
