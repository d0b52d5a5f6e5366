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
import { useMyWork } from "./use-my-work.ts";
import { useTroubles } from "./use-troubles.ts";

export function View() {
  const may = useMay();
  const { data: session } = useSession();
  const consumer = session?.consumer ?? "";
  const work = useMyWork(consumer, may("seeJob"));
  const sites = useQuery({ queryKey: ["sites"], queryFn: client.sites, enabled: may("seeSite") });
  const { troubles, error } = useTroubles(consumer, sites.data ?? [], [...work.active, ...work.ended]);
  return (
    <Stack gap="lg">
      <Heading title="Now" />
      <FaultNote error={work.error ?? sites.error ?? error} />
      <Attention troubles={troubles} />
      <Starts jobs={work.waiting} wholes={work.wholes} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Section title="My jobs">
            {work.isKnown && work.active.length === 0 ? (
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
              <MyJobs label="My jobs" rows={work.active} />
            )}
            {work.hasMore && (
              <Anchor component={Link} to="/jobs" size="sm">
                All jobs
              </Anchor>
            )}
          </Section>
          {work.ended.length > 0 && (
            <Section title="Recently ended">
              <MyJobs label="Recently ended" rows={work.ended} />
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
