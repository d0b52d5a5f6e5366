import { Button, Fieldset, Group, NumberInput, Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { client } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { FaultNote } from "../../parts/fault-note.tsx";

const DISCIPLINES = ["easy", "conservative", "fcfs", "repack"] as const;
type Discipline = (typeof DISCIPLINES)[number];

/** Adds a cluster under Slurm, read-only until told otherwise, or a simulated site. */
export function AddSite() {
  const [name, setName] = useState("");
  const [type, setType] = useState<"slurm" | "simulated">("slurm");
  const [procs, setProcs] = useState(64);
  const [discipline, setDiscipline] = useState<Discipline>("easy");
  const [sshHost, setSshHost] = useState("");
  const add = useMutation({
    mutationFn: () =>
      client.addSite({
        name,
        spec:
          type === "simulated"
            ? { type, procs, discipline, jobs: "run" }
            : { type, ...(sshHost === "" ? {} : { sshHost }) },
      }),
    onSuccess: () => {
      setName("");
      return queries.invalidateQueries({ queryKey: ["sites"] });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Fieldset legend="Add a site">
        <Group align="end">
          <TextInput
            label="Name"
            required
            maxLength={63}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label="Type"
            data={[
              { value: "slurm", label: "Slurm (read-only)" },
              { value: "simulated", label: "Simulated" },
            ]}
            allowDeselect={false}
            value={type}
            onChange={(value) => setType(value === "simulated" ? "simulated" : "slurm")}
          />
          {type === "slurm" ? (
            <TextInput
              label="Host"
              description="Reached over ssh; leave empty for the machine of the broker"
              value={sshHost}
              onChange={(event) => setSshHost(event.currentTarget.value)}
            />
          ) : (
            <Simulated
              procs={procs}
              onProcs={setProcs}
              discipline={discipline}
              onDiscipline={setDiscipline}
            />
          )}
          <Button type="submit" size="sm" loading={add.isPending}>
            Add
          </Button>
        </Group>
        <FaultNote error={add.error} />
      </Fieldset>
    </form>
  );
}

function Simulated({
  procs,
  onProcs,
  discipline,
  onDiscipline,
}: {
  readonly procs: number;
  readonly onProcs: (procs: number) => void;
  readonly discipline: Discipline;
  readonly onDiscipline: (discipline: Discipline) => void;
}) {
  return (
    <>
      <NumberInput
        label="Processors"
        min={1}
        max={1_000_000}
        value={procs}
        onChange={(value) => onProcs(Number(value) || 1)}
      />
      <Select
        label="Discipline"
        data={[...DISCIPLINES]}
        allowDeselect={false}
        value={discipline}
        onChange={(value) => onDiscipline(DISCIPLINES.find((it) => it === value) ?? "easy")}
      />
    </>
  );
}
