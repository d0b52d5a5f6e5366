import { useNavigate } from "@tanstack/react-router";
import type { GanttBar } from "../gantt/bar.ts";
import { Gantt } from "../gantt/gantt.tsx";
import { mostInUse } from "../gantt/occupancy.ts";
import { clockText } from "./time.tsx";

/** Parts of a DAG or workflow over time; a bar opens its job. */
export function BarsOverTime({
  label,
  bars,
  now,
}: {
  readonly label: string;
  readonly bars: readonly GanttBar[];
  /** Absent: nothing has begun. */
  readonly now?: number;
}) {
  const navigate = useNavigate();
  return (
    <Gantt
      label={label}
      bars={bars}
      processors={mostInUse(bars)}
      processorsAre="maximum in use"
      {...(now === undefined ? {} : { now })}
      timeText={clockText}
      onOpen={({ href }) => href !== undefined && void navigate({ to: href })}
    />
  );
}
