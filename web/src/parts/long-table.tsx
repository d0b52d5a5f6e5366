import { Table } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, useEffect, useRef } from "react";

/** A column of a long table; numbers are aligned to the right. */
export interface Column {
  readonly name: string;
  readonly isNumber?: boolean;
}

/** Called with the first and the last row in sight when they have changed. */
type OnSight = (rows: readonly [first: number, last: number]) => void;

/** Number of rows beyond the visible ones that are rendered; with fewer left, the end counts as near. */
const OVERSCAN = 8;
const NEAR = 300;

/** A table of any number of rows, of which those in sight are in the document; it scrolls by itself. */
export function LongTable<Item>({
  label,
  columns,
  items,
  cells,
  rowPx,
  widthPx,
  style,
  onEnd,
  onSight,
}: {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly items: readonly Item[];
  /**
   * The cells of a row, in the order of the columns. If it stays the same function, a row is rendered anew
   * only when its item has changed.
   */
  readonly cells: (item: Item) => ReactNode;
  readonly rowPx: number;
  /** Least width; narrower windows scroll. */
  readonly widthPx: number;
  readonly style: React.CSSProperties;
  /** Callback for when the last rows are nearly visible. */
  readonly onEnd?: () => void;
  readonly onSight?: OnSight;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1);
  const before = shown[0]?.start ?? 0;
  const after = rows.getTotalSize() - (last?.end ?? 0);
  const lastIndex = last?.index ?? 0;
  useEffect(() => {
    if (lastIndex >= items.length - NEAR) onEnd?.();
  }, [lastIndex, items.length, onEnd]);
  useSight([shown[0]?.index ?? 0, lastIndex], onSight);
  const scroll = { ...style, overflow: "auto" };
  return (
    <div ref={scroller} className="table-wrap" style={scroll} tabIndex={0} role="region" aria-label={label}>
      <Table stickyHeader miw={widthPx} aria-rowcount={items.length}>
        <Head columns={columns} />
        <tbody className="long-rows">
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map(({ index, key }) => {
            const item = items[index];
            return item !== undefined && <Row key={key} {...{ index, item, cells, rowPx }} />;
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </Table>
    </div>
  );
}

const Head = memo(function HeadOfTable({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map(({ name, isNumber }) => (
          <Table.Th key={name} className={isNumber ? "number" : ""}>
            {name}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
});

interface RowProps<Item> {
  readonly index: number;
  readonly item: Item;
  readonly cells: (item: Item) => ReactNode;
  readonly rowPx: number;
}

/** Rows without components of the library, each of which costs as much as the rest of a row. */
const Row = memo(function RowOfTable<Item>({ index, item, cells, rowPx }: RowProps<Item>) {
  return (
    <tr style={{ height: rowPx }} aria-rowindex={index + 1}>
      {cells(item)}
    </tr>
  );
}) as <Item>(props: RowProps<Item>) => ReactNode;

function useSight([first, last]: readonly [number, number], onSight: OnSight | undefined): void {
  useEffect(() => onSight?.([first, last]), [first, last, onSight]);
}
