import { Anchor, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { DagNodeView } from "../../app/client.ts";
import { shortId } from "../../parts/job-title.ts";
import { LongTable } from "../../parts/long-table.tsx";
import { StateWord } from "../../parts/state-word.tsx";
import { Instant } from "../../parts/time.tsx";

const COLUMNS = [
  { name: "Node" },
  { name: "State" },
  { name: "After" },
  { name: "Job" },
  { name: "Tries", isNumber: true },
  { name: "Ended" },
];
const ROW_PX = 34;
const MOST_PX = 420;

/** The nodes of a DAG in the order of its description. */
export function NodeTable({ nodes }: { readonly nodes: readonly DagNodeView[] }) {
  return (
    <LongTable
      label="Nodes"
      columns={COLUMNS}
      items={nodes}
      cells={(node) => <Cells node={node} />}
      rowPx={ROW_PX}
      widthPx={640}
      style={{ height: Math.min(MOST_PX, (nodes.length + 2) * ROW_PX) }}
    />
  );
}

function Cells({ node }: { readonly node: DagNodeView }) {
  const { name, state, parents, job, tries, retries, exitCode, endedAt } = node;
  const text = state === "FAILED" && exitCode !== null ? `FAILED (exit code ${exitCode})` : state;
  return (
    <>
      <Table.Td fw={600}>{name}</Table.Td>
      <Table.Td>
        <StateWord state={state} text={text} />
      </Table.Td>
      <Table.Td>{parents.length > 4 ? `${parents.length} nodes` : parents.join(", ") || "–"}</Table.Td>
      <Table.Td>
        {job === null ? (
          "none yet"
        ) : (
          <Anchor component={Link} to={`/jobs/${job}`} size="sm">
            {shortId(job)}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td className="number">
        {tries} of {retries + 1}
      </Table.Td>
      <Table.Td>
        <Instant at={endedAt} />
      </Table.Td>
    </>
  );
}
