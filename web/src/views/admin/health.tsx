import { Anchor, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "../../app/client.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Instant } from "../../parts/time.tsx";

/** Metrics that are shown, by their names in Prometheus' text; the rest is behind the link. */
const SHOWN: Readonly<Record<string, string>> = {
  stint_jobs: "Active jobs",
  stint_jobs_ended_total: "Jobs ended since the broker started",
  stint_site_procs_busy: "Processors in use",
  stint_site_trouble: "Site unhealthy (1 = yes)",
  stint_site_cannot_enforce: "Policies cannot be enforced (1 = yes)",
};

/** Whether the broker is well, what was denied lately, and what its log says. */
export function Health() {
  const health = useQuery({
    queryKey: ["health"],
    queryFn: async () => (await fetch("/readyz")).ok,
    refetchInterval: 10_000,
  });
  const metrics = useQuery({ queryKey: ["metrics"], queryFn: readMetrics, refetchInterval: 10_000 });
  const events = useQuery({ queryKey: ["events", "latest"], queryFn: () => client.events({ limit: 50 }) });
  return (
    <Stack>
      <Text>
        {health.data === false
          ? "✕ The broker is not ready: it is starting or stopping."
          : "✓ The broker is ready."}
      </Text>
      <FaultNote error={health.error ?? metrics.error ?? events.error} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Stack gap="xs" component="section" aria-label="Metrics">
          <Title order={2}>Metrics</Title>
          <Table variant="vertical" withTableBorder>
            <Table.Tbody>
              {metrics.data?.map(({ name, value }) => (
                <Table.Tr key={name}>
                  <Table.Th>{name}</Table.Th>
                  <Table.Td className="number">{value}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Anchor size="sm" underline="always" href="/metrics">
            All metrics
          </Anchor>
        </Stack>
        <Stack gap="xs" component="section" aria-label="The log">
          <Title order={2}>The log</Title>
          <div className="table-wrap">
            <Table aria-label="Latest events">
              <Table.Tbody>
                {events.data?.items.map(({ seq, at, text, by, job, site }) => (
                  <Table.Tr key={seq}>
                    <Table.Td style={{ whiteSpace: "nowrap" }}>
                      <Instant at={at} />
                    </Table.Td>
                    <Table.Td>
                      {text}
                      <Text size="xs" c="dimmed">
                        {[job && `job ${job}`, site && `at ${site}`, by && `by ${by}`]
                          .filter((it) => it !== null && it !== "")
                          .join(" · ")}
                      </Text>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

async function readMetrics(): Promise<readonly { readonly name: string; readonly value: string }[]> {
  const response = await fetch("/metrics");
  if (!response.ok) return [];
  const lines = (await response.text()).split("\n");
  return lines.flatMap((line) => {
    const [, name = "", labels = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const label = SHOWN[name];
    return label === undefined ? [] : [{ name: labels === "" ? label : `${label}: ${labels}`, value }];
  });
}
