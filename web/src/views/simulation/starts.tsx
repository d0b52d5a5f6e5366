import { Loader, Select, Stack, Table, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import type { SimulationResultView } from "../../app/client.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { lengthText, numberText } from "../../parts/format.ts";
import { type MovedJob, movedJobs } from "./moved-jobs.ts";
import { useSchedules } from "./schedules.ts";

type Results = NonNullable<SimulationResultView["results"]>;

/** Jobs at each end of the list. */
const SHOWN = 15;

/** The single jobs that gain and lose most under a variant, with their starts under the first one. */
export function Starts({ id, results }: { readonly id: string; readonly results: Results }) {
  const [first, ...others] = results;
  const [chosen, setChosen] = useState(others[0]?.name ?? "");
  const { data, error } = useSchedules(id, results.length);
  const at = results.findIndex(({ name }) => name === chosen);
  const moved = useMemo(() => {
    const [before, now] = [data?.[0], data?.[at]];
    return before && now && movedJobs(before, now);
  }, [data, at]);
  if (error) return <FaultNote error={error} />;
  if (first === undefined || moved === undefined) return <Loader aria-label="Loading the schedules" />;
  const gains = moved.filter(({ nowSec, beforeSec }) => nowSec < beforeSec).slice(0, SHOWN);
  const losses = moved.filter(({ nowSec, beforeSec }) => nowSec > beforeSec).slice(-SHOWN);
  return (
    <Stack gap="xs">
      <Select
        label="Variant of the jobs"
        data={others.map(({ name }) => name)}
        value={chosen}
        onChange={(name) => setChosen(name ?? "")}
        allowDeselect={false}
        maw={280}
      />
      <Text size="sm">
        {moved.length === 0
          ? "Every job starts at the same time in both."
          : `${numberText(moved.length)} jobs start at another time; those that gain most, and lose most:`}
      </Text>
      {moved.length > 0 && <Rows jobs={[...gains, ...losses.toReversed()]} first={first.name} now={chosen} />}
    </Stack>
  );
}

const length = (sec: number): string => lengthText(1000 * sec);

function Rows({
  jobs,
  first,
  now,
}: {
  readonly jobs: readonly MovedJob[];
  readonly first: string;
  readonly now: string;
}) {
  return (
    <section className="table-wrap" aria-label="Jobs that gain and lose most, table" tabIndex={0}>
      <Table miw={760}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Job</Table.Th>
            <Table.Th>User</Table.Th>
            <Table.Th className="number">Processors</Table.Th>
            <Table.Th className="number">Submitted at</Table.Th>
            <Table.Th className="number">Wait, {first}</Table.Th>
            <Table.Th className="number">Wait, {now}</Table.Th>
            <Table.Th className="number">Starts</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map(({ id, user, procs, submitSec, beforeSec, nowSec }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" fw={400}>
                {id}
              </Table.Th>
              <Table.Td>{user}</Table.Td>
              <Table.Td className="number">{numberText(procs)}</Table.Td>
              <Table.Td className="number">{length(Math.max(0, submitSec))}</Table.Td>
              <Table.Td className="number">{length(beforeSec - submitSec)}</Table.Td>
              <Table.Td className="number">{length(nowSec - submitSec)}</Table.Td>
              <Table.Td className="number">
                {`${length(Math.abs(nowSec - beforeSec))} ${nowSec < beforeSec ? "earlier" : "later"}`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
