import { Table } from "@mantine/core";
import { instantText } from "../../parts/time.tsx";
import { type CourseLine, isOver } from "./course-chart.tsx";

/** Rows of the table: each a part of the period. */
const ROWS = 60;

/** The course as a table: the last step of each of some parts, and what happened within. */
export function CourseTable({ line }: { readonly line: CourseLine }) {
  const each = Math.max(1, Math.ceil(line.atSec.length / ROWS));
  const parts = Array.from({ length: Math.ceil(line.atSec.length / each) }, (_, part) => {
    const first = part * each;
    const last = Math.min(first + each, line.atSec.length) - 1;
    const steps = Array.from({ length: last - first + 1 }, (_step, index) => first + index);
    const until = line.atSec[last + 1] ?? Number.POSITIVE_INFINITY;
    const actions = line.actions.filter(({ atSec }) => atSec >= line.atSec[first] && atSec < until);
    return { last, actions, over: steps.some((step) => isOver(line, step)) };
  });
  return (
    <details>
      <summary>The same as a table</summary>
      <div className="table-wrap">
        <Table aria-label="Use step by step, in percent of the site">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>At</Table.Th>
              {["In use", "Burst line", "Used over the epoch", "Epoch line"].map((name) => (
                <Table.Th key={name} className="number">
                  {name}
                </Table.Th>
              ))}
              <Table.Th>Violations and actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {parts.toReversed().map(({ last, over, actions }) => (
              <Table.Tr key={last}>
                <Table.Td>{instantText(1000 * line.atSec[last])}</Table.Td>
                {[line.inUse, line.burst, line.used, line.epoch].map((values, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
                  <Table.Td key={column} className="number">
                    {values[last] === null ? "–" : `${values[last].toFixed(1)}%`}
                  </Table.Td>
                ))}
                <Table.Td>
                  {[...(over ? ["✕ over a line"] : []), ...actions.map(({ text }) => `▼ ${text}`)].join("; ")}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </details>
  );
}
