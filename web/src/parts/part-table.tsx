import { Anchor, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { shortId } from "./job-title.ts";
import { type Column, LongTable } from "./long-table.tsx";
import { StateWord } from "./state-word.tsx";

const ROW_PX = 34;
const MOST_PX = 420;

/** The parts of a DAG or workflow, as high as they need up to some twelve rows. */
export function PartTable<Item>({
  label,
  columns,
  items,
  cells,
  widthPx,
}: {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly items: readonly Item[];
  readonly cells: (item: Item) => ReactNode;
  readonly widthPx: number;
}) {
  const style = { height: Math.min(MOST_PX, (items.length + 2) * ROW_PX) };
  return <LongTable {...{ label, columns, items, cells, widthPx, style }} rowPx={ROW_PX} />;
}

/** The first four cells of a part: its name, its state, something about it, and its job. */
export function PartCells({
  name,
  part: { state, exitCode, job },
  about,
}: {
  readonly name: string;
  readonly part: { readonly state: string; readonly exitCode: number | null; readonly job: string | null };
  readonly about: string;
}) {
  const text = state === "FAILED" && exitCode !== null ? `FAILED (exit code ${exitCode})` : state;
  return (
    <>
      <Table.Td fw={600}>{name}</Table.Td>
      <Table.Td>
        <StateWord state={state} text={text} />
      </Table.Td>
      <Table.Td>{about}</Table.Td>
      <Table.Td>
        {job === null ? (
          "none yet"
        ) : (
          <Anchor component={Link} to={`/jobs/${job}`} size="sm">
            {shortId(job)}
          </Anchor>
        )}
      </Table.Td>
    </>
  );
}
