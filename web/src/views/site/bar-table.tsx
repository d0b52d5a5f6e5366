import { Anchor, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { BarView, ScheduleView } from "../../app/client.ts";
import { LongTable } from "../../parts/long-table.tsx";
import { nameOf } from "../../parts/site-bars.ts";
import { Instant } from "../../parts/time.tsx";

const COLUMNS = [
  { name: "What" },
  { name: "Kind" },
  { name: "Consumer" },
  { name: "Processors", isNumber: true },
  { name: "From" },
  { name: "Until, at the latest" },
];

/** The bars of a schedule as rows, however many. */
export function BarTable({ schedule: { bars, site } }: { readonly schedule: ScheduleView }) {
  return (
    <LongTable
      label={`Bars of ${site}`}
      columns={COLUMNS}
      items={bars}
      cells={(bar) => <Cells bar={bar} />}
      rowPx={32}
      widthPx={640}
      style={{ maxHeight: 320 }}
    />
  );
}

function Cells({ bar }: { readonly bar: BarView }) {
  return (
    <>
      <Table.Td>
        {bar.job === null ? (
          nameOf(bar)
        ) : (
          <Anchor component={Link} to={`/jobs/${bar.job}`} size="sm" fw={bar.mine ? 600 : 400}>
            {nameOf(bar)}
            {bar.mine && " (mine)"}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td>{bar.state ?? bar.kind}</Table.Td>
      <Table.Td>{bar.consumer ?? bar.owner ?? "–"}</Table.Td>
      <Table.Td className="number">{bar.procs}</Table.Td>
      <Table.Td>
        <Instant at={bar.from} />
      </Table.Td>
      <Table.Td>
        <Instant at={bar.until} />
      </Table.Td>
    </>
  );
}
