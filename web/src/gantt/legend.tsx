import { Group } from "@mantine/core";
import { memo, useEffect, useRef } from "react";
import type { BarKind, GanttBar } from "./bar.ts";
import classes from "./gantt.module.css";
import type { Palette } from "./palette.ts";
import { drawSample } from "./patterns.ts";

const names: Readonly<Record<BarKind, string>> = {
  past: "ended",
  failed: "failed",
  running: "running, until its time limit",
  queued: "waiting, at its planned start",
  reservation: "reserved",
  offer: "offered",
  setAside: "reserved by the site",
  others: "others",
  free: "free slot",
};

/** Kinds of bars that a chart has, and whether some of them are the reader's. */
export function legendOf(bars: readonly GanttBar[]) {
  return { kinds: new Set(bars.map(({ kind }) => kind)), hasMine: bars.some(({ isMine }) => isMine) };
}

/** Legend of colours and patterns; rendered again only when it changes. */
export const Legend = memo(function LegendOfChart({
  palette,
  kinds,
  hasMine,
  hasDifferent,
}: {
  readonly palette: Palette;
  readonly kinds: ReadonlySet<BarKind>;
  /** True where some bars are the reader's. */
  readonly hasMine: boolean;
  /** True where the chart is compared with one beside it. */
  readonly hasDifferent: boolean;
}) {
  const [someKind = "others"] = kinds;
  return (
    <Group gap="md" component="ul" p={0} m={0} aria-label="Legend">
      {(Object.keys(names) as BarKind[])
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind} className={classes.legend}>
            <Sample palette={palette} kind={kind} /> {names[kind]}
          </li>
        ))}
      {hasDifferent ? (
        <li className={classes.legend}>
          <Sample palette={palette} kind={someKind} is="different" /> at a different time in the other
          schedule
        </li>
      ) : (
        hasMine && (
          <li className={classes.legend}>
            <Sample palette={palette} kind="others" is="mine" /> mine
          </li>
        )
      )}
    </Group>
  );
});

function Sample({
  palette,
  kind,
  is,
}: {
  readonly palette: Palette;
  readonly kind: BarKind;
  readonly is?: "mine" | "different";
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context) drawSample(context, palette, kind, is);
  }, [palette, kind, is]);
  return <canvas ref={canvas} width={26} height={13} aria-hidden="true" />;
}
