import { Anchor, Badge, Button, Group, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, type EnforcementActionView, pathOf, type SiteEnforcerView } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { useMay } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Instant, Sentence } from "../../parts/time.tsx";

const SHOWN = 100;

/** What the enforcer of a site may do, whom it held and why, and what undoes it. */
export function Enforcement({
  site,
  enforcers,
}: {
  readonly site: string;
  readonly enforcers: readonly SiteEnforcerView[];
}) {
  const actions = useQuery({
    queryKey: ["policies", "actions", site],
    queryFn: () => client.enforcementActions({ site, limit: SHOWN }),
  });
  const enforcer = enforcers.find((it) => it.site === site);
  const items = actions.data?.items ?? [];
  return (
    <Stack gap="sm">
      {enforcer && <Enforcer enforcer={enforcer} />}
      <FaultNote error={actions.error} />
      {actions.data && items.length === 0 && (
        <Empty title="The enforcer has not acted on any job that you may see">
          It acts when a consumer exceeds its share while others wait, using only the actions that the site
          grants it.
        </Empty>
      )}
      {items.length > 0 && <Actions items={items} />}
      <Anchor size="xs" underline="always" href={pathOf("listEnforcementActions", { query: { site } })}>
        The actions as JSON
      </Anchor>
    </Stack>
  );
}

function Enforcer({ enforcer }: { readonly enforcer: SiteEnforcerView }) {
  const { site, granted, isPaused, version, cannotAct } = enforcer;
  const may = useMay();
  const change = useMutation({
    mutationFn: () =>
      client.call(isPaused ? "continueEnforcement" : "pauseEnforcement", { params: { name: site } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["policies"] }),
  });
  const acts = granted.filter((step) => step !== "watch");
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm">
          {isPaused ? "❚❚ Paused" : "▶ Active"}
          {version === null ? "; no policy concerns this site" : `; enforces version ${version}`}
          {acts.length === 0 ? "; reports its actions without taking them" : `; may ${acts.join(", ")}`}
        </Text>
        {may("pauseEnforcement") && (
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate()}>
            {isPaused ? "Continue enforcement" : "Pause enforcement"}
          </Button>
        )}
      </Group>
      {cannotAct !== undefined && (
        <Text size="sm" c="var(--stint-failed)">
          ✕ <Sentence text={cannotAct} />
        </Text>
      )}
      <FaultNote error={change.error} />
    </Stack>
  );
}

function Actions({ items }: { readonly items: readonly EnforcementActionView[] }) {
  const may = useMay();
  const undo = useMutation({
    mutationFn: (job: string) => client.undoEnforcement(job),
    onSuccess: () => queries.invalidateQueries(),
  });
  const lastOf = new Map(items.toReversed().map((item) => [item.job, item]));
  const canUndo = (item: EnforcementActionView): boolean =>
    may("undoEnforcement") && !item.isAdvice && STOPPING.has(item.verb) && lastOf.get(item.job) === item;
  return (
    <>
      <FaultNote error={undo.error} />
      <section className="table-wrap" aria-label="Actions, table" tabIndex={0}>
        <Table aria-label="Actions of the enforcer, newest first">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>When</Table.Th>
              <Table.Th>Job</Table.Th>
              <Table.Th>Action and reason</Table.Th>
              <Table.Th>
                <VisuallyHidden>Undo</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((item) => (
              <Table.Tr key={`${item.at} ${item.job} ${item.verb}`}>
                <Table.Td style={{ whiteSpace: "nowrap" }}>
                  <Instant at={item.at} />
                </Table.Td>
                <Table.Td>
                  <Anchor component={Link} to={`/jobs/${item.job}`} size="sm">
                    {item.job}
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  {item.isAdvice && (
                    <Badge variant="outline" color="gray" mr="xs" c="dimmed">
                      not done
                    </Badge>
                  )}
                  <Sentence text={item.text} />
                </Table.Td>
                <Table.Td>
                  {canUndo(item) && (
                    <Button
                      variant="default"
                      aria-label={`Undo the action on ${item.job}, and exempt the job`}
                      loading={undo.isPending}
                      onClick={() => undo.mutate(item.job)}
                    >
                      Undo
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </>
  );
}

/** What keeps a job from running. */
const STOPPING = new Set<EnforcementActionView["verb"]>(["hold", "suspend", "requeue"]);
