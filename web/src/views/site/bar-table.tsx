import { Anchor, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import type { ScheduleView } from "../../app/client.ts";
import { Instant } from "../../parts/time.tsx";
import { nameOf } from "./bars-of.ts";

const ROW_PX = 32;

/** The bars of a schedule as rows, however many. */
export function BarTable({ schedule: { bars, site } }: { readonly schedule: ScheduleView }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: bars.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const shown = rows.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div
      ref={scroller}
      className="table-wrap"
      style={{ maxHeight: 320, overflow: "auto" }}
      tabIndex={0}
      role="region"
      aria-label={`Bars of ${site}`}
    >
      <Table stickyHeader miw={640} aria-rowcount={bars.length}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th>Consumer</Table.Th>
            <Table.Th className="number">Processors</Table.Th>
            <Table.Th>From</Table.Th>
            <Table.Th>Until, at the latest</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map(({ index, key }) => {
            const bar = bars[index];
            if (bar === undefined) return null;
            return (
              <Table.Tr key={key} style={{ height: ROW_PX }} aria-rowindex={index + 1}>
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
              </Table.Tr>
            );
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </Table.Tbody>
      </Table>
    </div>
  );
}
