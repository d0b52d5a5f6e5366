import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { queries } from "../app/queries.ts";
import { FaultNote } from "./fault-note.tsx";

/** Something that can be done, as a button. */
export interface VerbButton {
  readonly label: string;
  readonly act: () => Promise<unknown>;
  /** Asked before it is done; absent: it is done at once. */
  readonly question?: string;
}

/** Buttons for what may be done with something; afterwards it is asked for again. */
export function VerbButtons({
  verbs,
  stale,
}: {
  readonly verbs: readonly VerbButton[];
  /** Key of the query that shows the subject. */
  readonly stale: readonly string[];
}) {
  const act = useMutation({
    mutationFn: (verb: VerbButton) => verb.act(),
    onSettled: () => queries.invalidateQueries({ queryKey: stale }),
  });
  return (
    <Group gap="xs">
      {verbs.map((verb) => (
        <Button
          key={verb.label}
          variant={verb.question === undefined ? "default" : "outline"}
          color={verb.question === undefined ? "ink" : "red"}
          loading={act.isPending && act.variables.label === verb.label}
          onClick={() => {
            if (verb.question === undefined || window.confirm(verb.question)) act.mutate(verb);
          }}
        >
          {verb.label}
        </Button>
      ))}
      <FaultNote error={act.error} />
    </Group>
  );
}
