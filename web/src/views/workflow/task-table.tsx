import { Anchor, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { WorkflowView } from "../../app/client.ts";
import { shortId } from "../../parts/job-title.ts";
import { LongTable } from "../../parts/long-table.tsx";
import { StateWord } from "../../parts/state-word.tsx";
import { Instant } from "../../parts/time.tsx";

type Task = WorkflowView["tasks"][number];

const COLUMNS = [
  ...[{ name: "Task" }, { name: "State" }, { name: "Site" }, { name: "Job" }],
  { name: "Processors", isNumber: true },
  ...[{ name: "Planned" }, { name: "Started" }, { name: "Ended" }],
];
const ROW_PX = 34;
const MOST_PX = 420;

/** The tasks of a workflow, as they stand in its description. */
export function TaskTable({ tasks }: { readonly tasks: readonly Task[] }) {
  return (
    <LongTable
      label="Tasks"
      columns={COLUMNS}
      items={tasks}
      cells={(task) => <Cells task={task} />}
      rowPx={ROW_PX}
      widthPx={720}
      style={{ height: Math.min(MOST_PX, (tasks.length + 2) * ROW_PX) }}
    />
  );
}

function Cells({ task }: { readonly task: Task }) {
  const { id, state, exitCode, site, job, procs, plannedStartAt, startedAt, endedAt } = task;
  const text = state === "FAILED" && exitCode !== null ? `FAILED (exit code ${exitCode})` : state;
  return (
    <>
      <Table.Td fw={600}>{id}</Table.Td>
      <Table.Td>
        <StateWord state={state} text={text} />
      </Table.Td>
      <Table.Td>{site ?? "–"}</Table.Td>
      <Table.Td>
        {job === null ? (
          "none yet"
        ) : (
          <Anchor component={Link} to={`/jobs/${job}`} size="sm">
            {shortId(job)}
          </Anchor>
        )}
      </Table.Td>
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
