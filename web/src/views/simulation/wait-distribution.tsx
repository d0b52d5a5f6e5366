import { Table } from "@mantine/core";
import { useMemo } from "react";
import type { SimulationResultView } from "../../app/client.ts";
import { lengthText } from "../../parts/format.ts";
import { LineChart } from "../../parts/line-chart.tsx";
import { AsTable } from "./as-table.tsx";

type Results = NonNullable<SimulationResultView["results"]>;

const IN_TABLE = [0, 10, 25, 50, 75, 90, 95, 99, 100];
const HOUR_SEC = 3600;
const DAY_SEC = 24 * HOUR_SEC;
const MARKS_SEC = [0, 60, 600, HOUR_SEC, 6 * HOUR_SEC, DAY_SEC, 7 * DAY_SEC, 30 * DAY_SEC, 365 * DAY_SEC];
const percent = (value: number): string => `${Math.round(value)} %`;
const length = (sec: number): string => lengthText(1000 * sec);

/** How long jobs wait: for each share of the jobs the wait that they do not exceed. */
export function WaitDistribution({ results }: { readonly results: Results }) {
  const chart = useMemo(
    () => ({
      x: Array.from({ length: 101 }, (_, at) => at),
      lines: results.map(({ name, waitQuantilesSec }) => ({ label: name, values: waitQuantilesSec })),
    }),
    [results],
  );
  return (
    <>
      <LineChart
        label={`Waits of ${results.map(({ name }) => name).join(", ")}, from the shortest to the longest`}
        xLabel="Share of the jobs"
        xText={percent}
        yText={length}
        marks={MARKS_SEC}
        {...chart}
      />
      <AsTable>
        <Table miw={200 + 140 * results.length} aria-label="Waits by share of the jobs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Share of the jobs</Table.Th>
              {results.map(({ name }) => (
                <Table.Th key={name} className="number">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {IN_TABLE.map((share) => (
              <Table.Tr key={share}>
                <Table.Th scope="row" fw={400}>
                  {share} % wait at most
                </Table.Th>
                {results.map(({ name, waitQuantilesSec }) => (
                  <Table.Td key={name} className="number">
                    {length(waitQuantilesSec[share] ?? 0)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </AsTable>
    </>
  );
}
