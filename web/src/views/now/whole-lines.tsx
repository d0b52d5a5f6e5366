import { Anchor, Group, Table, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { client, type JobView } from "../../app/client.ts";
import { numberText } from "../../parts/format.ts";
import { StateCounts } from "../../parts/state-counts.tsx";
import { Instant } from "../../parts/time.tsx";
import type { WholeRow } from "../../parts/whole-rows.ts";
import { endedOf } from "./work.ts";

/** Jobs shown below the line of an array or a DAG; its own view lists all. */
const SHOWN = 10;

/** An array or a DAG on one line with its jobs by state; some of its jobs below it, once it is expanded. */
export function WholeLines({
  whole,
  children,
}: {
  readonly whole: WholeRow;
  readonly children: (job: JobView) => ReactNode;
}) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const { title, kind, href, states, endedAt, at } = whole;
  const [ended, all] = endedOf(whole);
  return (
    <>
      <Table.Tr>
        <Table.Td colSpan={3}>
          <Group gap={6} wrap="nowrap">
            <UnstyledButton
              w="1.1rem"
              onClick={toggle}
              aria-expanded={isOpen}
              aria-label={`Jobs of ${title}`}
            >
              {isOpen ? "▾" : "▸"}
            </UnstyledButton>
            <Anchor component={Link} to={href} size="sm" fw={500}>
              {title}
            </Anchor>
            <Text size="xs" c="dimmed">
              {kind} · {numberText(ended)} of {numberText(all)} ended
            </Text>
          </Group>
          <StateCounts states={states} />
        </Table.Td>
        <Table.Td visibleFrom="sm" />
        <Table.Td visibleFrom="xs">
          <Instant at={endedAt ?? at} />
        </Table.Td>
      </Table.Tr>
      {isOpen && <SomeJobs whole={whole}>{children}</SomeJobs>}
    </>
  );
}

function SomeJobs({
  whole: { id, href, endedAt },
  children,
}: {
  readonly whole: WholeRow;
  readonly children: (job: JobView) => ReactNode;
}) {
  const filter = { array: id, limit: SHOWN, ...(endedAt === null ? { state: [...ACTIVE] } : {}) };
  // In the order of the states' names those that run come before those that wait.
  const { data } = useQuery({
    queryKey: ["jobs", "of", id],
    queryFn: () => client.jobs({ ...filter, sort: "state" }),
  });
  return (
    <>
      {data?.items.map(children)}
      <Table.Tr>
        <Table.Td colSpan={5} pl="2.2rem">
          <Anchor component={Link} to={href} size="sm">
            {data === undefined ? "Loading its jobs" : "All its jobs"}
          </Anchor>
        </Table.Td>
      </Table.Tr>
    </>
  );
}

const ACTIVE = ["WAITING", "READY", "SCHEDULED", "RUNNING", "SUSPENDED", "HELD"] as const;
