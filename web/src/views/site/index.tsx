/** A site: its schedule as a Gantt chart and a table, what was believed before, prices of rectangles. */
import { Anchor, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { client, pathOf, type ScheduleView } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import type { GanttBar, Rectangle } from "../../gantt/bar.ts";
import { Gantt } from "../../gantt/gantt.tsx";
import { useSharedTime } from "../../gantt/use-shared-time.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { numberText } from "../../parts/format.ts";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Section } from "../../parts/section.tsx";
import { barsOf } from "../../parts/site-bars.ts";
import { withDifferences } from "../../parts/spans.ts";
import { clockText, Instant } from "../../parts/time.tsx";
import { BarTable } from "./bar-table.tsx";
import { Believed } from "./believed.tsx";
import { LimitTable, MOST_DRAWN, useLimits } from "./limits.tsx";
import { Pilots } from "./pilots.tsx";
import { SlotPrice } from "./slot-price.tsx";
import { useBelief } from "./use-belief.ts";
import { useFreeSlots } from "./use-free-slots.ts";

const HOUR_MS = 3_600_000;
const PERIODS = { Hour: HOUR_MS, Day: 24 * HOUR_MS, Week: 168 * HOUR_MS } as const;
type Period = keyof typeof PERIODS;

export function View() {
  const { name = "" } = useParams({ strict: false });
  const [period, setPeriod] = useState<Period>("Hour");
  const schedule = useQuery({
    queryKey: ["site", name, "schedule", period],
    queryFn: () => {
      const since = new Date(Date.now() - PERIODS[period]).toISOString();
      return client.call("getSiteSchedule", { params: { name }, query: { since } });
    },
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  if (schedule.error) return <FaultNote error={schedule.error} />;
  if (!schedule.data) return <Loading what="the schedule" />;
  return <Schedule key={name} schedule={schedule.data} period={period} onPeriod={setPeriod} />;
}

interface Shown {
  readonly schedule: ScheduleView;
  readonly period: Period;
  readonly onPeriod: (period: Period) => void;
}

function Schedule({ schedule, period, onPeriod }: Shown) {
  const { site, procs, rows, leftOut } = schedule;
  const may = useMay();
  const navigate = useNavigate();
  const [slot, setSlot] = useState<Rectangle & { readonly isByKey?: boolean }>();
  const [chosen, setThen] = useState<number>();
  // Of what ended earlier nothing is loaded.
  const then = chosen === undefined ? undefined : Math.max(chosen, Date.parse(schedule.since));
  const shared = useSharedTime();
  const { belief, error, isAsking } = useBelief(schedule, then);
  const plain = useMemo(() => barsOf(schedule), [schedule]);
  const bars = useMemo(
    () => (belief === undefined ? plain : withDifferences(plain, belief.differences, belief.names)),
    [plain, belief],
  );
  const free = useFreeSlots(schedule, plain);
  const canPrice = may("quote") && !free.isObserved;
  const shown = useMemo(() => [...bars, ...free.bars], [bars, free.bars]);
  const nodes = useMemo(() => schedule.nodes.map(({ name }) => name), [schedule.nodes]);
  const onOpen = ({ key, href }: GanttBar): void => {
    if (href !== undefined) void navigate({ to: href });
    else if (canPrice) setSlot(free.rectangles.get(key));
  };
  const limits = useLimits(site, procs, PERIODS[period]);
  const drawn = useMemo(() => limits.slice(0, MOST_DRAWN), [limits]);
  return (
    <Stack gap="sm">
      <Heading title={site} json={pathOf("getSiteSchedule", { params: { name: site } })} />
      <Facts schedule={schedule} period={period} onPeriod={onPeriod} />
      {bars.length === 0 && <Idle procs={procs} />}
      <Gantt
        label={`Schedule of ${site}: what ran, runs, waits and is reserved, and what is free`}
        bars={shown}
        processors={rows}
        nodes={nodes}
        now={Date.parse(schedule.at)}
        limits={drawn}
        then={then}
        onThen={setThen}
        {...(belief === undefined ? {} : { different: belief.different })}
        shared={shared[0]}
        timeText={clockText}
        onOpen={onOpen}
        {...(canPrice ? { onRectangle: (it, isByKey) => setSlot({ ...it, isByKey }) } : {})}
      />
      {slot && <SlotPrice site={site} slot={slot} onDone={() => setSlot(undefined)} />}
      {then === undefined ? (
        <Text size="xs" c="dimmed">
          Drag the line of the current time into the past to see the schedule as of that time.
        </Text>
      ) : (
        <Believed
          {...{ then, belief, error, isAsking }}
          shared={shared[1]}
          onBack={() => setThen(undefined)}
        />
      )}
      {free.isObserved && <OnlyObserved />}
      <FaultNote error={free.error} />
      <LeftOut bars={leftOut} slots={free.leftOut} />
      <LimitTable limits={limits} />
      <Pilots site={site} />
      <Section title="The same as a table">
        <BarTable schedule={schedule} {...free} {...(canPrice ? { onPrice: setSlot } : {})} />
      </Section>
    </Stack>
  );
}

function Idle({ procs }: Pick<ScheduleView, "procs">) {
  return (
    <Empty title="Nothing runs, waits or is reserved here">
      All {numberText(procs)} processors are free.
    </Empty>
  );
}

function OnlyObserved() {
  return (
    <Text size="sm">
      This cluster is only observed. What is free follows from its running and waiting jobs and their time
      limits; nothing can be reserved here.
    </Text>
  );
}

function LeftOut({ bars, slots }: { readonly bars: ScheduleView["leftOut"]; readonly slots: number }) {
  if (!bars.past && bars.later === 0 && slots === 0) return null;
  return (
    <Text size="sm">
      {bars.past && "Older ended jobs are omitted. "}
      {bars.later > 0 && `${numberText(bars.later)} bars that begin last are omitted. `}
      {slots > 0 && `${numberText(slots)} free slots that begin last are omitted.`}
    </Text>
  );
}

function Facts({ schedule, period, onPeriod }: Shown) {
  const { site, procs, discipline, seenAt, hidden, trouble } = schedule;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {numberText(procs)} processors under {discipline}
          {seenAt !== null && (
            <>
              , seen <Instant at={seenAt} />
            </>
          )}
          {hidden && "; the site hides the jobs of other users and shows only their total"}
        </Text>
        <Group gap="sm">
          <Anchor
            renderRoot={(props) => <Link to="/compare" search={{ first: `site:${site}` }} {...props} />}
            size="sm"
          >
            Compare
          </Anchor>
          <SegmentedControl
            size="xs"
            aria-label="Past shown"
            data={Object.keys(PERIODS)}
            value={period}
            onChange={(value) => onPeriod(value as Period)}
          />
        </Group>
      </Group>
      {trouble !== null && <Text c="var(--stint-failed)">✕ {trouble}</Text>}
    </>
  );
}
