import { Anchor, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { JobView } from "../app/client.ts";
import { useSession } from "../app/session.ts";
import { FaultNote } from "./fault-note.tsx";
import { isWithin, jobTitle } from "./job-title.ts";
import { LongTable } from "./long-table.tsx";
import { JobState } from "./state.tsx";
import { Instant } from "./time.tsx";
import { type JobsAsked, useJobs } from "./use-jobs.ts";

/** Jobs that fit a filter, as many as there are: more are asked for as one comes to the end. */
export function ListedJobs({
  filter,
  height,
  children,
}: {
  readonly filter: JobsAsked;
  readonly height: string;
  /** Shown where no job fits. */
  readonly children: ReactNode;
}) {
  const { data: session } = useSession();
  const { jobs, list, onSight } = useJobs(filter);
  return (
    <>
      <FaultNote error={list.error} />
      {list.data && jobs.length === 0 ? (
        children
      ) : (
        <LongTable
          label="Jobs"
          columns={COLUMNS}
          items={jobs}
          cells={(job) => <Cells job={job} isMine={isWithin(job, session?.consumer)} />}
          rowPx={34}
          widthPx={820}
          style={{ height }}
          onSight={onSight}
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
