import { Button, Checkbox, Group, Paper, Stack, TextInput, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { client, Fault, type SimulationResultView } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { draftOf, requestOf, type SimulationDraft, variantDraft } from "./draft.ts";
import { VariantTable } from "./variant-table.tsx";
import { WorkloadChoice } from "./workload-choice.tsx";

/** Form of a new simulation. @param earlier a simulation whose workload and variants it begins with */
export function NewSimulation({ earlier }: { readonly earlier: SimulationResultView | undefined }) {
  const [draft, setDraft] = useState<SimulationDraft>(() => beginning(earlier));
  const navigate = useNavigate();
  const run = useMutation({
    mutationFn: async () => {
      const body = await requestOf(draft).catch((error: unknown) => {
        throw error instanceof Fault
          ? error
          : incomplete(String(error instanceof Error ? error.message : error));
      });
      return await client.call("runSimulation", { body });
    },
    onSuccess: async ({ id }) => {
      void queries.invalidateQueries({ queryKey: ["simulations"] });
      await navigate({ to: `/what-if/${id}` });
    },
  });
  const change = (words: Partial<SimulationDraft>): void => setDraft((now) => ({ ...now, ...words }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run.mutate();
  };
  return (
    <Paper withBorder p="md" component="section" aria-label="New simulation">
      <form onSubmit={submit}>
        <Stack>
          <Title order={2}>New simulation</Title>
          <WorkloadChoice draft={draft} earlier={earlier?.workload.name} onChange={change} />
          <Title order={3} size="sm">
            Variants; the others are compared with the first
          </Title>
          <VariantTable variants={draft.variants} onChange={(variants) => change({ variants })} />
          <Group align="end">
            <TextInput
              label="Name"
              value={draft.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
              placeholder="the question to answer"
              maxLength={100}
              required
              miw={280}
            />
            <Checkbox
              label="Share: whoever has its address may see it"
              checked={draft.isShared}
              onChange={(event) => change({ isShared: event.currentTarget.checked })}
              mb={8}
            />
          </Group>
          <FaultNote error={run.error} />
          <Group>
            <Button type="submit" size="sm" loading={run.isPending}>
              Run
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function beginning(earlier: SimulationResultView | undefined): SimulationDraft {
  if (earlier === undefined) {
    return {
      ...{ name: "", workload: { kind: "example", name: "poisson" }, isRecord: false, isShared: false },
      variants: [
        variantDraft({ name: "first come, first served", discipline: "fcfs" }),
        variantDraft({ name: "EASY backfilling", discipline: "easy" }),
      ],
    };
  }
  return {
    ...{
      name: `${earlier.name} (again)`.slice(0, 100),
      isRecord: earlier.workload.isRecord,
      isShared: false,
    },
    workload: { kind: "again", id: earlier.id },
    variants: earlier.variants.map(draftOf),
  };
}

function incomplete(why: string): Fault {
  const [first = why, ...rest] = why.split(". ");
  return new Fault({
    kind: "badInput",
    code: "incomplete",
    what: "nothing has been sent",
    why: first,
    remedy: rest.length === 0 ? "correct it" : rest.join(". "),
  });
}
