import { Anchor, Stack, Table, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, type PilotView, pathOf } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { StateWord } from "../../parts/state-word.tsx";
import { Instant } from "../../parts/time.tsx";

/** Jobs of a pilot that are shown; the others are counted. */
const MOST_JOBS = 4;

/** The pilots of a site, which run jobs within jobs of the cluster; nothing where it has none. */
export function Pilots({ site }: { readonly site: string }) {
  const may = useMay();
  const pilots = useQuery({
    queryKey: ["site", site, "pilots"],
    queryFn: () => client.call("listPilots", { query: { site } }),
    enabled: may("seeSite"),
    refetchInterval: 15_000,
  });
  if (pilots.error) return <FaultNote error={pilots.error} />;
  const items = pilots.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Stack component="section" gap="xs" aria-label="Pilots">
      <Title order={2}>Pilots</Title>
      <div className="table-wrap" tabIndex={0} role="region" aria-label="Pilots">
        <Table aria-label="Pilots" miw={720}>
          <Table.Thead>
            <Table.Tr>
              {["Pilot", "State", "Node", "Until, at the latest", "Runs"].map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
              <Table.Th className="number">Processors in use</Table.Th>
              <Table.Th className="number">Jobs so far</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((pilot) => (
              <Row key={pilot.id} pilot={pilot} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Anchor size="xs" underline="always" href={pathOf("listPilots", { query: { site } })}>
        Pilots, as JSON
      </Anchor>
    </Stack>
  );
}

function Row({ pilot }: { readonly pilot: PilotView }) {
  const { id, state, node, until, procs, procsBusy, taken, jobs, endedAt } = pilot;
  return (
    <Table.Tr>
      <Table.Td>{id.slice(0, 12)}</Table.Td>
      <Table.Td>
        <StateWord state={state} />
      </Table.Td>
      <Table.Td>{node ?? "none yet"}</Table.Td>
      <Table.Td>
        <Instant at={endedAt ?? until} />
      </Table.Td>
      <Table.Td>
        {jobs.length === 0 && "no job"}
        {jobs.slice(0, MOST_JOBS).map((job) => (
          <Anchor key={job} component={Link} to={`/jobs/${job}`} size="sm" mr="xs">
            {job.slice(0, 6)}
          </Anchor>
        ))}
        {jobs.length > MOST_JOBS && `and ${jobs.length - MOST_JOBS} more`}
      </Table.Td>
      <Table.Td className="number">
        {procsBusy} of {procs}
      </Table.Td>
      <Table.Td className="number">{taken}</Table.Td>
    </Table.Tr>
  );
}
