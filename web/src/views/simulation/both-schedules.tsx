import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Gantt } from "../../gantt/gantt.tsx";
import { useSharedTime } from "../../gantt/use-shared-time.ts";
import { lengthText } from "../../parts/format.ts";
import { type Both, chartsOf, usePreparedCharts } from "./two-charts.ts";

/** Two schedules and the names of their variants. */
interface NamedBoth extends Both {
  readonly names: readonly [first: string, other: string];
}

/** Two schedules as Gantt charts that move together in time; drawn when somebody asks for them. */
export function BothSchedules(props: NamedBoth) {
  const [isAsked, setIsAsked] = useState(false);
  usePreparedCharts(props);
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

function Charts({ names, ...both }: NamedBoth) {
  const shared = useSharedTime();
  const { above, below, different, reaches } = chartsOf(both);
  const [first, other] = both.schedules;
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
