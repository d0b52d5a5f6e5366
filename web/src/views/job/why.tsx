import { Alert, Anchor, Button, Group, List, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { client, pathOf, type WhyView } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { useMay } from "../../app/session.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { lengthText } from "../../parts/format.ts";
import { Instant, instantText, Sentence } from "../../parts/time.tsx";

type HelpfulChange = WhyView["helpfulChanges"][number];

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
      <Changes id={id} changes={why.data.helpfulChanges} />
      <Anchor size="xs" underline="always" href={pathOf("explainJob", { params: { id } })}>
        The causes as JSON
      </Anchor>
    </Stack>
  );
}

/** Buttons that change the job as would let it start sooner. */
function Changes({ id, changes }: { readonly id: string; readonly changes: readonly HelpfulChange[] }) {
  const may = useMay();
  const edit = useMutation({
    mutationFn: (change: HelpfulChange) => client.call("editJob", { params: { id }, body: needsOf(change) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["job", id] }),
  });
  // Changes of requirements are made in a new description, and rights are granted by others.
  const editable = changes.filter(({ kind }) => kind !== "placeable" && kind !== "granted");
  if (editable.length === 0 || !may("hold")) return null;
  return (
    <Group gap="xs">
      {editable.map((change) => (
        <Button
          key={change.kind}
          variant="default"
          loading={edit.isPending}
          onClick={() => edit.mutate(change)}
        >
          {changeText(change)}
        </Button>
      ))}
      <FaultNote error={edit.error} />
    </Group>
  );
}

function needsOf(change: HelpfulChange): { readonly procs?: number; readonly wallTimeSec?: number } {
  return {
    ...("procs" in change ? { procs: change.procs } : {}),
    ...("wallTimeSec" in change ? { wallTimeSec: change.wallTimeSec } : {}),
  };
}

function changeText(change: HelpfulChange): string {
  const { procs, wallTimeSec } = needsOf(change);
  const parts = [
    ...(procs === undefined ? [] : [`${procs} processor${procs === 1 ? "" : "s"}`]),
    ...(wallTimeSec === undefined ? [] : [`a limit of ${lengthText(1000 * wallTimeSec)}`]),
  ];
  return `Change it to ${parts.join(" and ")}`;
}
