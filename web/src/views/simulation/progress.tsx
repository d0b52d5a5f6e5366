import { Alert, Progress, Stack, Text } from "@mantine/core";
import type { SimulationResultView } from "../../app/client.ts";

/** How far a simulation is that has no results yet, or why it has none. */
export function InProgress({ simulation }: { readonly simulation: SimulationResultView }) {
  const { state, ahead, progress, failure } = simulation;
  if (failure !== null) {
    return (
      <Alert color="red" variant="light" role="alert" title={`The simulation failed: ${failure.what}`}>
        <Text size="sm">Why: {failure.why}</Text>
        <Text size="sm">To do: {failure.remedy}</Text>
      </Alert>
    );
  }
  const percent = Math.round(100 * progress);
  return (
    <Stack gap={4} role="status">
      <Text size="sm">
        {state === "queued"
          ? `Waiting; ${ahead === 0 ? "next to run" : `${ahead} ahead of it`}.`
          : `${percent} %`}
      </Text>
      <Progress value={percent} aria-label="Progress of the simulation" animated={state === "running"} />
      <Text size="xs" c="dimmed">
        The simulation runs in the broker: you may leave this page and return to its address later.
      </Text>
    </Stack>
  );
}
