import { Anchor, Box, Group, Stack, Text, Title, Tooltip } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, type JobView } from "../../app/client.ts";
import { lengthText } from "../../parts/format.ts";
import { jobTitle } from "../../parts/job-title.ts";
import { instantText, useNow } from "../../parts/time.tsx";
import type { WholeRow } from "../../parts/whole-rows.ts";

const SHOWN = 12;
/** Arrays and DAGs of which the next waiting job is shown. */
const SHOWN_WHOLES = 4;

/** Predicted starts of waiting jobs on a time line, soonest first; of an array or a DAG, of its next job. */
export function Starts({
  jobs: ownJobs,
  wholes,
}: {
  readonly jobs: readonly JobView[];
  readonly wholes: readonly WholeRow[];
}) {
  const now = useNow(1000);
  const jobs = [...useNextJobs(wholes), ...ownJobs].slice(0, SHOWN);
  const answers = useQueries({
    queries: jobs.map(({ id }) => ({
      queryKey: ["job", id, "why"],
      queryFn: () => client.why(id),
      refetchInterval: 15_000,
    })),
  });
  const starts = jobs
    .map((job, index) => ({ job, startAt: answers[index]?.data?.predictedStartAt ?? null }))
    .sort((a, b) => (a.startAt ?? "9").localeCompare(b.startAt ?? "9"));
  const known = starts.flatMap(({ startAt }) => (startAt === null ? [] : [Date.parse(startAt)]));
  if (known.length === 0) return null;
  const spanMs = Math.max(60_000, Math.max(...known) - now);
  return (
    <Stack component="section" gap={4} aria-label="Predicted starts">
      <Title order={2}>Predicted starts</Title>
      {starts.map(({ job, startAt }) => (
        <Group key={job.id} gap="xs" wrap="nowrap">
          <Anchor component={Link} to={`/jobs/${job.id}`} size="sm" w={170} truncate>
            {jobTitle(job)}
          </Anchor>
          <Start startAt={startAt} now={now} spanMs={spanMs} />
        </Group>
      ))}
      <Text size="xs" c="dimmed" ml={178}>
        The axis spans from now to {lengthText(spanMs)} from now.
      </Text>
    </Stack>
  );
}

/** The job of each array or DAG that is next in a queue. */
function useNextJobs(wholes: readonly WholeRow[]): readonly JobView[] {
  const answers = useQueries({
    queries: wholes.slice(0, SHOWN_WHOLES).map(({ id }) => ({
      queryKey: ["jobs", "next", id],
      queryFn: () => client.jobs({ array: id, state: ["SCHEDULED"], sort: "submitted", limit: 1 }),
    })),
  });
  return answers.flatMap(({ data }) => data?.items ?? []);
}

function Start({
  startAt,
  now,
  spanMs,
}: {
  readonly startAt: string | null;
  readonly now: number;
  readonly spanMs: number;
}) {
  if (startAt === null) {
    return (
      <Text size="sm" c="dimmed">
        no start can be predicted
      </Text>
    );
  }
  const fromNow = Math.max(0, Date.parse(startAt) - now);
  const part = Math.min(1, fromNow / spanMs);
  return (
    <Tooltip label={instantText(startAt)}>
      <Group gap="xs" wrap="nowrap" style={{ flex: 1 }}>
        <Box style={{ flex: 1, position: "relative", height: 10 }} bg="var(--mantine-color-default-hover)">
          <Box
            pos="absolute"
            top={0}
            h={10}
            w={`${Math.max(0.5, 100 * part)}%`}
            bg="var(--stint-waiting)"
            opacity={0.35}
          />
          <Box
            pos="absolute"
            top={0}
            h={10}
            w={3}
            left={`calc(${100 * part}% - 3px)`}
            bg="var(--stint-waiting)"
          />
        </Box>
        <Text size="sm" w={90}>
          {fromNow === 0 ? "imminent" : `in ${lengthText(fromNow)}`}
        </Text>
      </Group>
    </Tooltip>
  );
}
