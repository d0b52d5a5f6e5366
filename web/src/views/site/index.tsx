/** A site: its schedule as a Gantt chart and a table, prices of rectangles in it, and reservations. */
import { Loader, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { client, pathOf, type ScheduleView } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import type { Rectangle } from "../../gantt/bar.ts";
import { Gantt } from "../../gantt/gantt.tsx";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { numberText } from "../../parts/format.ts";
import { Heading } from "../../parts/heading.tsx";
import { clockText, Instant } from "../../parts/time.tsx";
import { BarTable } from "./bar-table.tsx";
import { barsOf } from "./bars-of.ts";
import { SlotPrice } from "./slot-price.tsx";

export function View() {
  const { name = "" } = useParams({ strict: false });
  const schedule = useQuery({
    queryKey: ["site", name, "schedule"],
    queryFn: () => client.call("getSiteSchedule", { params: { name } }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  if (schedule.error) return <FaultNote error={schedule.error} />;
  if (!schedule.data) return <Loader aria-label="Loading the schedule" />;
  return <Schedule schedule={schedule.data} />;
}

function Schedule({ schedule }: { readonly schedule: ScheduleView }) {
  const { site, procs, rows, trouble, hidden, discipline, seenAt, leftOut } = schedule;
  const may = useMay();
  const navigate = useNavigate();
  const [slot, setSlot] = useState<Rectangle>();
  const bars = useMemo(() => barsOf(schedule), [schedule]);
  return (
    <Stack gap="sm">
      <Heading title={site} json={pathOf("getSiteSchedule", { params: { name: site } })} />
      <Text size="sm" c="dimmed">
        {numberText(procs)} processors under {discipline}
        {seenAt !== null && (
          <>
            , seen <Instant at={seenAt} />
          </>
        )}
        {hidden && "; the site hides jobs of others: theirs are only a sum"}
      </Text>
      {trouble !== null && <Text c="var(--stint-failed)">✕ {trouble}</Text>}
      {bars.length === 0 && (
        <Empty title="Nothing runs, waits or is reserved here">
          All {numberText(procs)} processors are free.
        </Empty>
      )}
      <Gantt
        label={`Schedule of ${site}: what ran, runs, waits and is reserved`}
        bars={bars}
        processors={rows}
        now={Date.parse(schedule.at)}
        timeText={clockText}
        onOpen={({ href }) => href !== undefined && void navigate({ to: href })}
        {...(may("quote") ? { onRectangle: setSlot } : {})}
      />
      {slot && <SlotPrice site={site} slot={slot} onDone={() => setSlot(undefined)} />}
      {(leftOut.past || leftOut.later > 0) && (
        <Text size="sm">
          {leftOut.past && "Older jobs that ended are left out. "}
          {leftOut.later > 0 && `${leftOut.later} bars that begin last are left out.`}
        </Text>
      )}
      <Stack component="section" gap="xs" aria-label="The same as a table">
        <Title order={2}>The same as a table</Title>
        <BarTable schedule={schedule} />
      </Stack>
    </Stack>
  );
}
