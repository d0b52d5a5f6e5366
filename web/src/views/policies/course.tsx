import { Anchor, Group, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, type EnforcementActionView, pathOf, type UsageHistoryView } from "../../app/client.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { CourseChart, type CourseLine } from "./course-chart.tsx";
import { CourseTable } from "./course-table.tsx";

const PERIODS = {
  hour: { lengthMs: 3_600_000, everySec: 10, name: "Hour" },
  day: { lengthMs: 86_400_000, everySec: 300, name: "Day" },
  month: { lengthMs: 30 * 86_400_000, everySec: 3600, name: "30 days" },
} as const;

/** Use of a consumer over time against its burst and epoch lines, with violations and enforcement marked. */
export function Course({
  site,
  consumer,
  onChoose,
}: {
  readonly site: string;
  readonly consumer: string | null;
  readonly onChoose: (consumer: string | null) => void;
}) {
  const [period, setPeriod] = useState<keyof typeof PERIODS>("hour");
  const history = useQuery({
    queryKey: ["site", site, "course", period],
    queryFn: () => client.usageHistory(site, queryOf(period)),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
  const actions = useQuery({
    queryKey: ["policies", "actions", site],
    queryFn: () => client.enforcementActions({ site, limit: 200 }),
  });
  const { data } = history;
  const names = [...new Set((data?.levels ?? []).map((level) => level.consumer))].sort();
  const chosen = consumer !== null && names.includes(consumer) ? consumer : (names[0] ?? null);
  const level = data?.levels.find((it) => it.consumer === chosen);
  const line = data && level ? lineOf(data, level, actions.data?.items ?? []) : undefined;
  return (
    <Stack gap="sm">
      <Group>
        <Select
          size="xs"
          aria-label="Consumer"
          data={names}
          value={chosen}
          onChange={onChoose}
          searchable
          allowDeselect={false}
        />
        <PeriodControl value={period} onChange={setPeriod} />
      </Group>
      <FaultNote error={history.error} />
      {data && line === undefined && (
        <Empty title="No use is recorded yet">
          The use of a site is recorded every 10 seconds where policies name the site.
        </Empty>
      )}
      {line && chosen && level && (
        <>
          <CourseChart line={line} title={`${level.resource} of ${site} used by ${chosen}`} />
          <Text size="xs" c="dimmed">
            In percent of {site}. ✕ below: use above the burst or epoch line. ▼ above: an action of the
            enforcer. Gaps: no data.
          </Text>
          <CourseTable line={line} />
          <Anchor
            size="xs"
            underline="always"
            href={pathOf("getUsageHistory", {
              params: { name: site },
              query: { ...queryOf(period), consumer: chosen },
            })}
          >
            Use over time as JSON
          </Anchor>
        </>
      )}
    </Stack>
  );
}

function PeriodControl({
  value,
  onChange,
}: {
  readonly value: keyof typeof PERIODS;
  readonly onChange: (period: keyof typeof PERIODS) => void;
}) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Period"
      data={Object.entries(PERIODS).map(([name, { name: label }]) => ({ value: name, label }))}
      value={value}
      onChange={(name) => onChange(name as keyof typeof PERIODS)}
    />
  );
}

/** The course of a level in percent of the site. */
function lineOf(
  { since, everySec, resources }: UsageHistoryView,
  { resource, inUse, usedPpm, burstPpm, epochPpm }: UsageHistoryView["levels"][number],
  actions: readonly EnforcementActionView[],
): CourseLine {
  const startMs = Date.parse(since);
  const capacity = resources.find((it) => it.resource === resource)?.capacity ?? [];
  return {
    atSec: inUse.map((_, step) => startMs / 1000 + step * everySec),
    inUse: inUse.map((part, step) => share(part?.mean, capacity[step])),
    used: usedPpm.map((part) => (part === null ? null : part.mean / 10_000)),
    burst: burstPpm.map(percent),
    epoch: epochPpm.map(percent),
    actions: actions
      .filter(({ at }) => Date.parse(at) >= startMs)
      .map(({ at, text }) => ({ atSec: Date.parse(at) / 1000, text })),
  };
}

function queryOf(period: keyof typeof PERIODS) {
  const { lengthMs, everySec } = PERIODS[period];
  return { since: new Date(Date.now() - lengthMs).toISOString(), everySec };
}

function share(amount: number | undefined, capacity: number | null | undefined): number | null {
  return amount === undefined || !capacity ? null : (100 * amount) / capacity;
}

function percent(ppm: number | null): number | null {
  return ppm === null ? null : ppm / 10_000;
}
