import { Anchor, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, type JobView } from "../../app/client.ts";
import { jobTitle } from "../../parts/job-title.ts";
import { JobState } from "../../parts/state.tsx";
import { Instant, Sentence } from "../../parts/time.tsx";
import { WholeLines } from "./whole-lines.tsx";
import type { WorkRow } from "./work.ts";

/** Jobs with their states, of waiting ones the first sentence of why; arrays and DAGs on one line each. */
export function MyJobs({ label, rows }: { readonly label: string; readonly rows: readonly WorkRow[] }) {
  return (
    <div className="table-wrap">
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th miw={140}>Job</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Site</Table.Th>
            <Table.Th className="number" visibleFrom="sm">
              Processors
            </Table.Th>
            <Table.Th visibleFrom="xs">Since</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) =>
            "job" in row ? (
              <JobLine key={row.job.id} job={row.job} />
            ) : (
              <WholeLines key={row.whole.id} whole={row.whole}>
                {(job) => <JobLine key={job.id} job={job} isIndented />}
              </WholeLines>
            ),
          )}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function JobLine({ job, isIndented = false }: { readonly job: JobView; readonly isIndented?: boolean }) {
  return (
    <Table.Tr>
      <Table.Td {...(isIndented ? { pl: "2.2rem" } : {})}>
        <Anchor component={Link} to={`/jobs/${job.id}`} size="sm" fw={500}>
          {jobTitle(job)}
        </Anchor>
        {isWaiting(job) && <Reason id={job.id} />}
      </Table.Td>
      <Table.Td>
        <JobState job={job} />
      </Table.Td>
      <Table.Td>{job.site ?? "–"}</Table.Td>
      <Table.Td className="number" visibleFrom="sm">
        {job.procs}
      </Table.Td>
      <Table.Td visibleFrom="xs">
        <Instant at={job.endedAt ?? job.startedAt ?? job.submittedAt} />
      </Table.Td>
    </Table.Tr>
  );
}

function isWaiting({ state }: JobView): boolean {
  return state === "WAITING" || state === "READY" || state === "SCHEDULED" || state === "HELD";
}

function Reason({ id }: { readonly id: string }) {
  const { data } = useQuery({ queryKey: ["job", id, "why"], queryFn: () => client.why(id) });
  return (
    <Text size="xs" c="dimmed" lineClamp={2}>
      <Sentence text={data?.lines[1] ?? data?.lines[0] ?? " "} />
    </Text>
  );
}
