import { Anchor, Group, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, type LevelUsageView, type PoliciesView, pathOf } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { lengthText, numberText } from "../../parts/format.ts";
import { Instant } from "../../parts/time.tsx";
import { percentText, Standing } from "./standing.tsx";
import { inTreeOrder } from "./tree-order.ts";

/** The tree of shares at a site: given, used, in use and waited for, and who is over or owed. */
export function Shares({
  site,
  policies,
  onChoose,
}: {
  readonly site: string;
  readonly policies: PoliciesView;
  readonly onChoose: (consumer: string) => void;
}) {
  const usage = useQuery({
    queryKey: ["site", site, "usage"],
    queryFn: () => client.siteUsage(site),
    refetchInterval: 10_000,
  });
  if (usage.error) return <FaultNote error={usage.error} />;
  const levels = inTreeOrder(usage.data?.levels ?? []);
  return (
    <Stack gap="sm">
      <Version policies={policies} />
      {usage.data && levels.length === 0 && <NoShares site={site} />}
      {levels.length > 0 && (
        <section className="table-wrap" aria-label="Shares, table" tabIndex={0}>
          <Table aria-label={`Shares of ${site}`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Consumer</Table.Th>
                <Table.Th>Resource</Table.Th>
                <Table.Th className="number">Share</Table.Th>
                <Table.Th className="number">Used</Table.Th>
                <Table.Th>Window</Table.Th>
                <Table.Th className="number">Burst</Table.Th>
                <Table.Th className="number">In use</Table.Th>
                <Table.Th className="number">Waiting</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>Terms</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {levels.map((level) => (
                <Level key={`${level.resource} ${level.consumer}`} level={level} onChoose={onChoose} />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          Shares are percentages of all of {site}, including those of groups within an organisation.
        </Text>
        <Anchor size="xs" underline="always" href={pathOf("getSiteUsage", { params: { name: site } })}>
          This table as JSON
        </Anchor>
      </Group>
    </Stack>
  );
}

function Level({
  level,
  onChoose,
}: {
  readonly level: LevelUsageView;
  readonly onChoose: (consumer: string) => void;
}) {
  const { consumer, resource, epochPpm, burstPpm, usedPpm, inUse, waiting, window, rule, mode } = level;
  const names = consumer.split("/");
  return (
    <Table.Tr>
      <Table.Td style={{ paddingLeft: `${0.75 + 1.25 * (names.length - 1)}rem` }}>
        {names.length > 1 && <span aria-hidden="true">└ </span>}
        <Anchor
          component="button"
          type="button"
          size="sm"
          aria-label={`Use of ${consumer} over time`}
          onClick={() => onChoose(consumer)}
        >
          {names.at(-1)}
        </Anchor>
      </Table.Td>
      <Table.Td>{resource}</Table.Td>
      <Table.Td className="number">{percentText(epochPpm)}</Table.Td>
      <Table.Td className="number">{percentText(usedPpm)}</Table.Td>
      <Table.Td>
        {window.kind === "fixed" ? `the ${window.unit}` : lengthText(1000 * window.lengthSec)}
      </Table.Td>
      <Table.Td className="number">{percentText(burstPpm)}</Table.Td>
      <Table.Td className="number">{numberText(inUse)}</Table.Td>
      <Table.Td className="number">{numberText(waiting)}</Table.Td>
      <Table.Td>
        <Standing level={level} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: "nowrap" }}>{`${rule}, ${mode}`}</Table.Td>
    </Table.Tr>
  );
}

function Version({ policies: { now, coming } }: { readonly policies: PoliciesView }) {
  if (now === null && coming.length === 0) return null;
  return (
    <Text size="sm">
      {now !== null && (
        <>
          Version {now.version}, applied by {now.by} <Instant at={now.appliedAt} />
          {now.note !== "" && `: ${now.note}`}
        </>
      )}
      {coming.map(({ version, effectiveFrom }) => (
        <span key={version}>
          . Version {version} takes effect <Instant at={effectiveFrom} />
        </span>
      ))}
    </Text>
  );
}

function NoShares({ site }: { readonly site: string }) {
  const may = useMay();
  return (
    <Empty title={`You see no share of ${site}`}>
      {may("changePolicy")
        ? "No policy names this site, so every consumer may use all of it. Write one under Change."
        : "No policy names this site (every consumer may use all of it), or its shares are hidden from you."}
    </Empty>
  );
}
