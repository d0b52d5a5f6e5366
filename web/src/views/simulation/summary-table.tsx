import { Table, Text } from "@mantine/core";
import type { SimulationResultView } from "../../app/client.ts";
import { lengthText, numberText } from "../../parts/format.ts";

type Results = NonNullable<SimulationResultView["results"]>;
type Summary = Results[number]["summary"];

interface Measure {
  readonly label: string;
  readonly value: (summary: Summary) => number;
  readonly text: (value: number) => string;
  /** Whether a larger value is better; absent: neither. */
  readonly isMoreBetter?: boolean;
}

const length = (sec: number): string => lengthText(1000 * sec);
const percent = (share: number): string => `${numberText(Math.round(1000 * share) / 10)} %`;

const MEASURES: readonly Measure[] = [
  { label: "Jobs", value: ({ jobs }) => jobs, text: numberText },
  { label: "Wait, mean", value: (it) => it.waitMeanSec, text: length, isMoreBetter: false },
  { label: "Wait, median", value: (it) => it.waitMedianSec, text: length, isMoreBetter: false },
  { label: "Wait, 95th percentile", value: (it) => it.waitP95Sec, text: length, isMoreBetter: false },
  { label: "Wait, longest", value: (it) => it.waitMaxSec, text: length, isMoreBetter: false },
  { label: "Response, mean", value: (it) => it.responseMeanSec, text: length, isMoreBetter: false },
  {
    label: "Bounded slowdown, mean",
    value: (it) => it.boundedSlowdownMean,
    text: numberText,
    isMoreBetter: false,
  },
  {
    label: "Bounded slowdown, median",
    value: (it) => it.boundedSlowdownMedian,
    text: numberText,
    isMoreBetter: false,
  },
  { label: "Utilisation", value: (it) => it.utilisation, text: percent, isMoreBetter: true },
  { label: "First submission to last end", value: (it) => it.makespanSec, text: length, isMoreBetter: false },
  { label: "Jobs backfilled", value: (it) => it.backfilled, text: numberText },
];

/** Measures of the variants side by side, each with its difference to the first variant. */
export function SummaryTable({ results }: { readonly results: Results }) {
  return (
    <section className="table-wrap" aria-label="Measures, table" tabIndex={0}>
      <Table miw={140 + 95 * results.length}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Measure</Table.Th>
            {results.map(({ name }) => (
              <Table.Th key={name} className="number">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th scope="row" fw={400}>
              Processors
            </Table.Th>
            {results.map(({ name, procs }) => (
              <Table.Td key={name} className="number">
                {numberText(procs)}
              </Table.Td>
            ))}
          </Table.Tr>
          {MEASURES.map((measure) => (
            <Row key={measure.label} measure={measure} results={results} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Row({ measure, results }: { readonly measure: Measure; readonly results: Results }) {
  const { label, value, text } = measure;
  const [first] = results;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {label}
      </Table.Th>
      {results.map((result) => (
        <Table.Td key={result.name} className="number">
          {text(value(result.summary))}
          {first !== undefined && result !== first && (
            <Difference measure={measure} before={value(first.summary)} now={value(result.summary)} />
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function Difference({
  measure: { isMoreBetter },
  before,
  now,
}: {
  readonly measure: Measure;
  readonly before: number;
  readonly now: number;
}) {
  if (now === before) return <Note text="the same" />;
  const part = before === 0 ? undefined : (100 * (now - before)) / before;
  const sign = now > before ? "+" : "−";
  const amount =
    part === undefined ? "from zero" : `${sign}${numberText(Math.round(Math.abs(part) * 10) / 10)} %`;
  if (isMoreBetter === undefined) return <Note text={amount} />;
  const isBetter = now > before === isMoreBetter;
  return (
    <Note text={`${amount}, ${isBetter ? "better" : "worse"}`} colour={isBetter ? "running" : "failed"} />
  );
}

function Note({ text, colour }: { readonly text: string; readonly colour?: string }) {
  return (
    <Text size="xs" c={colour === undefined ? "dimmed" : `var(--stint-${colour})`}>
      {text}
    </Text>
  );
}
