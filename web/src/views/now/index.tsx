/** Now: the caller's jobs, when they start and why they wait, the sites, and what needs attention. */
import { Anchor, Grid, SimpleGrid, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../../app/client.ts";
import { useMay, useSession } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Attention } from "./attention.tsx";
import { MyJobs } from "./my-jobs.tsx";
import { SiteCard } from "./site-card.tsx";
import { Starts } from "./starts.tsx";

const ACTIVE = ["WAITING", "READY", "SCHEDULED", "RUNNING", "SUSPENDED", "HELD"] as const;
/** Shown jobs; the view of all jobs pages through the rest. */
const SHOWN = 30;

export function View() {
  const may = useMay();
  const { data: session } = useSession();
  const consumer = session?.consumer ?? "";
  const active = useQuery({
    queryKey: ["jobs", "active", consumer],
    queryFn: () => client.jobs({ consumer, state: [...ACTIVE], limit: SHOWN }),
    enabled: may("seeJob"),
  });
  const over = useQuery({
    queryKey: ["jobs", "over", consumer],
    queryFn: () => client.jobs({ consumer, state: ["DONE", "ABORTED", "CANCELLED", "CLEARED"], limit: 8 }),
    enabled: may("seeJob"),
  });
  const sites = useQuery({ queryKey: ["sites"], queryFn: client.sites, enabled: may("seeSite") });
  const jobs = active.data?.items ?? [];
  const waiting = jobs.filter(({ startedAt }) => startedAt === null);
  return (
    <Stack gap="lg">
      <Heading title="Now" />
      <FaultNote error={active.error ?? sites.error} />
      <Attention sites={sites.data ?? []} over={over.data?.items ?? []} />
      {waiting.length > 0 && <Starts jobs={waiting} />}
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Section title="My jobs">
            {active.data && jobs.length === 0 ? (
              <Empty title="You have no active jobs">
                {may("submit") && (
                  <>
                    <Anchor component={Link} to="/submit">
                      Submit a job
                    </Anchor>
                    , or on the command line: stint submit -- hostname
                  </>
                )}
              </Empty>
            ) : (
              <MyJobs jobs={jobs} />
            )}
            {active.data?.next && (
              <Anchor component={Link} to="/jobs" size="sm">
                All jobs
              </Anchor>
            )}
          </Section>
          {(over.data?.items.length ?? 0) > 0 && (
            <Section title="Recently ended">
              <MyJobs jobs={over.data?.items ?? []} />
            </Section>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Section title="Sites">
            {sites.data?.length === 0 && (
              <Empty title="No sites yet">An administrator adds sites with: stint site add</Empty>
            )}
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 1, xl: 2 }}>
              {sites.data?.map((site) => (
                <SiteCard key={site.name} site={site} />
              ))}
            </SimpleGrid>
          </Section>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <Stack component="section" gap="xs" mb="lg" aria-label={title}>
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}
