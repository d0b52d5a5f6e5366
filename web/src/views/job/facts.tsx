import { Code, Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { JobView } from "../../app/client.ts";
import { lengthText, limitText, numberText, sizeText } from "../../parts/format.ts";
import { instantText, useNow } from "../../parts/time.tsx";

/** What a job asked for, and what it has used. */
export function Facts({ job }: { readonly job: JobView }) {
  const now = useNow(1000);
  const running = job.runningSince === null ? 0 : now - Date.parse(job.runningSince);
  const ranMs = 1000 * job.ranSec + Math.max(0, running);
  const rows: readonly (readonly [string, ReactNode])[] = [
    ["Command", <Code key="command">{[job.executable, ...job.arguments].join(" ")}</Code>],
    ["Id", <Code key="id">{job.id}</Code>],
    ["Consumer", job.consumer],
    ["Owner", job.owner],
    ["Processors", numberText(job.procs)],
    ["Memory", job.memoryBytes === null ? "the site's default" : sizeText(job.memoryBytes)],
    ["Time limit", limitText(job.wallTimeSec)],
    ["Submitted", instantText(job.submittedAt)],
    ["Started", job.startedAt === null ? "not yet" : instantText(job.startedAt)],
    ["Ended", job.endedAt === null ? "not yet" : instantText(job.endedAt)],
    ["Ran", job.startedAt === null ? "not yet" : lengthText(ranMs)],
    ["Used", `${numberText((ranMs * job.procs) / 3_600_000)} processor-hours`],
    ["CPU time", job.cpuSec === null ? "not measured" : lengthText(1000 * job.cpuSec)],
    ["Exit code", job.exitCode ?? job.signal ?? "none yet"],
    ["Reservation", job.reservation ?? "none"],
    ...(job.siteJob === null ? [] : [["Id at the site", job.siteJob] as const]),
    ...Object.entries(job.userTags).map(([key, value]) => [`Tag ${key}`, value] as const),
    ...(job.reason === null ? [] : [["Reason", job.reason] as const]),
  ];
  return (
    <Table variant="vertical" layout="fixed" withTableBorder>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={130}>{name}</Table.Th>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
