import { Table } from "@mantine/core";
import { lengthText, numberText } from "../../parts/format.ts";
import type { MovedJob } from "../../parts/moved-jobs.ts";

/** Jobs at each end of the list. */
const SHOWN = 15;

const length = (sec: number): string => lengthText(1000 * sec);

interface Moved {
  readonly moved: readonly MovedJob[];
  /** Names of the variants. */
  readonly first: string;
  readonly now: string;
}

/** The jobs that gain most, and those that lose most, with both waits. */
export function MovedTable({ moved, first, now }: Moved) {
  const gains = moved.filter(({ nowSec, beforeSec }) => nowSec < beforeSec).slice(0, SHOWN);
  const losses = moved.filter(({ nowSec, beforeSec }) => nowSec > beforeSec).slice(-SHOWN);
  const jobs = [...gains, ...losses.toReversed()];
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
