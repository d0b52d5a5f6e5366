import { type ReactNode, useCallback } from "react";
import type { JobView } from "../app/client.ts";
import { useSession } from "../app/session.ts";
import { FaultNote } from "./fault-note.tsx";
import { isWithin, jobTitle } from "./job-title.ts";
import { LongTable } from "./long-table.tsx";
import { RowLink } from "./row-link.tsx";
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
  const mine = session?.consumer;
  // All jobs of an array have one consumer, and as many processors.
  const isOfMany = filter.array === undefined;
  const cells = useCallback(
    (job: JobView) => <Cells {...{ job, isOfMany }} isMine={isOfMany && isWithin(job, mine)} />,
    [mine, isOfMany],
  );
  return (
    <>
      <FaultNote error={list.error} />
      {list.data && jobs.length === 0 ? (
        children
      ) : (
        <LongTable
          label="Jobs"
          columns={isOfMany ? COLUMNS : COLUMNS_OF_ARRAY}
          items={jobs}
          cells={cells}
          rowPx={34}
          widthPx={isOfMany ? 820 : 620}
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

const COLUMNS_OF_ARRAY = COLUMNS.filter(({ name }) => name !== "Consumer" && name !== "Processors");

interface CellsOf {
  readonly job: JobView;
  readonly isMine: boolean;
  /** True where consumers and processors differ. */
  readonly isOfMany: boolean;
}

function Cells({ job, isMine, isOfMany }: CellsOf) {
  return (
    <>
      <td>
        <RowLink to={`/jobs/${job.id}`} isMine={isMine}>
          {jobTitle(job)}
        </RowLink>
        {isMine && <span className="mine"> mine</span>}
      </td>
      <td>
        <JobState job={job} />
      </td>
      <td>{job.site ?? "–"}</td>
      {isOfMany && <td>{job.consumer}</td>}
      {isOfMany && <td className="number">{job.procs}</td>}
      <td>
        <Instant at={job.submittedAt} />
      </td>
      <td>
        <Instant at={job.startedAt} />
      </td>
      <td>
        <Instant at={job.endedAt} />
      </td>
    </>
  );
}
