import { Anchor, Code } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { JobView } from "../../app/client.ts";
import { FactTable } from "../../parts/fact-table.tsx";
import { lengthText, limitText, numberText, sizeText, suText } from "../../parts/format.ts";
import { instantText, useNow } from "../../parts/time.tsx";

/** What a job asked for, and what it has used. */
export function Facts({ job }: { readonly job: JobView }) {
  const now = useNow(1000);
  const running = job.runningSince === null ? 0 : now - Date.parse(job.runningSince);
  const ranMs = 1000 * job.ranSec + Math.max(0, running);
  const rows: readonly (readonly [string, ReactNode])[] = [
    ["Command", <Code key="command">{[job.executable, ...job.arguments].join(" ")}</Code>],
    ["Id", <Code key="id">{job.id}</Code>],
    ...partOf(job),
    ["Consumer", job.consumer],
    ["Owner", job.owner],
    ["Processors", numberText(job.procs)],
    ["Memory", job.memoryBytes === null ? "the site's default" : sizeText(job.memoryBytes)],
    ["Time limit", limitText(job.wallTimeSec)],
    ["Submitted", instantText(job.submittedAt)],
    ["Started", job.startedAt === null ? "not yet" : instantText(job.startedAt)],
    ["Ended", job.endedAt === null ? "not yet" : instantText(job.endedAt)],
    ["Run time", job.startedAt === null ? "not yet" : lengthText(ranMs)],
    ["Used", `${numberText((ranMs * job.procs) / 3_600_000)} processor-hours`],
    ...(job.chargedSu === undefined ? [] : [["Cost", chargeText(job.chargedSu)] as const]),
    ["CPU time", job.cpuSec === null ? "not measured" : lengthText(1000 * job.cpuSec)],
    ["Exit code", job.exitCode ?? job.signal ?? "none yet"],
    ["Reservation", job.reservation ?? "none"],
    ...(job.pilot === undefined ? [] : [["Pilot", job.pilot] as const]),
    ...removalsOf(job),
    ...(job.siteJob === null ? [] : [["Job id at the site", job.siteJob] as const]),
    ...Object.entries(job.userTags).map(([key, value]) => [`Tag ${key}`, value] as const),
    ...(job.reason === null ? [] : [["Reason", job.reason] as const]),
  ];
  return <FactTable rows={rows} />;
}

/** A charge; that of a short run would be rounded to nothing. */
function chargeText(su: number): string {
  return su > 0 && su < LEAST_SU ? `less than ${suText(LEAST_SU)}` : suText(su);
}

const LEAST_SU = 0.01;

/** Rows on the removal of a job's files and record, and on how it had ended. */
function removalsOf({
  endState,
  filesRemovedAt,
  purgedAt,
}: JobView): readonly (readonly [string, ReactNode])[] {
  return [
    ...(endState === undefined ? [] : [["Ended as", endState] as const]),
    ...(filesRemovedAt === undefined ? [] : [["Files removed", instantText(filesRemovedAt)] as const]),
    ...(purgedAt === undefined
      ? []
      : [["Purged", `${instantText(purgedAt)}; accounting and provenance are kept`] as const]),
  ];
}

/** The DAG or the array that it is a job of. */
function partOf({ node, array }: JobView): readonly (readonly [string, ReactNode])[] {
  if (node !== undefined) return [["Node", partLink(`${node.name} of a DAG`, `/dags/${node.dag}`)]];
  if (array === undefined) return [];
  return [["Array", partLink(`job ${array.index} of an array`, `/arrays/${array.id}`)]];
}

function partLink(text: string, to: string): ReactNode {
  return (
    <Anchor key="part" component={Link} to={to} underline="always" size="sm">
      {text}
    </Anchor>
  );
}
