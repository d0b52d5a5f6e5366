import { Group } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { BarKind } from "./bar.ts";
import { drawSample, type Palette } from "./draw.ts";
import classes from "./gantt.module.css";

const names: Readonly<Record<BarKind, string>> = {
  past: "ended",
  failed: "failed",
  running: "running, to its limit",
  queued: "waiting, at its planned start",
  reservation: "reserved",
  offer: "offered",
  setAside: "set aside by the site",
  others: "others",
};

/** What colours and patterns mean. */
export function Legend({
  palette,
  kinds,
}: {
  readonly palette: Palette;
  readonly kinds: ReadonlySet<BarKind>;
}) {
  return (
    <Group gap="md" component="ul" p={0} m={0} aria-label="Legend">
      {(Object.keys(names) as BarKind[])
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind} className={classes.legend}>
            <Sample palette={palette} kind={kind} isMine={false} /> {names[kind]}
          </li>
        ))}
      <li className={classes.legend}>
        <Sample palette={palette} kind="others" isMine={true} /> mine
      </li>
    </Group>
  );
}

function Sample({
  palette,
  kind,
  isMine,
}: {
  readonly palette: Palette;
  readonly kind: BarKind;
  readonly isMine: boolean;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context) drawSample(context, palette, kind, isMine);
  }, [palette, kind, isMine]);
  return <canvas ref={canvas} width={26} height={13} aria-hidden="true" />;
}
