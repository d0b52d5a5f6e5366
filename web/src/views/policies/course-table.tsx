import { Table } from "@mantine/core";
import { instantText } from "../../parts/time.tsx";
import { type CourseLine, isOver } from "./course-chart.tsx";

/** Rows of the table: each a part of the period. */
const ROWS = 60;

/** The course as a table: the last step of each known part of the period, and what happened within. */
export function CourseTable({ line }: { readonly line: CourseLine }) {
  const each = Math.max(1, Math.ceil(line.atSec.length / ROWS));
  const parts = Array.from({ length: Math.ceil(line.atSec.length / each) }, (_, part) => {
    const first = part * each;
    const last = Math.min(first + each, line.atSec.length) - 1;
    const steps = Array.from({ length: last - first + 1 }, (_step, index) => first + index);
    const until = line.atSec[last + 1] ?? Number.POSITIVE_INFINITY;
    const actions = line.actions.filter(({ atSec }) => atSec >= line.atSec[first] && atSec < until);
    const isKnown = steps.some((step) => line.used[step] !== null) || actions.length > 0;
    return { last, actions, isKnown, over: steps.some((step) => isOver(line, step)) };
  }).filter(({ isKnown }) => isKnown);
  return (
    <details>
      <summary>The same as a table</summary>
      <section className="table-wrap" aria-label="Use step by step, table" tabIndex={0}>
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
                <Table.Td style={{ whiteSpace: "nowrap" }}>{instantText(1000 * line.atSec[last])}</Table.Td>
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
      </section>
    </details>
  );
}
