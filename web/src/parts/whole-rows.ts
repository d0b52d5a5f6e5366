import type { ArrayView, DagView, WorkflowSummary } from "../app/client.ts";

/** What is submitted as one and has many jobs, in a list. */
export interface WholeRow {
  readonly kind: "DAG" | "array" | "planned workflow";
  readonly id: string;
  readonly href: string;
  readonly title: string;
  readonly states: Readonly<Record<string, number>>;
  /** Remaining time as far as it is known, ms. */
  readonly leftMs?: number;
  readonly consumer: string;
  readonly at: string;
  readonly endedAt: string | null;
}

/** All of them in one list, what goes on first, then by their beginning, newest first. */
export function wholeRows(
  dags: readonly DagView[],
  arrays: readonly ArrayView[],
  workflows: readonly WorkflowSummary[],
  nowMs: number,
): readonly WholeRow[] {
  const rows = [...dags.map(ofDag), ...arrays.map(ofArray), ...workflows.map((it) => ofWorkflow(it, nowMs))];
  return rows.sort((a, b) => rank(a) - rank(b) || Date.parse(b.at) - Date.parse(a.at));
}

function rank({ endedAt }: WholeRow): number {
  return endedAt === null ? 0 : 1;
}

function titled(name: string | null, id: string): string {
  return `${name ?? "unnamed"} · ${id.slice(0, 6)}`;
}

function ofDag({ id, name, states, consumer, submittedAt: at, endedAt }: DagView): WholeRow {
  return {
    ...{ kind: "DAG", id, href: `/dags/${id}`, title: titled(name, id) },
    ...{ states, consumer, at, endedAt },
  };
}

function ofArray({ id, name, states, failed, consumer, ...array }: ArrayView): WholeRow {
  return {
    ...{ kind: "array", id, href: `/arrays/${id}`, title: titled(name, id), consumer },
    states: { ...states, DONE: states.DONE - failed, FAILED: failed },
    ...(array.timeLeftSec === undefined ? {} : { leftMs: 1000 * array.timeLeftSec }),
    ...{ at: array.submittedAt, endedAt: array.endedAt },
  };
}

function ofWorkflow({ id, name, counts, consumer, ...workflow }: WorkflowSummary, nowMs: number): WholeRow {
  const { promisedEndAt, endedAt, startedAt } = workflow;
  const leftMs = promisedEndAt === null || endedAt !== null ? undefined : Date.parse(promisedEndAt) - nowMs;
  return {
    ...{ kind: "planned workflow", id, href: `/workflows/${id}`, title: titled(name, id), consumer },
    states: Object.fromEntries(Object.entries(counts).map(([state, count]) => [state.toUpperCase(), count])),
    ...(leftMs === undefined || leftMs < 0 ? {} : { leftMs }),
    ...{ at: startedAt, endedAt },
  };
}
