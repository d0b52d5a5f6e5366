import { Text, Title } from "@mantine/core";
import { useMemo } from "react";
import type { StreamView } from "../../app/client.ts";
import { measuredText, numberText } from "../../parts/format.ts";
import { LineChart } from "../../parts/line-chart.tsx";
import { clockText } from "../../parts/time.tsx";
import { linesOf, type Sample, type StreamSample } from "./samples.ts";

const rateText = (value: number): string => `${measuredText(value)}/s`;
/** Axes have no fractions of processors. */
const wholeText = (value: number): string => (Number.isInteger(value) ? numberText(value) : "");

const CHARTS: readonly (readonly [
  title: string,
  value: (of: StreamSample) => number,
  text: (value: number) => string,
])[] = [
  ["Bandwidth allocated", ({ allocated }) => allocated, rateText],
  ["Data arriving", ({ received }) => received, rateText],
  ["Storage occupied", ({ occupied }) => occupied, measuredText],
  ["Processors", ({ procs }) => procs, wholeText],
];

/** What each stream had over time, a chart for each resource; all of them share one cursor. */
export function Course({
  streams,
  samples,
}: {
  readonly streams: readonly StreamView[];
  readonly samples: readonly Sample[];
}) {
  const names = useMemo(() => new Map(streams.map(({ id, name }) => [id, name])), [streams]);
  const x = useMemo(() => samples.map(({ at }) => at), [samples]);
  const charts = useMemo(
    () => CHARTS.map(([title, value, text]) => ({ title, text, lines: linesOf(samples, names, value) })),
    [samples, names],
  );
  if (samples.length < 2 || charts[0]?.lines.length === 0) {
    return <Text size="sm">No data yet: no stream has reported since this view was opened.</Text>;
  }
  return (
    <div className="charts">
      {charts.map(({ title, text, lines }) => (
        <div key={title}>
          <Title order={3} size="sm">
            {title}
          </Title>
          <LineChart
            label={`${title} of each stream over time`}
            {...{ x, lines }}
            xLabel="Time"
            xText={clockText}
            yText={text}
            isStepped
            isFromZero
            group="streams"
          />
        </div>
      ))}
    </div>
  );
}
