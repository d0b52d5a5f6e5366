import { Anchor, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { pathOf } from "../../app/client.ts";
import { Gantt, type GanttProps } from "../../gantt/gantt.tsx";
import { DifferenceTable } from "../../parts/difference-table.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { clockText, instantText } from "../../parts/time.tsx";
import type { Belief } from "./use-belief.ts";

interface Shown {
  readonly then: number;
  readonly belief: Belief | undefined;
  readonly error: unknown;
  readonly isAsking: boolean;
  readonly shared: NonNullable<GanttProps["shared"]>;
  readonly onBack: () => void;
}

/** What was believed at an instant of the past, below the chart of what happened, and both as a table. */
export function Believed({ then, belief, error, isAsking, shared, onBack }: Shown) {
  return (
    <Stack component="section" gap="xs" aria-label="Schedule as of that time">
      <Group justify="space-between">
        <Title order={2}>As of {instantText(then)}</Title>
        <Button variant="default" size="xs" onClick={onBack}>
          Back to now
        </Button>
      </Group>
      <FaultNote error={error} />
      <Text size="sm" role="status">
        {belief === undefined || isAsking ? "Reading the log …" : summaryOf(belief)}
      </Text>
      {belief && <Chart belief={belief} shared={shared} />}
    </Stack>
  );
}

function Chart({ belief, shared }: { readonly belief: Belief } & Pick<Shown, "shared">) {
  const { schedule, bars, different, names, differences } = belief;
  const { site, rows, at } = schedule;
  const navigate = useNavigate();
  return (
    <>
      {schedule.partial && (
        <Text size="sm">
          The queue of a batch system is not recorded. Only the jobs of this broker are shown, without the
          starts predicted at that time.
        </Text>
      )}
      <Gantt
        label={`Schedule of ${site} as of ${instantText(at)}`}
        bars={bars}
        processors={rows}
        now={Date.parse(at)}
        different={different}
        shared={shared}
        timeText={clockText}
        onOpen={({ href }) => href !== undefined && void navigate({ to: href })}
      />
      <DifferenceTable label="Predicted and actual" timeText={clockText} {...{ names, differences }} />
      <Anchor
        size="xs"
        underline="always"
        href={pathOf("getSiteSchedule", { params: { name: site }, query: { asOf: at } })}
      >
        Schedule as of that time, as JSON
      </Anchor>
    </>
  );
}

function summaryOf({ differences, different }: Belief): string {
  if (different.size === 0) return "Everything started as predicted.";
  const later = differences.filter(({ first }) => first === undefined).length;
  const gone = differences.filter(({ other }) => other === undefined).length;
  const moved = different.size - later - gone;
  const parts = [
    ...(moved > 0 ? [`${moved} started at a different time, or will`] : []),
    ...(later > 0 ? [`${later} arrived later`] : []),
    ...(gone > 0 ? [`${gone} never ran`] : []),
  ];
  return `${parts.join("; ")}. These have a dashed outline, and ≠ in the table.`;
}
