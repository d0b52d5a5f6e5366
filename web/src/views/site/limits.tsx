import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { client, type UsageHistoryView } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import type { GanttLimit } from "../../gantt/bar.ts";

/** Limits drawn above a chart; the others are in the table. */
export const MOST_DRAWN = 4;
const WHOLE_PPM = 1_000_000;

/** A limit with what is used of it now. */
interface PolicyLimit extends GanttLimit {
  readonly consumer: string;
  readonly procs: number;
  readonly inUse: number;
}

/** Limits of processors by the usage policies of a site, over the past and as they are now. */
export function useLimits(site: string, procs: number, lookBackMs: number): readonly PolicyLimit[] {
  const may = useMay();
  const usage = useQuery({
    queryKey: ["site", site, "usage"],
    queryFn: () => client.siteUsage(site),
    enabled: may("seeUsage"),
  });
  const history = useQuery({
    queryKey: ["site", site, "limits", lookBackMs],
    queryFn: () => {
      const since = new Date(Date.now() - lookBackMs).toISOString();
      return client.usageHistory(site, { since, everySec: Math.max(10, Math.ceil(lookBackMs / 360_000)) });
    },
    enabled: may("seeUsage"),
  });
  return useMemo(
    () =>
      (usage.data?.levels ?? []).flatMap(({ resource, consumer, burstPpm, inUse }) => {
        if (resource !== "cpu" || burstPpm == null || burstPpm >= WHOLE_PPM) return [];
        const now = Math.floor((burstPpm * procs) / WHOLE_PPM);
        const steps = [...pastSteps(history.data, consumer, procs), { at: Date.now(), procs: now }];
        return [
          {
            ...{ consumer, procs: now, inUse, steps },
            label: `limit of ${consumer}: ${now} now, ${inUse} in use`,
            counts: (bar) => bar.consumer === consumer || bar.consumer.startsWith(`${consumer}/`),
          },
        ];
      }),
    [usage.data, history.data, procs],
  );
}

/** A limit as it stood in the past, from each instant at which it changed. */
function pastSteps(
  history: UsageHistoryView | undefined,
  consumer: string,
  procs: number,
): GanttLimit["steps"] {
  const level = history?.levels.find((it) => it.resource === "cpu" && it.consumer === consumer);
  if (history === undefined || level === undefined) return [];
  const startMs = Date.parse(history.since);
  return level.burstPpm.flatMap((ppm, step) =>
    step > 0 && ppm === level.burstPpm[step - 1]
      ? []
      : [
          {
            at: startMs + 1000 * step * history.everySec,
            procs: ppm === null ? null : Math.floor((ppm * procs) / WHOLE_PPM),
          },
        ],
  );
}

/** Use against limits now, as a table. */
export function LimitTable({ limits }: { readonly limits: readonly PolicyLimit[] }) {
  if (limits.length === 0) return null;
  return (
    <div className="table-wrap">
      <Table aria-label="Use against limits" maw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Limit of</Table.Th>
            <Table.Th className="number">In use now</Table.Th>
            <Table.Th className="number">Limit now</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {limits.map(({ consumer, inUse, procs }) => (
            <Table.Tr key={consumer}>
              <Table.Td>{consumer}</Table.Td>
              <Table.Td className="number">
                {inUse > procs && "✕ above: "}
                {inUse}
              </Table.Td>
              <Table.Td className="number">{procs}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {limits.length > MOST_DRAWN && (
        <Text size="xs" c="dimmed">
          The first {MOST_DRAWN} are drawn above the chart.
        </Text>
      )}
    </div>
  );
}
