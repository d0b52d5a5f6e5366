import { Alert, Button, Group, Table, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { client, type PlansView } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { useMay } from "../../app/session.ts";
import type { GanttBar } from "../../gantt/bar.ts";
import { BarsOverTime } from "../../parts/bars-over-time.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { lengthText, suText } from "../../parts/format.ts";
import { Section } from "../../parts/section.tsx";
import { instantText } from "../../parts/time.tsx";

type Plan = PlansView["plans"][number];

interface Shown {
  readonly found: PlansView;
  readonly plan: Plan;
  /** Plans again on the present state. */
  readonly onAgain: () => void;
}

/** A plan: its tasks over time, its reservations, and its execution. */
export function Chosen({ found, plan, onAgain }: Shown) {
  const beginMs = Date.parse(found.beginAt ?? "");
  const bars = useMemo(() => barsOf(plan, beginMs), [plan, beginMs]);
  return (
    <>
      <Section title="Tasks over time">
        <BarsOverTime label="Tasks of the plan over time" bars={bars} />
      </Section>
      <Section title="Reservations">
        <Reservations plan={plan} beginMs={beginMs} />
      </Section>
      <Execution found={found} plan={plan} onAgain={onAgain} />
    </>
  );
}

function Execution({ found: { notExecutable }, plan, onAgain }: Shown) {
  const may = useMay();
  const navigate = useNavigate();
  const { execution, feasible, costSu } = plan;
  const start = useMutation({
    mutationFn: (body: NonNullable<Plan["execution"]>) => client.startWorkflow(body),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries();
      await navigate({ to: `/workflows/${id}` });
    },
  });
  if (execution === null) {
    return (
      <Text size="sm" c="dimmed">
        {notExecutable === null
          ? "This plan cannot be executed."
          : `It cannot be executed: ${notExecutable}.`}
      </Text>
    );
  }
  if (!may("submit")) return null;
  return (
    <>
      {!feasible && (
        <Alert variant="light" color="yellow">
          This plan misses the deadline or the budget.
        </Alert>
      )}
      <FaultNote error={start.error} />
      <Group gap="xs">
        <Button loading={start.isPending} onClick={() => start.mutate(execution)}>
          Execute this plan for {suText(costSu)}
        </Button>
        {start.error !== null && (
          <Button variant="default" onClick={onAgain}>
            Plan again
          </Button>
        )}
        <Text size="xs" c="dimmed">
          Makes all its reservations, or none, and runs its tasks in them.
        </Text>
      </Group>
    </>
  );
}

function Reservations({
  plan: { reservations },
  beginMs,
}: {
  readonly plan: Plan;
  readonly beginMs: number;
}) {
  if (reservations.length === 0) return <Text size="sm">None: the tasks are queued like jobs.</Text>;
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label="Reservations">
      <Table aria-label="Reservations" miw={480}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Site</Table.Th>
            <Table.Th className="number">Processors</Table.Th>
            <Table.Th>From</Table.Th>
            <Table.Th className="number">Length</Table.Th>
            <Table.Th className="number">Price</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reservations.map(({ site, procs, startSec, endSec, costSu }) => (
            <Table.Tr key={`${site} ${startSec} ${endSec} ${procs}`}>
              <Table.Td>{site}</Table.Td>
              <Table.Td className="number">{procs}</Table.Td>
              <Table.Td>{instantText(beginMs + 1000 * startSec)}</Table.Td>
              <Table.Td className="number">{lengthText(1000 * (endSec - startSec))}</Table.Td>
              <Table.Td className="number">{suText(costSu)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** A row a task, in the order of their starts. */
function barsOf({ tasks }: Plan, beginMs: number): readonly GanttBar[] {
  const inOrder = [...tasks].sort((a, b) => a.startSec - b.startSec);
  return inOrder.map(({ id, site, procs, startSec, endSec }, row) => {
    const [from, until] = [beginMs + 1000 * startSec, beginMs + 1000 * endSec];
    return {
      ...{ key: id, label: `${id} · ${site}`, kind: "queued", from, until, procs, isMine: false },
      ...{ rows: [[row, 1]], consumer: site, partition: site },
      note: () => [`${procs} processors at ${site}`, `${instantText(from)} to ${instantText(until)}`],
    };
  });
}
