import { useState } from "react";
import type { Window } from "./window.ts";

type Row = Pick<Window, "top" | "rowPx">;
type Shared = readonly [Partial<Window> | undefined, (window: Window) => void];

/** Windows of two charts that move together in time, each with rows of its own. */
export function useSharedTime(): readonly [first: Shared, other: Shared] {
  const [time, setTime] = useState<Pick<Window, "from" | "until">>();
  const [rows, setRows] = useState<readonly [Row | undefined, Row | undefined]>([undefined, undefined]);
  const shared = (at: 0 | 1): Shared => [
    { ...time, ...rows[at] },
    ({ from, until, top, rowPx }) => {
      setTime({ from, until });
      const moves = { top, rowPx };
      setRows(at === 0 ? [moves, rows[1]] : [rows[0], moves]);
    },
  ];
  return [shared(0), shared(1)];
}
