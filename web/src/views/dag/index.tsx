/** A DAG: its nodes with their states, which comes after which, what ran when, and what can be done. */
import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { client, pathOf, type WholeDagView } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { Graph } from "../../graph/graph.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { lengthText } from "../../parts/format.ts";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Section } from "../../parts/section.tsx";
import { StateCounts } from "../../parts/state-counts.tsx";
import { StateWord } from "../../parts/state-word.tsx";
import { Instant } from "../../parts/time.tsx";
import { type VerbButton, VerbButtons } from "../../parts/verb-buttons.tsx";
import { Course } from "./course.tsx";
import { NodeTable } from "./node-table.tsx";
import { timeLeftMs } from "./time-left.ts";

/** Jobs of one DAG whose times are shown. */
const MOST_JOBS = 1000;

export function View() {
  const { id = "" } = useParams({ strict: false });
  const dag = useQuery({ queryKey: ["dag", id], queryFn: () => client.dag(id) });
  const jobs = useQuery({
    queryKey: ["dag", id, "jobs"],
    queryFn: async () => (await client.jobs({ array: id, limit: MOST_JOBS })).items,
  });
  if (dag.error) return <FaultNote error={dag.error} />;
  if (!dag.data) return <Loading what="the DAG" />;
  const left = jobs.data && timeLeftMs(dag.data.nodes, jobs.data);
  return (
    <Stack>
      <Heading
        title={`${dag.data.name ?? "DAG"} · ${dag.data.id.slice(0, 6)}`}
        json={pathOf("getDag", { params: { id } })}
      >
        <Actions dag={dag.data} />
      </Heading>
      <Summary dag={dag.data} leftMs={left} />
      <Drawn dag={dag.data} />
      <FaultNote error={jobs.error} />
      {jobs.data && jobs.data.length > 0 && (
        <Section title="When its jobs ran">
          <Course jobs={jobs.data} />
        </Section>
      )}
      <Section title="Nodes">
        <NodeTable nodes={dag.data.nodes} />
      </Section>
    </Stack>
  );
}

function Drawn({ dag }: { readonly dag: WholeDagView }) {
  const nodes = useMemo(
    () =>
      dag.nodes.map(({ name, parents, state, job }) => ({
        ...{ key: name, parents, state },
        ...(job === null ? {} : { href: `/jobs/${job}` }),
      })),
    [dag.nodes],
  );
  return <Graph label="Nodes in the order of their dependencies" nodes={nodes} />;
}

function Summary({ dag, leftMs }: { readonly dag: WholeDagView; readonly leftMs: number | undefined }) {
  const { state, result, size, maxRunning, aborted, submittedAt, endedAt } = dag;
  const isFailed = result === "failed";
  return (
    <Stack gap={4}>
      <Text size="sm">
        <StateWord state={isFailed ? "FAILED" : state} /> · {size} nodes
        {maxRunning !== null && `, at most ${maxRunning} at once`} · submitted <Instant at={submittedAt} />
        {endedAt !== null && (
          <>
            , ended <Instant at={endedAt} />
          </>
        )}
        {leftMs !== undefined &&
          endedAt === null &&
          `; about ${lengthText(leftMs)} left if nodes start immediately and run as long as the earlier ones`}
      </Text>
      {aborted !== null && (
        <Text size="sm" c="var(--stint-failed)">
          Node {aborted.node} ended the DAG with result {aborted.result}
        </Text>
      )}
      <StateCounts states={dag.states} />
    </Stack>
  );
}

function Actions({ dag }: { readonly dag: WholeDagView }) {
  const may = useMay();
  const { id, states } = dag;
  const verb = (label: string, name: "hold" | "release"): VerbButton => ({
    ...{ label, act: () => client.actOnDag(id, name) },
  });
  const verbs: VerbButton[] = [];
  if (dag.endedAt === null) {
    if (states.HELD > 0 && may("release")) verbs.push(verb("Release", "release"));
    if (states.WAITING > 0 && may("hold")) verbs.push(verb("Hold", "hold"));
    const question = "Cancel this DAG? Its running jobs are cancelled, and their results may be lost.";
    if (may("cancel")) verbs.push({ label: "Cancel", act: () => client.actOnDag(id, "cancel"), question });
  }
  if (states.FAILED + states.FUTILE + states.CANCELLED > 0 && may("submit")) {
    verbs.unshift({ label: "Rerun failed nodes", act: () => client.actOnDag(id, "retry") });
  }
  return <VerbButtons verbs={verbs} stale={["dag", id]} />;
}
