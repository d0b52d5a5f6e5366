/** All jobs that the caller may see, newest first, filtered, as many as there are. */
import { Anchor, Checkbox, Group, Select, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { client, type JobView, type Operations, pathOf } from "../../app/client.ts";
import { useSession } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Heading } from "../../parts/heading.tsx";
import { isWithin, jobTitle } from "../../parts/job-title.ts";
import { LongTable } from "../../parts/long-table.tsx";
import { JOB_STATES, JobState } from "../../parts/state.tsx";
import { Instant } from "../../parts/time.tsx";

type Filter = NonNullable<Operations["listJobs"]["asked"][0]["query"]>;

const PAGE = 200;

export function View() {
  const { data: session } = useSession();
  const [isMine, setIsMine] = useState(false);
  const [state, setState] = useState<JobView["state"] | null>(null);
  const [typed, setTyped] = useState("");
  const [name] = useDebouncedValue(typed.trim(), 300);
  const filter: Filter = {
    limit: PAGE,
    ...(isMine && session ? { consumer: session.consumer } : {}),
    ...(state === null ? {} : { state: [state] }),
    ...(name === "" ? {} : { name }),
  };
  const list = useInfiniteQuery({
    queryKey: ["jobs", "list", filter],
    queryFn: ({ pageParam }) => client.jobs(pageParam === null ? filter : { ...filter, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const jobs = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <Heading title="Jobs" json={pathOf("listJobs", { query: filter })} />
      <Group mb="sm" align="end">
        <TextInput
          label="Name"
          placeholder="the whole name of a job"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          label="State"
          data={JOB_STATES}
          value={state}
          onChange={(value) => setState(JOB_STATES.find((it) => it === value) ?? null)}
          clearable
          placeholder="any"
        />
        <Checkbox
          label="Mine only"
          checked={isMine}
          onChange={(event) => setIsMine(event.currentTarget.checked)}
          mb={8}
        />
      </Group>
      <FaultNote error={list.error} />
      {list.data && jobs.length === 0 ? (
        <Empty title="No job fits">Change the filter, or submit one: stint submit -- hostname</Empty>
      ) : (
        <LongTable
          label="Jobs"
          columns={COLUMNS}
          items={jobs}
          cells={(job) => <Cells job={job} isMine={isWithin(job, session?.consumer)} />}
          rowPx={34}
          widthPx={820}
          style={{ height: "calc(100vh - 220px)" }}
          onEnd={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
          }}
        />
      )}
    </>
  );
}

const COLUMNS = [
  { name: "Job" },
  { name: "State" },
  { name: "Site" },
  { name: "Consumer" },
  { name: "Processors", isNumber: true },
  { name: "Submitted" },
  { name: "Started" },
  { name: "Ended" },
];

function Cells({ job, isMine }: { readonly job: JobView; readonly isMine: boolean }) {
  return (
    <>
      <Table.Td>
        <Anchor component={Link} to={`/jobs/${job.id}`} size="sm" fw={isMine ? 600 : 400}>
          {jobTitle(job)}
        </Anchor>
        {isMine && (
          <Text span size="xs" c="var(--stint-mine)">
            {" "}
            mine
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <JobState job={job} />
      </Table.Td>
      <Table.Td>{job.site ?? "–"}</Table.Td>
      <Table.Td>{job.consumer}</Table.Td>
      <Table.Td className="number">{job.procs}</Table.Td>
      <Table.Td>
        <Instant at={job.submittedAt} />
      </Table.Td>
      <Table.Td>
        <Instant at={job.startedAt} />
      </Table.Td>
      <Table.Td>
        <Instant at={job.endedAt} />
      </Table.Td>
    </>
  );
}
