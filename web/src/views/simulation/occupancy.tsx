import { Stack, Table, Text } from "@mantine/core";
import { useMemo } from "react";
import type { SimulationResultView } from "../../app/client.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { lengthText, numberText } from "../../parts/format.ts";
import { LineChart } from "../../parts/line-chart.tsx";
import { Loading } from "../../parts/loading.tsx";
import { AsTable } from "./as-table.tsx";
import { type OccupancySeries, occupancySeries } from "./occupancy-series.ts";
import { useSchedules } from "./schedules.ts";

type Results = NonNullable<SimulationResultView["results"]>;

const length = (sec: number): string => lengthText(1000 * sec);
/** Rows of the table of a picture. */
const ROWS = 13;

/** Processors in use and jobs that wait over time, of all variants. */
export function Occupancy({ id, results }: { readonly id: string; readonly results: Results }) {
  const { data, error } = useSchedules(id, results.length);
  const series = useMemo(() => data && occupancySeries(data), [data]);
  if (error) return <FaultNote error={error} />;
  if (data === undefined || series === undefined) return <Loading what="the schedules" />;
  const cut = data.find(({ id: bars, jobs }) => bars.length < jobs);
  return (
    <Stack gap="xs">
      {cut && (
        <Text size="sm">
          Only the first {numberText(cut.id.length)} jobs to start are drawn, of {numberText(cut.jobs)}.
        </Text>
      )}
      <Picture title="Processors in use" values={series.procs} {...{ series, results }} />
      <Picture title="Waiting jobs" values={series.waiting} {...{ series, results }} />
    </Stack>
  );
}

interface Shown {
  readonly title: string;
  readonly values: OccupancySeries["procs"];
  readonly series: OccupancySeries;
  readonly results: Results;
}

function Picture({ title, values, series, results }: Shown) {
  const lines = useMemo(
    () => results.map(({ name }, at) => ({ label: name, values: values[at] ?? [] })),
    [results, values],
  );
  const step = Math.floor((series.atSec.length - 1) / (ROWS - 1));
  const rows = Array.from({ length: ROWS }, (_, at) => at * step);
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <LineChart
        label={`${title} over time, of ${results.map(({ name }) => name).join(", ")}`}
        x={series.atSec}
        xLabel="Time"
        xText={length}
        yText={numberText}
        lines={lines}
        isStepped
        group="occupancy"
      />
      <AsTable>
        <Table miw={200 + 140 * results.length} aria-label={`${title} over time`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>From the beginning</Table.Th>
              {results.map(({ name }) => (
                <Table.Th key={name} className="number">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row}>
                <Table.Th scope="row" fw={400}>
                  {length(series.atSec[row] ?? 0)}
                </Table.Th>
                {results.map(({ name }, at) => (
                  <Table.Td key={name} className="number">
                    {numberText(values[at]?.[row] ?? 0)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </AsTable>
    </Stack>
  );
}
