import { Table } from "@mantine/core";
import type { WorkflowView } from "../../app/client.ts";
import { PartCells, PartTable } from "../../parts/part-table.tsx";
import { Instant } from "../../parts/time.tsx";

type Task = WorkflowView["tasks"][number];

const COLUMNS = [
  ...[{ name: "Task" }, { name: "State" }, { name: "Site" }, { name: "Job" }],
  { name: "Processors", isNumber: true },
  ...[{ name: "Planned" }, { name: "Started" }, { name: "Ended" }],
];

/** The tasks of a workflow, as they stand in its description. */
export function TaskTable({ tasks }: { readonly tasks: readonly Task[] }) {
  return (
    <PartTable
      label="Tasks"
      columns={COLUMNS}
      items={tasks}
      cells={(task) => <Cells task={task} />}
      widthPx={720}
    />
  );
}

function Cells({ task }: { readonly task: Task }) {
  const { id, site, procs, plannedStartAt, startedAt, endedAt } = task;
  return (
    <>
      <PartCells name={id} part={task} about={site ?? "–"} />
      <Table.Td className="number">{procs}</Table.Td>
      {[plannedStartAt, startedAt, endedAt].map((at, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are always these three
        <Table.Td key={column}>
          <Instant at={at} />
        </Table.Td>
      ))}
    </>
  );
}
