/** The choice of a site whose schedule is shown. */
import { Anchor, Stack, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, pathOf } from "../../app/client.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { numberText } from "../../parts/format.ts";
import { Heading } from "../../parts/heading.tsx";

export function View() {
  const sites = useQuery({ queryKey: ["sites"], queryFn: client.sites });
  return (
    <Stack>
      <Heading title="Schedules" json={pathOf("listSites", {})} />
      <FaultNote error={sites.error} />
      {sites.data?.length === 0 && <Empty title="No sites yet">Add a site with: stint site add</Empty>}
      <div className="table-wrap">
        <Table aria-label="Sites" horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Site</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th className="number">Processors in use</Table.Th>
              <Table.Th className="number">Running</Table.Th>
              <Table.Th className="number">Waiting</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sites.data?.map(({ name, state, procsBusy, spec, running, waiting }) => (
              <Table.Tr key={name}>
                <Table.Td>
                  <Anchor component={Link} to={`/sites/${encodeURIComponent(name)}`} fw={600}>
                    {name}
                  </Anchor>
                </Table.Td>
                <Table.Td>{state}</Table.Td>
                <Table.Td className="number">
                  {numberText(procsBusy)} of {numberText(spec.procs)}
                </Table.Td>
                <Table.Td className="number">{running}</Table.Td>
                <Table.Td className="number">{waiting}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Stack>
  );
}
