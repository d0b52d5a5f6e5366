import { Anchor, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { BarView, ScheduleView, SlotView } from "../../app/client.ts";
import type { Rectangle } from "../../gantt/bar.ts";
import { LongTable } from "../../parts/long-table.tsx";
import { nameOf, stateOf } from "../../parts/site-bars.ts";
import { type FreeSpan, slotName, slotPrice } from "../../parts/slot-bars.ts";
import { Instant } from "../../parts/time.tsx";
import { rectangleOf } from "./use-free-slots.ts";

const COLUMNS = [
  { name: "What" },
  { name: "Kind" },
  { name: "Consumer" },
  { name: "Processors", isNumber: true },
  { name: "From" },
  { name: "Until, at the latest" },
  { name: "Nodes" },
  { name: "Price" },
];

interface Shown {
  readonly schedule: ScheduleView;
  readonly slots: readonly SlotView[];
  /** What is free at a cluster that is only observed. */
  readonly spans: readonly FreeSpan[];
  /** Called for a slot that is to be priced; absent: the reader may not ask for prices. */
  readonly onPrice?: ((rectangle: Rectangle) => void) | undefined;
}

/** The bars of a schedule as rows, however many, and the free slots after them. */
export function BarTable({ schedule: { bars, site }, slots, spans, onPrice }: Shown) {
  const items = useMemo(() => [...bars, ...slots, ...spans], [bars, slots, spans]);
  return (
    <LongTable
      label={`Bars of ${site}`}
      columns={COLUMNS}
      items={items}
      cells={(item) => {
        if ("kind" in item) return <Cells bar={item} />;
        return "from" in item ? <SpanCells span={item} /> : <SlotCells slot={item} onPrice={onPrice} />;
      }}
      rowPx={32}
      widthPx={860}
      style={{ maxHeight: 320 }}
    />
  );
}

function SpanCells({ span: { from, until, procs } }: { readonly span: FreeSpan }) {
  return (
    <>
      <Table.Td>{slotName({ procs })}</Table.Td>
      <Table.Td>free slot</Table.Td>
      <Table.Td>–</Table.Td>
      <Table.Td className="number">{procs}</Table.Td>
      <Table.Td>
        <Instant at={from} />
      </Table.Td>
      <Table.Td>{until === null ? "no planned end" : <Instant at={until} />}</Table.Td>
      <Table.Td>–</Table.Td>
      <Table.Td>cannot be reserved</Table.Td>
    </>
  );
}

function SlotCells({ slot, onPrice }: { readonly slot: SlotView } & Pick<Shown, "onPrice">) {
  const { startAt, durationSec, extensible, procs } = slot;
  const end = new Date(Date.parse(startAt) + 1000 * durationSec).toISOString();
  return (
    <>
      <Table.Td>
        {onPrice === undefined ? (
          slotName(slot)
        ) : (
          <Anchor component="button" type="button" size="sm" onClick={() => onPrice(rectangleOf(slot))}>
            {slotName(slot)}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td>free slot</Table.Td>
      <Table.Td>–</Table.Td>
      <Table.Td className="number">{procs}</Table.Td>
      <Table.Td>
        <Instant at={startAt} />
      </Table.Td>
      <Table.Td>{extensible ? "no planned end" : <Instant at={end} />}</Table.Td>
      <Table.Td>–</Table.Td>
      <Table.Td>{slotPrice(slot)}</Table.Td>
    </>
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
      <Table.Td>{stateOf(bar) ?? bar.kind}</Table.Td>
      <Table.Td>{bar.consumer ?? bar.owner ?? "–"}</Table.Td>
      <Table.Td className="number">{bar.procs}</Table.Td>
      <Table.Td>
        <Instant at={bar.from} />
      </Table.Td>
      <Table.Td>
        <Instant at={bar.until} />
      </Table.Td>
      <Table.Td>{bar.nodes.length === 0 ? "–" : bar.nodes.join(", ")}</Table.Td>
      <Table.Td>–</Table.Td>
    </>
  );
}
