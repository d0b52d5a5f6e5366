import { Anchor, Button, Group, Stack, Table, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { client, type SiteView } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { useMay } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { numberText, sizeText } from "../../parts/format.ts";
import { Instant } from "../../parts/time.tsx";
import { AddSite } from "./add-site.tsx";

const tested = {
  true: ["✓", "running"],
  false: ["✕", "failed"],
  null: ["?", "quiet"],
} as const;

/** Sites with their care: test, drain, reopen, remove, add. */
export function Sites() {
  const may = useMay();
  const sites = useQuery({ queryKey: ["sites"], queryFn: client.sites });
  return (
    <Stack>
      <FaultNote error={sites.error} />
      {sites.data?.length === 0 && <Empty title="No sites yet">Add one below.</Empty>}
      <div className="table-wrap">
        <Table aria-label="Sites">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Site</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th className="number">Processors</Table.Th>
              <Table.Th className="number">Memory</Table.Th>
              <Table.Th className="number">Running</Table.Th>
              <Table.Th className="number">Waiting</Table.Th>
              <Table.Th>Last seen</Table.Th>
              <Table.Th>Actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sites.data?.map((site) => (
              <SiteRow key={site.name} site={site} mayChange={may("changeSite")} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {may("changeSite") && <AddSite />}
    </Stack>
  );
}

function SiteRow({ site, mayChange }: { readonly site: SiteView; readonly mayChange: boolean }) {
  const { name, spec, state, running, waiting, seenAt, trouble, draining } = site;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/sites/${encodeURIComponent(name)}`} size="sm" fw={600}>
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {spec.type}, {spec.discipline}
        </Text>
      </Table.Td>
      <Table.Td>
        {state}
        {trouble !== null && (
          <Text size="xs" c="var(--stint-failed)">
            {trouble}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="number">{numberText(spec.procs)}</Table.Td>
      <Table.Td className="number">{sizeText(spec.memoryBytes)}</Table.Td>
      <Table.Td className="number">{running}</Table.Td>
      <Table.Td className="number">{waiting}</Table.Td>
      <Table.Td>{seenAt === null ? "always" : <Instant at={seenAt} />}</Table.Td>
      <Table.Td>{mayChange && <Care name={name} isDraining={draining} />}</Table.Td>
    </Table.Tr>
  );
}

function Care({ name, isDraining }: { readonly name: string; readonly isDraining: boolean }) {
  const [said, setSaid] = useState<readonly string[]>([]);
  const settled = { onSettled: () => queries.invalidateQueries({ queryKey: ["sites"] }) };
  const test = useMutation({ mutationFn: () => client.testSite(name) });
  const drain = useMutation({
    mutationFn: async () => void (await (isDraining ? client.reopenSite(name) : client.drainSite(name))),
    ...settled,
  });
  const remove = useMutation({
    mutationFn: () => client.removeSite(name),
    onSuccess: ({ left }) => setSaid(left),
    ...settled,
  });
  const askRemove = (): void => {
    if (
      window.confirm(
        `Remove ${name}? It must have no active jobs; whatever remains at the site is then listed.`,
      )
    )
      remove.mutate();
  };
  return (
    <Stack gap={4}>
      <Group gap={6} wrap="nowrap">
        <Button variant="default" size="compact-xs" loading={test.isPending} onClick={() => test.mutate()}>
          Test
        </Button>
        <Button variant="default" size="compact-xs" loading={drain.isPending} onClick={() => drain.mutate()}>
          {isDraining ? "Reopen" : "Drain"}
        </Button>
        <Button
          variant="outline"
          color="red"
          size="compact-xs"
          loading={remove.isPending}
          onClick={askRemove}
        >
          Remove
        </Button>
      </Group>
      <FaultNote error={test.error ?? drain.error ?? remove.error} />
      {test.data?.checks.map(({ what, works, why, remedy }) => {
        const [sign, colour] = tested[`${works}`];
        return (
          <Text key={what} size="xs">
            <Text span size="xs" c={`var(--stint-${colour})`}>
              {sign}
            </Text>{" "}
            {what}: {why}
            {remedy === null ? "" : `. ${remedy}`}
          </Text>
        );
      })}
      {said.map((line) => (
        <Text key={line} size="xs">
          Remains at the site: {line}
        </Text>
      ))}
    </Stack>
  );
}
