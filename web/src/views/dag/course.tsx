import { useMemo } from "react";
import type { JobView } from "../../app/client.ts";
import type { BarKind, GanttBar } from "../../gantt/bar.ts";
import { BarsOverTime } from "../../parts/bars-over-time.tsx";
import { lengthText } from "../../parts/format.ts";
import { useNow } from "../../parts/time.tsx";

/** The jobs of a DAG over time, a row each. */
export function Course({ jobs }: { readonly jobs: readonly JobView[] }) {
  const now = useNow(10_000);
  const bars = useMemo(() => barsOf(jobs, now), [jobs, now]);
  if (bars.length === 0) return "None has started yet.";
  return <BarsOverTime label="When the jobs of this DAG ran" bars={bars} now={now} />;
}

function barsOf(jobs: readonly JobView[], now: number): readonly GanttBar[] {
  const begun = jobs.filter(({ startedAt }) => startedAt !== null);
  begun.sort((a, b) => Date.parse(a.startedAt ?? "") - Date.parse(b.startedAt ?? ""));
  return begun.map((job, row) => {
    const from = Date.parse(job.startedAt ?? "");
    const until = job.endedAt === null ? now : Date.parse(job.endedAt);
    return {
      key: job.id,
      label: job.node?.name ?? job.id,
      kind: kindOf(job),
      ...{ from, until: Math.max(until, from + 1), procs: job.procs, isMine: false, rows: [[row, 1]] },
      ...{ consumer: job.consumer, partition: job.site ?? "no site", href: `/jobs/${job.id}` },
      note: () => [`${job.state} at ${job.site ?? "no site"}`, `ran ${lengthText(until - from)}`],
    };
  });
}

function kindOf({ endedAt, state, result }: JobView): BarKind {
  if (endedAt === null) return "running";
  return state === "ABORTED" || result === "failed" ? "failed" : "past";
}
