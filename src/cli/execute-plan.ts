/** `stint plan --execute`: has the broker execute a plan, planned again where a slot was taken meanwhile. */
import { readFile } from "node:fs/promises";
import type { StintClient, WorkflowRequest, WorkflowView } from "../api/client/index.ts";
import { counted, Fault, suText } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { instantText } from "./instant-text.ts";
import { livePlatformOf } from "./live-platform.ts";
import { shortfallText } from "./plan-lines.ts";
import type { PlanAnswer } from "./plan-tools.ts";
import { printable } from "./text-table.ts";
import { uploadInputs } from "./upload-inputs.ts";

/** Most plans that are tried; each is made on fresh state. */
const MOST_PLANS = 5;
/** Refusals that planning again on fresh state may avoid; not those of an invalid workflow. */
const STALE = ["slotTaken", "mayNotReserveSlot", "planLapsed", "unknownSite", "siteReservesNothing"];
/** A saved plan was made for a state that is older than this. */
const LAPSES_AFTER_MS = 3_600_000;
const MOST_PLAN_BYTES = 64 * 2 ** 20;

/** Executes what was planned; a refused plan is made anew, at most five times in all. */
export async function executePlanned(
  plan: () => Promise<PlanAnswer>,
  { client, terminal }: Pick<CommandContext, "client" | "terminal">,
): Promise<WorkflowView> {
  for (let attempt = 1; ; attempt++) {
    const answer = await plan();
    const execution = demandExecution(answer);
    if (attempt === 1) {
      for (const remark of answer.remarks ?? []) terminal.writeError(`note: ${printable(remark)}\n`);
    }
    try {
      return await started(execution, { client: await client(), terminal });
    } catch (error) {
      const isStale = error instanceof Fault && STALE.includes(error.code);
      if (!isStale || attempt === MOST_PLANS) throw error;
      terminal.writeError(`stint: ${error.message}; planning again (${attempt + 1} of ${MOST_PLANS})\n`);
    }
  }
}

/** Starts a workflow; if the broker is on another machine, the user's files are uploaded first. */
async function started(
  { files, ...rest }: WorkflowRequest,
  to: { readonly client: StintClient; readonly terminal: CommandContext["terminal"] },
): Promise<WorkflowView> {
  if (files === undefined) return to.client.startWorkflow(rest);
  const [{ inputSandbox = files }] = await uploadInputs([{ inputSandbox: files }], {}, to);
  return to.client.startWorkflow({ ...rest, files: inputSandbox });
}

function demandExecution(answer: PlanAnswer): WorkflowRequest {
  const { execution, feasible, shortfalls } = answer;
  if (execution !== undefined && feasible) return execution;
  const missed = shortfalls.map((shortfall) => shortfallText(shortfall, answer)).join("; ");
  throw new Fault({
    kind: "refused",
    code: "notExecutable",
    what: "the plan is not executed",
    why: feasible ? "it was not made on the sites of the broker" : missed,
    remedy: feasible ? "plan without --platform" : "allow more time or cost, or plan on other sites",
  });
}

/** Executes a saved plan as it is, from now on. @throws Fault where it has lapsed, or is none */
export async function executeSaved(
  file: string,
  { client: open, terminal }: Pick<CommandContext, "client" | "terminal">,
): Promise<WorkflowView> {
  const saved = await savedPlan(file);
  const client = await open();
  const { beginAt } = saved;
  try {
    if (beginAt === undefined) return await started(saved, { client, terminal });
    const beginMs = Date.parse(beginAt);
    if (Number.isNaN(beginMs)) throw notPossible(file, `beginAt, ${beginAt}, is not an instant`);
    if (beginMs < terminal.nowMs() - LAPSES_AFTER_MS) throw lapsed(file, beginAt);
    const fresh = await livePlatformOf(client, undefined);
    const later = Date.parse(fresh.beginAt) > beginMs ? fresh.beginAt : beginAt;
    return await started({ ...saved, beginAt: later }, { client, terminal });
  } catch (error) {
    throw ofFile(file, error);
  }
}

/** A refusal of what is in the file, as one of the file: it was changed since it was written. */
function ofFile(file: string, error: unknown): unknown {
  if (!(error instanceof Fault)) return error;
  if (error.code === "workflowInvalid") return notPossible(file, error.why);
  return error.code === "invalidRequest" ? notPossible(file, `${error.what}: ${error.why}`) : error;
}

function notPossible(file: string, why: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "planFileInvalid",
    what: `the plan in ${file} cannot be executed`,
    why: `${why}; the file was probably edited by hand`,
    remedy: "undo the edit, or plan again: stint plan FILE --execute",
  });
}

/** A file with the JSON of a saved plan; undefined for any other file. */
export async function isSavedPlan(file: string): Promise<boolean> {
  return file.endsWith(".json") && (await executionIn(file)) !== undefined;
}

async function savedPlan(file: string): Promise<WorkflowRequest> {
  const execution = await executionIn(file);
  if (execution !== undefined) return execution;
  throw new Fault({
    kind: "badInput",
    code: "noSavedPlan",
    what: `${file} is not a plan that can be executed`,
    why: "it has no execution part, which stint plan FILE --save writes only for plans on the broker's sites",
    remedy: "plan again: stint plan FILE --execute",
  });
}

async function executionIn(file: string): Promise<WorkflowRequest | undefined> {
  try {
    const text = await readFile(file, "utf8");
    if (text.length > MOST_PLAN_BYTES) return undefined;
    const whole: { readonly execution?: WorkflowRequest } | null = JSON.parse(text);
    return whole?.execution;
  } catch {
    // Whoever reads it as a workflow says what is wrong.
    return undefined;
  }
}

function lapsed(file: string, beginAt: string): Fault {
  return new Fault({
    kind: "refused",
    code: "planLapsed",
    what: `the plan in ${file} has expired`,
    why:
      `its start was planned for ${instantText(beginAt)}, more than an hour ago; the sites have changed ` +
      "since",
    remedy: "plan again: stint plan FILE --execute",
  });
}

/** Two lines on a workflow that has begun. */
export function startedText({ id, reservations, counts, promisedEndAt, promisedSu }: WorkflowView): string {
  const tasks = counts.waiting + counts.ordered + counts.running + counts.done + counts.failed;
  const promise =
    promisedEndAt === null || promisedSu === null
      ? "as best effort, without reservations"
      : `${counted(reservations.length, "reservation")} for ${suText(promisedSu * 3_600_000)}, ` +
        `to end at ${instantText(promisedEndAt)}`;
  return `${id}  ${counted(tasks, "task")}, ${promise}\nstint workflow status ${id}\n`;
}
