/** All jobs that the caller may see, newest first, filtered, as many as there are. */
import { Anchor, Checkbox, Group, Select, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { client, type JobView, type Operations, pathOf } from "../../app/client.ts";
import { useSession } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Heading } from "../../parts/heading.tsx";
import { isWithin, jobTitle } from "../../parts/job-title.ts";
import { JobState } from "../../parts/state.tsx";
import { Instant } from "../../parts/time.tsx";

type Filter = NonNullable<Operations["listJobs"]["asked"][0]["query"]>;

const STATES = [
  "WAITING",
  "READY",
  "SCHEDULED",
  "RUNNING",
  "SUSPENDED",
  "HELD",
  "DONE",
  "ABORTED",
  "CANCELLED",
] as const;
const PAGE = 200;
const ROW_PX = 34;

export function View() {
  const { data: session } = useSession();
  const [isMine, setIsMine] = useState(false);
  const [state, setState] = useState<string | null>(null);
  const [typed, setTyped] = useState("");
  const [name] = useDebouncedValue(typed.trim(), 300);
  const filter: Filter = {
    limit: PAGE,
    ...(isMine && session ? { consumer: session.consumer } : {}),
    ...(state === null ? {} : { state: [state as (typeof STATES)[number]] }),
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
          placeholder="exactly"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          label="State"
          data={[...STATES]}
          value={state}
          onChange={setState}
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
        <Rows
          jobs={jobs}
          mine={session?.consumer}
          onEnd={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
          }}
        />
      )}
    </>
  );
}

function Rows({
  jobs,
  mine,
  onEnd,
}: {
  readonly jobs: readonly JobView[];
  readonly mine: string | undefined;
  readonly onEnd: () => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: jobs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= jobs.length - 20) onEnd();
  }, [last, jobs.length, onEnd]);
  const before = shown[0]?.start ?? 0;
  const after = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div
      ref={scroller}
      className="table-wrap"
      style={{ height: "calc(100vh - 220px)", overflow: "auto" }}
      tabIndex={0}
      role="region"
      aria-label="Jobs"
    >
      <Table stickyHeader miw={820} aria-rowcount={jobs.length}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Job</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Site</Table.Th>
            <Table.Th>Consumer</Table.Th>
            <Table.Th className="number">Processors</Table.Th>
            <Table.Th>Submitted</Table.Th>
            <Table.Th>Started</Table.Th>
            <Table.Th>Ended</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map(({ index, key }) => {
            const job = jobs[index];
            return job && <Row key={key} job={job} isMine={isWithin(job, mine)} index={index} />;
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Row({
  job,
  isMine,
  index,
}: {
  readonly job: JobView;
  readonly isMine: boolean;
  readonly index: number;
}) {
  return (
    <Table.Tr style={{ height: ROW_PX }} aria-rowindex={index + 1}>
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
    </Table.Tr>
  );
}
