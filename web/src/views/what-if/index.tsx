/** What if: simulations that are kept, and a new one. */
import { Anchor, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { client, pathOf, type SimulationView } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Heading } from "../../parts/heading.tsx";
import { SimulationState } from "../../parts/simulation-state.tsx";
import { Instant } from "../../parts/time.tsx";
import { NewSimulation } from "./new-simulation.tsx";

/** While one is in progress the list is asked again so often, in ms. */
const EVERY_MS = 2000;

export function View() {
  const may = useMay();
  const { from } = useSearch({ strict: false }) as { readonly from?: string };
  const earlier = useQuery({
    queryKey: ["simulation", from],
    queryFn: () => client.call("getSimulation", { params: { id: from ?? "" } }),
    enabled: from !== undefined,
  });
  const isReady = from === undefined || earlier.data !== undefined;
  return (
    <Stack gap="lg">
      <Heading title="What if" json={pathOf("listSimulations", {})} />
      <Text maw="70ch">
        Simulate a recorded workload, or the queue of a cluster as it is now, under other rules, and see who
        gains and who loses. No site is affected.
      </Text>
      <FaultNote error={earlier.error} />
      {may("simulate") && isReady && <NewSimulation key={from} earlier={earlier.data} />}
      <Kept />
    </Stack>
  );
}

function Kept() {
  const { data, error } = useQuery({
    queryKey: ["simulations"],
    queryFn: async () => (await client.call("listSimulations")).items,
    refetchInterval: ({ state }) => (state.data?.some(({ endedAt }) => endedAt === null) ? EVERY_MS : false),
  });
  return (
    <Stack gap="xs" component="section" aria-label="Kept simulations">
      <Title order={2}>Kept</Title>
      <FaultNote error={error} />
      {data?.length === 0 ? (
        <Empty title="No simulation is kept yet">Choose a workload above, and press Run</Empty>
      ) : (
        <KeptTable simulations={data ?? []} />
      )}
    </Stack>
  );
}

function KeptTable({ simulations }: { readonly simulations: readonly SimulationView[] }) {
  return (
    <section className="table-wrap" aria-label="Kept simulations, table" tabIndex={0}>
      <Table miw={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Workload</Table.Th>
            <Table.Th>Variants</Table.Th>
            <Table.Th>Owner</Table.Th>
            <Table.Th>Created</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {simulations.map((simulation) => (
            <Table.Tr key={simulation.id}>
              <Table.Td>
                <Anchor component={Link} to={`/what-if/${simulation.id}`} size="sm">
                  {simulation.name}
                </Anchor>
                {simulation.shared && (
                  <Text span size="xs" c="dimmed">
                    {" "}
                    shared
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <SimulationState simulation={simulation} />
              </Table.Td>
              <Table.Td>{simulation.workload.name}</Table.Td>
              <Table.Td>{simulation.variants.map(({ name }) => name).join(", ")}</Table.Td>
              <Table.Td>{simulation.owner}</Table.Td>
              <Table.Td>
                <Instant at={simulation.createdAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
