import { Anchor, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { LongTable } from "./long-table.tsx";
import { changeText, type Difference, isMoved, laterBy, type Span } from "./spans.ts";

interface Compared {
  readonly label: string;
  readonly names: readonly [first: string, other: string];
  readonly differences: readonly Difference[];
  readonly timeText: (at: number) => string;
}

/** Two schedules as a table: when each job starts and ends in either, and by how much that differs. */
export function DifferenceTable({ label, names: [first, other], differences, timeText }: Compared) {
  const columns = [
    { name: "What" },
    { name: "Processors", isNumber: true },
    { name: `Start, ${first}`, isNumber: true },
    { name: `Start, ${other}`, isNumber: true },
    { name: "Difference", isNumber: true },
    { name: `End, ${first}`, isNumber: true },
    { name: `End, ${other}`, isNumber: true },
    { name: "Difference", isNumber: true },
  ];
  const at = (span: Span | undefined, edge: "from" | "until"): string => {
    if (span === undefined) return "absent";
    const instant = span[edge];
    return instant === null ? "not planned" : timeText(instant);
  };
  return (
    <LongTable
      label={label}
      columns={columns}
      items={differences}
      cells={(difference) => (
        <>
          <Table.Td style={{ whiteSpace: "nowrap" }}>
            <Name difference={difference} />
          </Table.Td>
          <Table.Td className="number">{difference.procs}</Table.Td>
          {(["from", "until"] as const).map((edge) => (
            <Edge key={edge} difference={difference} edge={edge} at={at} />
          ))}
        </>
      )}
      rowPx={32}
      widthPx={980}
      style={{ maxHeight: 320 }}
    />
  );
}

function Name({ difference }: { readonly difference: Difference }) {
  const { label, href } = difference;
  const text = isMoved(difference) ? `≠ ${label}` : label;
  if (href === undefined) return text;
  return (
    <Anchor component={Link} to={href} size="sm">
      {text}
    </Anchor>
  );
}

function Edge({
  difference,
  edge,
  at,
}: {
  readonly difference: Difference;
  readonly edge: "from" | "until";
  readonly at: (span: Span | undefined, edge: "from" | "until") => string;
}) {
  return (
    <>
      <Table.Td className="number">{at(difference.first, edge)}</Table.Td>
      <Table.Td className="number">{at(difference.other, edge)}</Table.Td>
      <Table.Td className="number">{changeText(laterBy(difference, edge))}</Table.Td>
    </>
  );
}
