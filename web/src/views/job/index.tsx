/** One job: its state, why it is there, its life, its output, its use and cost, and what can be done. */
import { Anchor, Grid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { client, pathOf } from "../../app/client.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Heading } from "../../parts/heading.tsx";
import { jobTitle } from "../../parts/job-title.ts";
import { Loading } from "../../parts/loading.tsx";
import { Section } from "../../parts/section.tsx";
import { JobState } from "../../parts/state.tsx";
import { Actions } from "./actions.tsx";
import { Facts } from "./facts.tsx";
import { LifeLine } from "./life-line.tsx";
import { Output } from "./output.tsx";
import { Why } from "./why.tsx";

export function View() {
  const { id = "" } = useParams({ strict: false });
  const job = useQuery({ queryKey: ["job", id, "record"], queryFn: () => client.job(id) });
  if (job.error) return <FaultNote error={job.error} />;
  if (!job.data) return <Loading what="the job" />;
  const isActive = job.data.endedAt === null;
  return (
    <Stack>
      <Heading title={jobTitle(job.data)} json={pathOf("getJob", { params: { id } })}>
        <Actions job={job.data} />
      </Heading>
      <Text>
        <JobState job={job.data} />{" "}
        {job.data.site !== null && (
          <>
            at{" "}
            <Anchor underline="always" href={`/sites/${encodeURIComponent(job.data.site)}`}>
              {job.data.site}
            </Anchor>
          </>
        )}
      </Text>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          {isActive && <Why id={job.data.id} />}
          <Section title="Output">
            <Output job={job.data} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Section title="Life">
            <LifeLine id={job.data.id} />
          </Section>
          <Section title="Facts">
            <Facts job={job.data} />
          </Section>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
