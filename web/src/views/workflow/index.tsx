/** A workflow that is executed by its plan: tasks with their states, plan beside fact, reservations. */
import { Anchor, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { client, pathOf, type WorkflowView } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { Graph } from "../../graph/graph.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { suText } from "../../parts/format.ts";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Section } from "../../parts/section.tsx";
import { StateCounts } from "../../parts/state-counts.tsx";
import { StateWord } from "../../parts/state-word.tsx";
import { Instant, instantText } from "../../parts/time.tsx";
import { type VerbButton, VerbButtons } from "../../parts/verb-buttons.tsx";
import { Course } from "./course.tsx";
import { Files } from "./files.tsx";
import { TaskTable } from "./task-table.tsx";

export function View() {
  const { id = "" } = useParams({ strict: false });
  const workflow = useQuery({ queryKey: ["workflow", id], queryFn: () => client.workflow(id) });
  if (workflow.error) return <FaultNote error={workflow.error} />;
  if (!workflow.data) return <Loading what="the workflow" />;
  const { name, counts, reservations, tasks, files } = workflow.data;
  const states = Object.entries(counts).map(([state, count]) => [state.toUpperCase(), count]);
  return (
    <Stack>
      <Heading title={name} json={pathOf("getWorkflow", { params: { id } })}>
        <Actions workflow={workflow.data} />
      </Heading>
      <Summary workflow={workflow.data} />
      <StateCounts states={Object.fromEntries(states)} />
      <Drawn tasks={tasks} />
      <Section title="Planned, and what happened">
        <Course workflow={workflow.data} />
      </Section>
      {reservations.length > 0 && (
        <Section title="Reservations">
          <Reservations workflow={workflow.data} />
        </Section>
      )}
      <Section title="Tasks">
        <TaskTable tasks={tasks} />
      </Section>
      {files.length > 0 && (
        <Section title="Files">
          <Files workflow={workflow.data} />
        </Section>
      )}
    </Stack>
  );
}

function Drawn({ tasks }: Pick<WorkflowView, "tasks">) {
  const nodes = useMemo(
    () =>
      tasks.map(({ id, parents, state, job }) => ({
        ...{ key: id, parents, state },
        ...(job === null ? {} : { href: `/jobs/${job}` }),
      })),
    [tasks],
  );
  return <Graph label="Tasks in the order of their dependencies" nodes={nodes} />;
}

function Summary({ workflow }: { readonly workflow: WorkflowView }) {
  const { state, departures, replans, startedAt, promisedEndAt, expectedEndAt, endedAt } = workflow;
  const { late, failed, lost } = departures;
  const words = [
    ...(promisedEndAt === null ? [] : [`promised to end ${instantText(promisedEndAt)}`]),
    ...(endedAt === null && expectedEndAt !== null ? [`now expected ${instantText(expectedEndAt)}`] : []),
    `${late} late, ${failed} failed and ${lost} lost attempts`,
    `replanned ${replans} times`,
    ...(workflow.promisedSu === null
      ? []
      : [`promised price ${suText(workflow.promisedSu)}, so far ${suText(workflow.costSu)}`]),
  ];
  return (
    <Text size="sm">
      <StateWord state={state} /> · started <Instant at={startedAt} />
      {endedAt !== null && (
        <>
          {" "}
          · ended <Instant at={endedAt} />
        </>
      )}{" "}
      · {words.join(" · ")}
    </Text>
  );
}

function Reservations({ workflow }: { readonly workflow: WorkflowView }) {
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label="Reservations">
      <Table aria-label="Reservations" miw={560}>
        <Table.Thead>
          <Table.Tr>
            {["Site", "State", "From", "Until", "Pilot"].map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
            <Table.Th className="number">Processors</Table.Th>
            <Table.Th className="number">Price</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {workflow.reservations.map(({ id, site, state, startAt, endAt, job, procs, costSu }) => (
            <Table.Tr key={id}>
              <Table.Td>{site}</Table.Td>
              <Table.Td>{state}</Table.Td>
              <Table.Td>{instantText(startAt)}</Table.Td>
              <Table.Td>{instantText(endAt)}</Table.Td>
              <Table.Td>
                <Anchor component={Link} to={`/jobs/${job}`} size="sm">
                  {job.slice(0, 6)}
                </Anchor>
              </Table.Td>
              <Table.Td className="number">{procs}</Table.Td>
              <Table.Td className="number">{suText(costSu)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Actions({ workflow: { id, state } }: { readonly workflow: WorkflowView }) {
  const may = useMay();
  const verbs: VerbButton[] = [];
  if (state === "RUNNING" && may("cancel")) {
    const question = "Cancel this workflow? Its running tasks end, and its reservations are cancelled.";
    verbs.push({ label: "Cancel", act: () => client.cancelWorkflow(id), question });
  }
  if ((state === "FAILED" || state === "CANCELLED") && may("submit"))
    verbs.push({ label: "Go on", act: () => client.continueWorkflow(id) });
  return <VerbButtons verbs={verbs} stale={["workflow", id]} />;
}
