import { Anchor, Button, Group, List, SegmentedControl, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, pathOf, type VerificationView } from "../../app/client.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { instantText } from "../../parts/time.tsx";
import { partText } from "./standing.tsx";

const PERIODS = { all: null, day: 86_400_000, month: 30 * 86_400_000 } as const;
type Period = keyof typeof PERIODS;

const VERDICTS = {
  kept: ["✓", "running", "kept"],
  keptWhereRecorded: ["◐", "waiting", "kept where recorded"],
  violated: ["✕", "failed", "violated"],
  unknown: ["?", "quiet", "not recorded"],
} as const;

/** Whether each agreement was kept at a site, measured from the log when it is asked for. */
export function Verification({ site }: { readonly site: string }) {
  const [period, setPeriod] = useState<Period>("all");
  const [asked, setAsked] = useState<{ readonly since?: string }>();
  const report = useQuery({
    queryKey: ["verification", site, asked],
    queryFn: () => client.call("verifyPolicies", { params: { name: site }, query: asked ?? {} }),
    enabled: asked !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const verify = (): void => {
    const lengthMs = PERIODS[period];
    setAsked(lengthMs === null ? {} : { since: new Date(Date.now() - lengthMs).toISOString() });
    if (lengthMs === null && asked !== undefined) void report.refetch();
  };
  return (
    <Stack gap="sm">
      <Group>
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={[
            { value: "all", label: "Whole log" },
            { value: "day", label: "Day" },
            { value: "month", label: "30 days" },
          ]}
          value={period}
          onChange={(value) => setPeriod(value as Period)}
        />
        <Button loading={report.isFetching} onClick={verify}>
          Verify
        </Button>
      </Group>
      {asked === undefined && (
        <Text size="sm" c="dimmed">
          Reads the broker's whole log, checks its hashes, and measures compliance with each policy. A gap in
          the record is reported as a gap and never counts as compliance.
        </Text>
      )}
      <FaultNote error={report.error} />
      {report.data && asked && (
        <>
          <Report report={report.data} />
          <Anchor
            size="xs"
            underline="always"
            href={pathOf("verifyPolicies", { params: { name: site }, query: asked })}
          >
            The report as JSON
          </Anchor>
        </>
      )}
    </Stack>
  );
}

function Report({ report }: { readonly report: VerificationView }) {
  const { verdict, from, to, consumers, gaps, excluded, unmeasured, source, seal, head, jobs } = report;
  const remarks = [
    ...gaps.map((gap) => `Gap: no data for ${gap.resource ?? "the site"}, ${span(gap)}`),
    ...excluded.map((it) => `Excluded (${it.why}): ${span(it)}`),
    ...unmeasured.map((name) => `Not measured: ${name}, because its capacity is not stated`),
    ...source.remarks,
  ];
  return (
    <>
      <Text>
        <Verdict verdict={verdict} />, {instantText(from)} to {instantText(to)}; {jobs.submitted} jobs
        submitted, {jobs.completed} completed
      </Text>
      <List size="sm">
        {remarks.map((remark) => (
          <List.Item key={remark}>{remark}</List.Item>
        ))}
      </List>
      <section className="table-wrap" aria-label="Policies verified, table" tabIndex={0}>
        <Table aria-label="Compliance with each policy, in fractions of the capacity">
          <Table.Thead>
            <Table.Tr>
              {["Consumer", "Resource", "Verdict"].map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
              {["Used", "Above burst", "Above epoch", "While others waited", "Not given", "Completed"].map(
                (name) => (
                  <Table.Th key={name} className="number">
                    {name}
                  </Table.Th>
                ),
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {consumers.map((row) => (
              <Table.Tr key={`${row.consumer} ${row.resource}`}>
                <Table.Td>{row.consumer}</Table.Td>
                <Table.Td>{row.resource}</Table.Td>
                <Table.Td>
                  <Verdict verdict={row.verdict} />
                  {row.violated.length > 0 && `: ${row.violated.join(", ")}`}
                </Table.Td>
                {[row.used, row.aboveBurst, row.aboveEpoch, row.aboveEpochContended, row.notGiven].map(
                  (part, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
                    <Table.Td key={column} className="number">
                      {partText(part)}
                    </Table.Td>
                  ),
                )}
                <Table.Td className="number">{partText(row.completedPart)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {head !== null && `Events 1 to ${head.seq}. `}Seal of the evidence: {seal}
      </Text>
    </>
  );
}

function span({ from, to }: { readonly from: string; readonly to: string }): string {
  return `${instantText(from)} to ${instantText(to)}`;
}

function Verdict({ verdict }: { readonly verdict: keyof typeof VERDICTS }) {
  const [sign, colour, word] = VERDICTS[verdict];
  return (
    <Text span size="sm" fw={600} c={`var(--stint-${colour})`}>
      <span aria-hidden="true">{sign} </span>
      {word}
    </Text>
  );
}
