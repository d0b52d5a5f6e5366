/** Work of many jobs that was submitted as one: DAGs, arrays, planned workflows. */
import { Anchor, Button, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, pathOf } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { lengthText } from "../../parts/format.ts";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { StateCounts } from "../../parts/state-counts.tsx";
import { Instant, useNow } from "../../parts/time.tsx";
import { type WholeRow, wholeRows } from "../../parts/whole-rows.ts";

/** Of each kind; older ones are in the API and on the command line. */
const MOST = 200;

export function View() {
  const may = useMay();
  const limit = { limit: MOST };
  const dags = useQuery({ queryKey: ["dags"], queryFn: () => client.dags(limit) });
  const arrays = useQuery({ queryKey: ["arrays"], queryFn: () => client.arrays(limit) });
  const workflows = useQuery({ queryKey: ["workflows"], queryFn: () => client.workflows() });
  const now = useNow(10_000);
  const error = dags.error ?? arrays.error ?? workflows.error;
  if (error) return <FaultNote error={error} />;
  if (!dags.data || !arrays.data || !workflows.data) return <Loading what="workflows" />;
  const rows = wholeRows(dags.data.items, arrays.data.items, workflows.data, now);
  const isCut = dags.data.next !== null || arrays.data.next !== null;
  return (
    <>
      <Heading title="Workflows" json={pathOf("listDags", { query: limit })}>
        {may("submit") && (
          <Button component={Link} to="/plan" variant="default" size="xs">
            Plan a workflow
          </Button>
        )}
      </Heading>
      {rows.length === 0 ? (
        <Empty title="No workflows yet">
          A DAG: stint submit night.dag. An array: stint submit --array 0-99 -- ./one. A plan: stint plan FILE
          --execute
        </Empty>
      ) : (
        <Wholes rows={rows} />
      )}
      {isCut && (
        <Text size="sm" c="dimmed" mt="xs">
          Only the newest of each kind are shown; the API lists all of them, page by page.
        </Text>
      )}
    </>
  );
}

function Wholes({ rows }: { readonly rows: readonly WholeRow[] }) {
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label="Workflows">
      <Table aria-label="Workflows" miw={680}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th w="40%">States of its jobs</Table.Th>
            <Table.Th className="number">Time left</Table.Th>
            <Table.Th>Consumer</Table.Th>
            <Table.Th>Submitted</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.href}>
              <Table.Td style={{ whiteSpace: "nowrap" }}>
                <Anchor component={Link} to={row.href} size="sm" fw={500}>
                  {row.title}
                </Anchor>
              </Table.Td>
              <Table.Td>{row.kind}</Table.Td>
              <Table.Td>
                <StateCounts states={row.states} />
              </Table.Td>
              <Table.Td className="number">{leftText(row)}</Table.Td>
              <Table.Td>{row.consumer}</Table.Td>
              <Table.Td>
                <Instant at={row.at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function leftText({ endedAt, leftMs }: WholeRow): string {
  if (endedAt !== null) return "ended";
  return leftMs === undefined ? "not known" : `about ${lengthText(leftMs)}`;
}
