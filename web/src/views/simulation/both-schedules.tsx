import { Button, Stack, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import type { SimulationSchedule } from "../../app/client.ts";
import { Gantt } from "../../gantt/gantt.tsx";
import { useSharedTime } from "../../gantt/use-shared-time.ts";
import { lengthText } from "../../parts/format.ts";
import type { MovedJob } from "../../parts/moved-jobs.ts";
import { simulationBars } from "../../parts/simulation-bars.ts";

/** Two schedules of one simulation. */
interface Both {
  readonly moved: readonly MovedJob[];
  readonly names: readonly [first: string, other: string];
  readonly schedules: readonly [first: SimulationSchedule, other: SimulationSchedule];
}

/** Two schedules as Gantt charts that move together in time; drawn when somebody asks for them. */
export function BothSchedules(props: Both) {
  const [isAsked, setIsAsked] = useState(false);
  if (isAsked) return <Charts {...props} />;
  return (
    <div>
      <Button variant="default" onClick={() => setIsAsked(true)}>
        Draw both schedules
      </Button>
    </div>
  );
}

const timeText = (ms: number): string => (ms < 0 ? "" : lengthText(ms));

function Charts({ moved, names, schedules: [first, other] }: Both) {
  const shared = useSharedTime();
  const byId = useMemo(() => new Map(moved.map((job) => [job.id, job])), [moved]);
  const different = useMemo(() => new Set(byId.keys()), [byId]);
  const above = useMemo(() => simulationBars(first, byId), [first, byId]);
  const below = useMemo(() => simulationBars(other, byId), [other, byId]);
  const reaches = useMemo(
    () => [...above, ...below].reduce((last, { until }) => Math.max(last, until), 0),
    [above, below],
  );
  const charts = [
    { name: names[0], bars: above, processors: first.procs, shared: shared[0] },
    { name: names[1], bars: below, processors: other.procs, shared: shared[1] },
  ];
  return (
    <Stack gap="sm">
      {charts.map(({ name, bars, processors, shared: window }, at) => (
        <div key={at === 0 ? "first" : "other"}>
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Gantt
            label={`Schedule under ${name}`}
            {...{ bars, processors, different, reaches }}
            isVirtual
            timeText={timeText}
            shared={window}
          />
        </div>
      ))}
    </Stack>
  );
}
