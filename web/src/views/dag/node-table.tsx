import { Table } from "@mantine/core";
import type { DagNodeView } from "../../app/client.ts";
import { PartCells, PartTable } from "../../parts/part-table.tsx";
import { Instant } from "../../parts/time.tsx";

const COLUMNS = [
  { name: "Node" },
  { name: "State" },
  { name: "Depends on" },
  { name: "Job" },
  { name: "Attempts", isNumber: true },
  { name: "Ended" },
];

/** The nodes of a DAG in the order of its description. */
export function NodeTable({ nodes }: { readonly nodes: readonly DagNodeView[] }) {
  return (
    <PartTable
      label="Nodes"
      columns={COLUMNS}
      items={nodes}
      cells={(node) => <Cells node={node} />}
      widthPx={640}
    />
  );
}

function Cells({ node }: { readonly node: DagNodeView }) {
  const { name, parents, tries, retries, endedAt } = node;
  const after = parents.length > 4 ? `${parents.length} nodes` : parents.join(", ") || "–";
  return (
    <>
      <PartCells name={name} part={node} about={after} />
      <Table.Td className="number">
        {tries} of {retries + 1}
      </Table.Td>
      <Table.Td>
        <Instant at={endedAt} />
      </Table.Td>
    </>
  );
}
