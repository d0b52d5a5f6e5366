import { Alert, Text } from "@mantine/core";
import { Fault } from "../app/client.ts";

/** An error as the broker tells it: what happened, why, and what to do. */
export function FaultNote({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  if (!(error instanceof Fault)) {
    return (
      <Alert color="red" variant="light" role="alert" title="The page failed">
        {String(error)}
      </Alert>
    );
  }
  return (
    <Alert color="red" variant="light" role="alert" title={sentence(error.what)}>
      <Text size="sm">Why: {error.why}</Text>
      <Text size="sm">To do: {error.remedy}</Text>
    </Alert>
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
