import { useMemo } from "react";
import type { WorkflowView } from "../../app/client.ts";
import type { BarKind, GanttBar } from "../../gantt/bar.ts";
import { BarsOverTime } from "../../parts/bars-over-time.tsx";
import { instantText, useNow } from "../../parts/time.tsx";

type Task = WorkflowView["tasks"][number];

/** Tasks over time, a row each: as they ran, else as they are planned. */
export function Course({ workflow }: { readonly workflow: WorkflowView }) {
  const now = useNow(10_000);
  const { tasks, consumer } = workflow;
  const bars = useMemo(() => barsOf(tasks, consumer, now), [tasks, consumer, now]);
  if (bars.length === 0) return "Nothing has started, and nothing has a planned start.";
  return <BarsOverTime label="Tasks over time: what ran, runs, and is planned" bars={bars} now={now} />;
}

function barsOf(tasks: readonly Task[], consumer: string, now: number): readonly GanttBar[] {
  const placed = tasks.flatMap((task) => {
    const from = Date.parse(task.startedAt ?? task.plannedStartAt ?? "");
    if (Number.isNaN(from)) return [];
    return [{ task, from, until: Math.max(endOf(task, from, now), from + 1) }];
  });
  placed.sort((a, b) => a.from - b.from);
  return placed.map(({ task, from, until }, row) => ({
    key: task.id,
    label: task.id,
    kind: kindOf(task),
    ...{ from, until, procs: task.procs, isMine: false, rows: [[row, 1]], consumer },
    partition: task.site ?? "no site",
    note: () => noteOf(task),
    ...(task.job === null ? {} : { href: `/jobs/${task.job}` }),
  }));
}

function endOf(
  { startedAt, endedAt, plannedStartAt, plannedEndAt }: Task,
  from: number,
  now: number,
): number {
  if (endedAt !== null) return Date.parse(endedAt);
  const planned =
    plannedStartAt === null || plannedEndAt === null
      ? 0
      : Date.parse(plannedEndAt) - Date.parse(plannedStartAt);
  return startedAt === null ? from + planned : Math.max(now, from + planned);
}

function kindOf({ state }: Task): BarKind {
  if (state === "DONE") return "past";
  if (state === "FAILED") return "failed";
  return state === "RUNNING" ? "running" : "queued";
}

function noteOf({ state, site, plannedStartAt, plannedEndAt }: Task): readonly string[] {
  const plan =
    plannedStartAt === null || plannedEndAt === null
      ? "not in the plan"
      : `planned: ${instantText(plannedStartAt)} to ${instantText(plannedEndAt)}`;
  return [`${state} at ${site ?? "no site"}`, plan];
}
