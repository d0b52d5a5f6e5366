import { Stack, Text, Title } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { Gantt } from "../../gantt/gantt.tsx";
import { useSharedTime } from "../../gantt/use-shared-time.ts";
import { DifferenceTable } from "../../parts/difference-table.tsx";
import { lengthText, numberText } from "../../parts/format.ts";
import {
  type Difference,
  differencesOf,
  isInBoth,
  isMoved,
  laterBy,
  withDifferences,
} from "../../parts/spans.ts";
import { clockText, instantText } from "../../parts/time.tsx";
import { atInstants, type Source } from "./use-source.ts";

const virtualText = (ms: number): string => (ms < 0 ? "" : lengthText(ms));

/** Two schedules as charts that move together in time, and as one table. */
export function SideBySide(given: { readonly first: Source; readonly other: Source }) {
  const { first, other, isVirtual } = useOnOneAxis(given);
  const navigate = useNavigate();
  const shared = useSharedTime();
  const timeText = isVirtual ? virtualText : clockText;
  const names = useMemo(() => namesOf(first, other), [first, other]);
  const differences = useMemo(() => differencesOf(first.spans, other.spans), [first, other]);
  const isRelated = differences.some(isInBoth);
  // Schedules without a job in common differ in everything: marking all of it would say nothing.
  const marked = useMemo(() => (isRelated ? differences.filter(isMoved) : []), [differences, isRelated]);
  const different = useMemo(() => new Set(marked.map(({ key }) => key)), [marked]);
  const reaches = useMemo(
    () => [...first.bars, ...other.bars].reduce((last, { until }) => Math.max(last, until), 0),
    [first, other],
  );
  const begins = useMemo(
    () =>
      [...first.bars, ...other.bars].reduce((least, { from }) => Math.min(least, from), first.now ?? reaches),
    [first, other, reaches],
  );
  const charts = [
    { source: first, name: names[0], window: shared[0] },
    { source: other, name: names[1], window: shared[1] },
  ];
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {isRelated ? summaryOf(marked) : "The schedules have no job in common, so nothing is marked."}
        <Zero given={given} isVirtual={isVirtual} />
      </Text>
      {charts.map(({ source, name, window }, at) => (
        <section key={at === 0 ? "first" : "other"} aria-label={name}>
          <Title order={2}>{name}</Title>
          <Gantt
            label={`Schedule of ${name}`}
            bars={isRelated ? withDifferences(source.bars, differences, names) : source.bars}
            processors={source.processors}
            {...(source.now === undefined ? {} : { now: source.now })}
            {...{ different, begins, reaches, isVirtual, timeText }}
            shared={window}
            onOpen={({ href }) => href !== undefined && void navigate({ to: href })}
          />
        </section>
      ))}
      <Title order={2}>Both as a table</Title>
      <DifferenceTable label="Both schedules" {...{ names, differences, timeText }} />
    </Stack>
  );
}

/** Two of the same name are told apart by their places. */
function namesOf(first: Source, other: Source): readonly [string, string] {
  return first.name === other.name
    ? [`${first.name} (above)`, `${other.name} (below)`]
    : [first.name, other.name];
}

/** Two simulations begin together; beside a site a simulation begins at the instant of its queue. */
function useOnOneAxis({ first, other }: { readonly first: Source; readonly other: Source }) {
  return useMemo(() => {
    const isVirtual = first.beginsAt !== undefined && other.beginsAt !== undefined;
    return isVirtual
      ? { first, other, isVirtual }
      : { first: atInstants(first), other: atInstants(other), isVirtual };
  }, [first, other]);
}

function Zero({
  given: { first, other },
  isVirtual,
}: {
  readonly given: { readonly first: Source; readonly other: Source };
  readonly isVirtual: boolean;
}) {
  const beginsAt = first.beginsAt ?? other.beginsAt;
  if (isVirtual || beginsAt === undefined) return null;
  return ` The simulation begins ${instantText(beginsAt)}.`;
}

function summaryOf(marked: readonly Difference[]): string {
  if (marked.length === 0) return "Every job starts at the same time in both.";
  const both = marked.filter(isInBoth);
  const earlier = both.filter((it) => (laterBy(it, "from") ?? 0) < 0).length;
  const alone = marked.length - both.length;
  const moved = both.length === 1 ? "1 job starts" : `${numberText(both.length)} jobs start`;
  const counts = `${moved} at a different time, ${numberText(earlier)} of them earlier in the lower schedule`;
  const rest = alone === 0 ? "" : `; jobs in only one schedule: ${numberText(alone)}`;
  return `${counts}${rest}. These jobs have a dashed outline, and ≠ in the table.`;
}
