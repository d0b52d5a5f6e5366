import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import classes from "./gantt.module.css";
import type { Window } from "./window.ts";

interface Handle {
  readonly window: Pick<Window, "from" | "until">;
  readonly width: number;
  readonly now: number;
  readonly then: number | undefined;
  readonly onThen: (at: number | undefined) => void;
  readonly timeText: (at: number) => string;
}

/** Parts of the window that keys move the line by. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -0.01,
  ArrowDown: -0.01,
  ArrowRight: 0.01,
  ArrowUp: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
};

/** The handle by which the line of now is moved into the past: by mouse, touch, and keyboard as a slider. */
export function TimeHandle({ window, width, now, then, onThen, timeText }: Handle) {
  const grabbedAt = useRef<number>(undefined);
  const { from, until } = window;
  const at = then ?? now;
  const perPx = (until - from) / width;
  const set = (instant: number): void => {
    onThen(instant >= now ? undefined : Math.max(Math.min(from, now), instant));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step !== undefined) set(at + step * (until - from));
    else if (event.key === "End" || event.key === "Escape") set(now);
    else if (event.key === "Home") set(from);
    else return;
    event.preventDefault();
  };
  const onPointerMove = (event: PointerEvent): void => {
    if (grabbedAt.current === undefined) return;
    set(instantUnder(event, grabbedAt.current, window, perPx));
  };
  const left = Math.max(0, Math.min(width, (at - from) / perPx));
  return (
    <div
      className={classes.handle}
      style={{ left }}
      role="slider"
      tabIndex={0}
      aria-label="Current time: move it into the past to see the schedule as of that time"
      aria-valuemin={Math.round(Math.min(from, at) / 1000)}
      aria-valuemax={Math.round(now / 1000)}
      aria-valuenow={Math.round(at / 1000)}
      aria-valuetext={then === undefined ? "now" : timeText(then)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const box = event.currentTarget.getBoundingClientRect();
        grabbedAt.current = event.clientX - (box.left + box.width / 2);
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        grabbedAt.current = undefined;
      }}
      onPointerCancel={() => {
        grabbedAt.current = undefined;
      }}
    >
      <span aria-hidden="true">{then === undefined ? "◂" : "◂▸"}</span>
    </div>
  );
}

/** Instant under a pointer that has grabbed the handle so far from its middle. */
function instantUnder(
  event: PointerEvent,
  grabbedAt: number,
  { from }: Pick<Window, "from">,
  perPx: number,
): number {
  const left = event.currentTarget.parentElement?.getBoundingClientRect().left ?? 0;
  return from + (event.clientX - grabbedAt - left) * perPx;
}
