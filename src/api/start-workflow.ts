/** A request to execute a workflow, as a command. */
import { MS_PER_SECOND } from "../base/index.ts";
import type { WorkflowRequest } from "../contract/index.ts";
import type { Command, OfKind, PlacedPlan } from "../model/index.ts";
import { instantGiven } from "./instant-given.ts";
import { refusalProblem } from "./problem.ts";
import { procMsOf } from "./reservation-view.ts";

/** Who wants it, under which id. */
interface Whose {
  readonly workflow: string;
  readonly owner: string;
  readonly consumer: string;
}

/** The command of a request. @throws ProblemError where the plan has no beginning, or has passed */
export function workflowCommand(
  { name, tasks, reservations = [], beginAt, mostSu, ...rest }: WorkflowRequest,
  whose: Whose,
  nowMs: number,
): OfKind<Command, "startWorkflow"> {
  const { bestEffort = false, retries = 0, directory = null } = rest;
  const beginMs = beginAt === undefined ? nowMs : instantGiven(beginAt, { pointer: "/beginAt" });
  if (reservations.length > 0 && beginAt === undefined) throw invalid("it is missing, and there is a plan");
  if (beginMs < nowMs - MOST_LATE_MS) throw invalid("the plan has lapsed: its beginning is over");
  const at = (sec: number): number => beginMs + Math.round(sec * MS_PER_SECOND);
  const { workflow } = whose;
  const pilots = reservations.map(({ startSec, endSec, ...slot }, number): PlacedPlan["pilots"][number] => ({
    ...{ job: `${workflow}-p${number}`, reservation: `${workflow}-r${number}` },
    ...slot,
    ...{ startMs: at(startSec), endMs: at(endSec) },
  }));
  const places = tasks.flatMap(({ startSec, endSec, reservation }, task): PlacedPlan["places"][number][] =>
    startSec === undefined || endSec === undefined || reservation === undefined
      ? []
      : [{ task, pilot: reservation, startMs: at(startSec), endMs: at(endSec) }],
  );
  return {
    ...{ kind: "startWorkflow", ...whose, name, retries, directory, isBestEffort: bestEffort },
    tasks: tasks.map(({ id, procs = 1, runtimeSec, parents = [], executable, ...words }) => ({
      ...{ id, procs, parents, runtimeMs: Math.round(runtimeSec * MS_PER_SECOND) },
      program: { executable, arguments: words.arguments ?? [], environment: words.environment ?? {} },
    })),
    ...{ pilots, places, mostProcMs: mostSu === undefined ? null : procMsOf(mostSu) },
  };
}

/** A plan that begins a moment ago is still confirmed. */
const MOST_LATE_MS = 2000;

function invalid(why: string) {
  return refusalProblem({ kind: "workflowInvalid", field: "beginAt", why });
}
