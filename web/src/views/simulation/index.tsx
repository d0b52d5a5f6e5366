/** A simulation: how far it is, and what came of its variants, compared. */
import { Stack, Text, Title } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { pathOf, type SimulationResultView } from "../../app/client.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { SimulationState } from "../../parts/simulation-state.tsx";
import { Instant } from "../../parts/time.tsx";
import { Actions } from "./actions.tsx";
import { Gains } from "./gains.tsx";
import { Occupancy } from "./occupancy.tsx";
import { InProgress } from "./progress.tsx";
import { Starts } from "./starts.tsx";
import { SummaryTable } from "./summary-table.tsx";
import { useSimulation } from "./use-simulation.ts";
import { WaitDistribution } from "./wait-distribution.tsx";

export function View() {
  const { id = "" } = useParams({ strict: false });
  const { data: simulation, error } = useSimulation(id);
  if (error) return <FaultNote error={error} />;
  if (!simulation) return <Loading what="the simulation" />;
  const { name, results } = simulation;
  return (
    <Stack gap="lg">
      <Heading title={name} json={pathOf("getSimulation", { params: { id } })}>
        <Actions key={`${name} ${simulation.shared}`} simulation={simulation} />
      </Heading>
      <Facts simulation={simulation} />
      {results === null ? <InProgress simulation={simulation} /> : <Comparison id={id} results={results} />}
    </Stack>
  );
}

function Facts({ simulation }: { readonly simulation: SimulationResultView }) {
  const { workload, owner, shared, createdAt, version } = simulation;
  return (
    <Text size="sm">
      <SimulationState simulation={simulation} /> · {workload.name}
      {workload.isRecord && ", as recorded"} · by {owner}
      {shared && ", shared"} · created <Instant at={createdAt} />
      {version !== null && ` · Stint ${version}`}
    </Text>
  );
}

interface Compared {
  readonly id: string;
  readonly results: NonNullable<SimulationResultView["results"]>;
}

function Comparison({ id, results }: Compared) {
  return (
    <>
      <Part title="Measures">
        <SummaryTable results={results} />
      </Part>
      <Part title="Waits">
        <WaitDistribution results={results} />
      </Part>
      {results.length > 1 && (
        <Part title="Who gains and who loses">
          <Gains results={results} />
        </Part>
      )}
      {results.length > 1 && (
        <Part title="Schedules">
          <Starts id={id} results={results} />
        </Part>
      )}
      <Part title="Over time">
        <Occupancy id={id} results={results} />
      </Part>
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack component="section" gap="xs" aria-label={title}>
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}
