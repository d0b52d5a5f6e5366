import type { BarView, ScheduleView } from "../app/client.ts";
import type { BarKind, GanttBar } from "../gantt/bar.ts";
import { instantText } from "./time.tsx";

/** Bars of a schedule that have a place in time. */
export function barsOf({ bars, at }: ScheduleView): readonly GanttBar[] {
  const nowMs = Date.parse(at);
  return bars.flatMap((bar, index) => {
    if (bar.from === null || bar.until === null) return [];
    const from = Date.parse(bar.from);
    // Instants that have passed while it still waits say nothing of its start any more.
    const promised = bar.promises.map(({ startAt }) => Date.parse(startAt)).filter((it) => it > nowMs);
    return [
      {
        key: bar.job ?? bar.siteJob ?? bar.reservation ?? `bar ${index}`,
        label: nameOf(bar),
        kind: kindOf(bar),
        from,
        until: Date.parse(bar.until),
        procs: bar.procs,
        isMine: bar.mine,
        rows: bar.rows,
        consumer: bar.consumer ?? bar.account ?? bar.owner ?? "others",
        partition: bar.partition ?? "no partition",
        nodes: bar.nodes,
        ...(promised.length === 0
          ? {}
          : { likely: { from: Math.min(...promised), until: Math.max(...promised) } }),
        note: () => noteOf(bar),
        ...(bar.job === null ? {} : { href: `/jobs/${bar.job}` }),
      },
    ];
  });
}

/** How a bar is called: by its job, its reservation, or what it stands for. */
export function nameOf(bar: BarView): string {
  if (bar.name !== null) return bar.name;
  if (bar.job !== null) return `job ${bar.job.slice(0, 6)}`;
  if (bar.siteJob !== null) return `job ${bar.siteJob}`;
  if (bar.reservation !== null) return `reservation ${bar.reservation.slice(0, 6)}`;
  return bar.kind === "others" ? "of others" : bar.kind;
}

/** The state of a bar's job, in the words of the list of jobs; null where it has none. */
export function stateOf({ state, result }: Pick<BarView, "state" | "result">): string | null {
  return state === "DONE" && result === "failed" ? "FAILED" : state;
}

function kindOf({ kind, result }: BarView): BarKind {
  if (kind === "past" && result === "failed") return "failed";
  return kind === "held" ? "queued" : kind;
}

function noteOf(bar: BarView): string[] {
  const { kind, procs, consumer, owner, from, until, nodes, mine } = bar;
  const words = {
    past: "ended",
    running: "running, until its time limit",
    queued: "planned",
    held: "held",
    reservation: "reserved",
    offer: "offered",
    setAside: "reserved by the site",
    others: "other users",
  };
  return [
    `${stateOf(bar) ?? words[kind]} · ${procs} processor${procs === 1 ? "" : "s"}`,
    ...(consumer === null && owner === null ? [] : [`${consumer ?? owner}${mine ? " (mine)" : ""}`]),
    ...(from === null || until === null
      ? []
      : [`${words[kind]}: ${instantText(from)} to ${instantText(until)}`]),
    ...(nodes.length === 0 ? [] : [`on ${nodes.slice(0, 4).join(", ")}${nodes.length > 4 ? " …" : ""}`]),
  ];
}
