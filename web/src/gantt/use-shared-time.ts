import { useCallback, useState } from "react";
import type { Window } from "./window.ts";

type Row = Pick<Window, "top" | "rowPx">;
type Shared = readonly [Partial<Window> | undefined, (window: Window) => void];

/** Windows of two charts that move together in time, each with rows of its own. */
export function useSharedTime(): readonly [first: Shared, other: Shared] {
  const [time, setTime] = useState<Pick<Window, "from" | "until">>();
  const [first, setFirst] = useState<Row>();
  const [other, setOther] = useState<Row>();
  const moveFirst = useCallback(({ from, until, top, rowPx }: Window) => {
    setTime({ from, until });
    setFirst({ top, rowPx });
  }, []);
  const moveOther = useCallback(({ from, until, top, rowPx }: Window) => {
    setTime({ from, until });
    setOther({ top, rowPx });
  }, []);
  return [
    [{ ...time, ...first }, moveFirst],
    [{ ...time, ...other }, moveOther],
  ];
}
