import { Text } from "@mantine/core";
import type { LevelUsageView } from "../../app/client.ts";

/** Parts per million as `12.5%`. */
export function percentText(ppm: number): string {
  return `${Number((ppm / 10_000).toFixed(2))}%`;
}

/** A part of one as `12.5%`; a dash where there is none. */
export function partText(part: number | null): string {
  return part === null ? "–" : `${(part * 100).toFixed(2)}%`;
}

/** Whether a level has used more than its share, or waits for what it is owed. */
export function Standing({ level }: { readonly level: LevelUsageView }) {
  const { usedPpm, epochPpm, waiting } = level;
  const difference = usedPpm - epochPpm;
  if (difference > 0) return <Word sign="▲" colour="failed" text={`over by ${percentText(difference)}`} />;
  if (difference < 0 && waiting > 0)
    return <Word sign="▽" colour="waiting" text={`owed ${percentText(-difference)}`} />;
  return <Word sign="●" colour="running" text="within its share" />;
}

function Word({
  sign,
  colour,
  text,
}: {
  readonly sign: string;
  readonly colour: string;
  readonly text: string;
}) {
  return (
    <Text span size="sm" c={`var(--stint-${colour})`} style={{ whiteSpace: "nowrap" }}>
      <span aria-hidden="true">{sign} </span>
      {text}
    </Text>
  );
}
