import { Anchor, List, Table, Text, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { client, type StreamView } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { lengthText, measuredText, numberText } from "../../parts/format.ts";
import { StateWord } from "../../parts/state-word.tsx";
import { type VerbButton, VerbButtons } from "../../parts/verb-buttons.tsx";

const NUMBERS = [
  "Weight",
  "Processors",
  "Allocated",
  "Arriving",
  "Processed",
  "Storage",
  "Left",
  "Sent",
  "Halts",
];

/** Streams with what each has now. */
export function StreamTable({
  streams,
  stale,
}: {
  readonly streams: readonly StreamView[];
  readonly stale: readonly string[];
}) {
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label="Streams">
      <Table aria-label="Streams" miw={980} horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Stream</Table.Th>
            <Table.Th>State</Table.Th>
            {NUMBERS.map((name) => (
              <Table.Th key={name} className="number">
                {name}
              </Table.Th>
            ))}
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {streams.map((stream) => (
            <Row key={stream.id} stream={stream} stale={stale} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Row({ stream, stale }: { readonly stream: StreamView; readonly stale: readonly string[] }) {
  const { id, name, site, state, figures } = stream;
  const trouble = figures?.failure ?? figures?.trouble ?? null;
  return (
    <Table.Tr>
      <Table.Td miw={140}>
        <Anchor component={Link} to={`/jobs/${id}`} size="sm" fw={500} style={{ whiteSpace: "nowrap" }}>
          {name} · {id.slice(0, 6)}
        </Anchor>
        <Text size="xs" c="dimmed">
          at {site}
        </Text>
        <Stages figures={figures} />
        {trouble !== null && (
          <Text size="xs" c="var(--stint-failed)">
            ✕ {trouble}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StateWord state={state} />
      </Table.Td>
      {numbersOf(stream).map((value, at) => (
        <Table.Td key={NUMBERS[at]} className="number">
          {value}
        </Table.Td>
      ))}
      <Table.Td>
        <Actions stream={stream} stale={stale} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Stages of a pipeline with the rate of each, and the output that waits for it; the slowest one is named. */
function Stages({ figures }: Pick<StreamView, "figures">) {
  const { stages = [], slowestStage } = figures ?? {};
  if (stages.length === 0) return null;
  return (
    <List size="xs" listStyleType="none" aria-label="Stages">
      {stages.map(({ name, bytesPerSec, waitingBytes }) => (
        <List.Item key={name}>
          {name}: {bytesPerSec === null ? "no block yet" : `${measuredText(bytesPerSec)}/s`}
          {waitingBytes > 0 && `, ${measuredText(waitingBytes)} waiting`}
          {name === slowestStage && " (slowest)"}
        </List.Item>
      ))}
    </List>
  );
}

/** In the order of the columns. */
function numbersOf({ weight, procs, figures, endedAt }: StreamView): readonly ReactNode[] {
  const own = [numberText(weight), numberText(procs)];
  if (figures === null) return [...own, "–", "–", "–", "–", "–", "–", "–"];
  const { occupiedBytes, quotaBytes, lagBytes, halts, haltedSec, sentBytes, unsentBytes } = figures;
  const rate = (bytesPerSec: number) => (endedAt === null ? `${measuredText(bytesPerSec)}/s` : "–");
  return [
    ...own,
    rate(figures.allocatedBytesPerSec),
    rate(figures.receivedBytesPerSec),
    rate(figures.processedBytesPerSec),
    `${measuredText(occupiedBytes)} of ${measuredText(quotaBytes)}`,
    lagBytes === null ? "not known" : measuredText(lagBytes),
    sentBytes === undefined
      ? "no sink"
      : `${measuredText(sentBytes)}${unsentBytes ? `, ${measuredText(unsentBytes)} not yet` : ""}`,
    halts === 0 ? "none" : `${numberText(halts)}, ${lengthText(1000 * haltedSec)}`,
  ];
}

function Actions({ stream, stale }: { readonly stream: StreamView; readonly stale: readonly string[] }) {
  const may = useMay();
  const { id, state, endedAt } = stream;
  if (endedAt !== null || !may("changeStream")) return null;
  const change = (label: string, body: { paused: boolean } | { draining: true }): VerbButton => ({
    ...{ label, act: () => client.call("changeStream", { params: { id }, body }) },
  });
  const verbs: VerbButton[] = [];
  if (state === "SUSPENDED") verbs.push(change("Resume", { paused: false }));
  else if (state !== "WAITING" && state !== "DRAINING") verbs.push(change("Pause", { paused: true }));
  return <VerbButtons verbs={verbs} stale={stale} />;
}
