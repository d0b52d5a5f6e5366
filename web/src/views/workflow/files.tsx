import { Anchor, Table } from "@mantine/core";
import { pathOf, type WorkflowView } from "../../app/client.ts";
import { sizeText } from "../../parts/format.ts";
import { PartTable } from "../../parts/part-table.tsx";

type File = WorkflowView["files"][number];

const COLUMNS = [
  ...[{ name: "File" }, { name: "Written by" }, { name: "Where" }],
  { name: "Size", isNumber: true },
];

/** The files that tasks of a workflow read and write; results can be downloaded. */
export function Files({ workflow: { id, files } }: { readonly workflow: WorkflowView }) {
  return (
    <PartTable
      label="Files"
      columns={COLUMNS}
      items={files}
      cells={(file) => <Cells workflow={id} file={file} />}
      widthPx={560}
    />
  );
}

function Cells({ workflow, file }: { readonly workflow: string; readonly file: File }) {
  const { name, writer, result, state, bytes } = file;
  const href = pathOf("readWorkflowFile", { params: { id: workflow, name } });
  return (
    <>
      <Table.Td>
        {result && state === "STORED" ? (
          <Anchor href={href} size="sm" download={name.split("/").at(-1)}>
            {name}
          </Anchor>
        ) : (
          name
        )}
        {result && " (result)"}
      </Table.Td>
      <Table.Td>{writer ?? "given with the workflow"}</Table.Td>
      <Table.Td>{placeOf(file)}</Table.Td>
      <Table.Td className="number">{bytes === null ? "–" : sizeText(bytes)}</Table.Td>
    </>
  );
}

function placeOf({ state, sites }: File): string {
  switch (state) {
    case "PENDING":
      return "not written yet";
    case "AT_SITES":
      return `at ${sites.join(", ")}`;
    case "STORED":
      return sites.length === 0 ? "at the broker" : `at the broker and ${sites.join(", ")}`;
    case "REMOVED":
      return "removed: no further task reads it";
    case "TOO_LARGE":
      return `at ${sites.join(", ")}; too large for the broker`;
  }
}
