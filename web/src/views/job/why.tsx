import { Alert, List, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, pathOf } from "../../app/client.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Instant, instantText, Sentence } from "../../parts/time.tsx";

const ANEW_MS = 15_000;

/** Why an active job is where it is, when it is predicted to start, and what would change that. */
export function Why({ id }: { readonly id: string }) {
  const why = useQuery({
    queryKey: ["job", id, "why"],
    queryFn: () => client.why(id),
    refetchInterval: ANEW_MS,
  });
  if (why.error) return <FaultNote error={why.error} />;
  if (!why.data) return null;
  const { lines, predictedStartAt } = why.data;
  return (
    <Stack component="section" gap="xs" mb="lg" aria-label="Why">
      <Title order={2}>Why</Title>
      {predictedStartAt !== null && (
        <Alert variant="light" color="ink" title="Predicted start" role="status">
          <Instant at={predictedStartAt} /> ({instantText(predictedStartAt)})
        </Alert>
      )}
      <List size="sm" spacing={4} aria-label="Causes and changes that help">
        {lines.map((line) => (
          <List.Item key={line}>
            <Text size="sm">
              <Sentence text={line} />
            </Text>
          </List.Item>
        ))}
      </List>
      <a href={pathOf("explainJob", { params: { id } })} style={{ fontSize: "0.8rem" }}>
        The causes as JSON
      </a>
    </Stack>
  );
}
