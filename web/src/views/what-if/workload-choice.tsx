import { Checkbox, FileInput, Group, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type DragEvent, useState } from "react";
import { client } from "../../app/client.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { sizeText } from "../../parts/format.ts";
import type { SimulationDraft, WorkloadDraft } from "./draft.ts";

const EMPTY: Readonly<Record<WorkloadDraft["kind"], WorkloadDraft>> = {
  example: { kind: "example", name: "poisson" },
  upload: { kind: "upload", file: null },
  queue: { kind: "queue", site: "" },
  past: { kind: "past", site: "", days: 7 },
  again: { kind: "again", id: "" },
};

interface Choosing {
  readonly draft: SimulationDraft;
  /** Name of the workload of an earlier simulation, where there is one. */
  readonly earlier: string | undefined;
  readonly onChange: (change: Partial<SimulationDraft>) => void;
}

/** Choice of the workload: one of the broker's, a file, or the queue of a cluster as it is now. */
export function WorkloadChoice({ draft, earlier, onChange }: Choosing) {
  const { workload } = draft;
  const kinds = [
    ...(earlier === undefined ? [] : [{ value: "again", label: "The same" }]),
    { value: "example", label: "An example" },
    { value: "upload", label: "A file" },
    { value: "queue", label: "A live queue" },
    { value: "past", label: "The past" },
  ];
  const isNarrow = useMediaQuery("(max-width: 36em)") ?? false;
  const choose = (kind: string): void => onChange({ workload: EMPTY[kind as WorkloadDraft["kind"]] });
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label="Workload"
        data={kinds}
        value={workload.kind}
        onChange={(kind) => (kind === "again" ? undefined : choose(kind))}
        orientation={isNarrow ? "vertical" : "horizontal"}
        w="fit-content"
        maw="100%"
      />
      {workload.kind === "again" && <Text size="sm">{earlier}</Text>}
      {workload.kind === "example" && <ExampleChoice name={workload.name} onChange={onChange} />}
      {workload.kind === "upload" && <FileChoice file={workload.file} draft={draft} onChange={onChange} />}
      {workload.kind === "queue" && <QueueChoice site={workload.site} onChange={onChange} />}
      {workload.kind === "past" && <PastChoice past={workload} onChange={onChange} />}
    </Stack>
  );
}

function ExampleChoice({ name, onChange }: { readonly name: string } & Pick<Choosing, "onChange">) {
  const { data, error } = useQuery({
    queryKey: ["simulation-workloads"],
    queryFn: async () => (await client.call("listSimulationWorkloads")).items,
  });
  const chosen = data?.find((workload) => workload.name === name);
  return (
    <>
      <FaultNote error={error} />
      <Select
        label="Example"
        data={data?.map((workload) => workload.name) ?? []}
        value={name}
        onChange={(value) => onChange({ workload: { kind: "example", name: value ?? "" } })}
        allowDeselect={false}
        maw={320}
      />
      {chosen && <Text size="sm">{`${chosen.description} (${chosen.file})`}</Text>}
    </>
  );
}

function FileChoice({
  file,
  draft,
  onChange,
}: { readonly file: File | null } & Pick<Choosing, "draft" | "onChange">) {
  const [isOver, setIsOver] = useState(false);
  const choose = (chosen: File | null): void =>
    onChange({
      workload: { kind: "upload", file: chosen },
      ...(draft.name === "" && chosen !== null && { name: chosen.name }),
    });
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    choose(event.dataTransfer.files[0] ?? null);
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way beside the field
    <div
      className={isOver ? "drop over" : "drop"}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <FileInput
        label="File"
        description="SWF or JSON lines, also gzipped, up to 7 MB compressed; drop or choose a file"
        placeholder="Choose a file"
        value={file}
        onChange={choose}
        clearable
        clearButtonProps={{ "aria-label": "Clear the file" }}
        maw={480}
      />
      {file !== null && <Text size="sm">{sizeText(file.size)}</Text>}
      <Checkbox
        mt="xs"
        label="Recorded: start with the jobs running at its beginning, compare with the recorded starts"
        checked={draft.isRecord}
        onChange={(event) => onChange({ isRecord: event.currentTarget.checked })}
      />
    </div>
  );
}

function QueueChoice({ site, onChange }: { readonly site: string } & Pick<Choosing, "onChange">) {
  const { data, error } = useQuery({ queryKey: ["sites"], queryFn: client.sites });
  const clusters = data?.filter(({ spec }) => spec.type === "slurm").map(({ name }) => name) ?? [];
  return (
    <>
      <FaultNote error={error} />
      {data && clusters.length === 0 ? (
        <Text size="sm">
          No site of this broker shows its queue; only Slurm clusters do. Choose an example or a file.
        </Text>
      ) : (
        <Group align="end">
          <Select
            label="Cluster"
            description="Its running and waiting jobs; each runs until its time limit, and no more arrive"
            data={clusters}
            value={site === "" ? null : site}
            onChange={(value) => onChange({ workload: { kind: "queue", site: value ?? "" } })}
            maw={480}
          />
        </Group>
      )}
    </>
  );
}

const PERIODS = [
  { value: "1", label: "the last day" },
  { value: "7", label: "the last 7 days" },
  { value: "30", label: "the last 30 days" },
  { value: "365", label: "the last year" },
];

function PastChoice({
  past,
  onChange,
}: { readonly past: Extract<WorkloadDraft, { kind: "past" }> } & Pick<Choosing, "onChange">) {
  const { data, error } = useQuery({ queryKey: ["sites"], queryFn: client.sites });
  const change = (words: Partial<typeof past>): void => onChange({ workload: { ...past, ...words } });
  return (
    <>
      <FaultNote error={error} />
      <Group align="end">
        <Select
          label="Site"
          description="Ended jobs of this broker at the site that you may see"
          data={data?.map(({ name }) => name) ?? []}
          value={past.site === "" ? null : past.site}
          onChange={(site) => change({ site: site ?? "" })}
          maw={400}
        />
        <Select
          label="Period"
          data={PERIODS}
          value={String(past.days)}
          onChange={(days) => change({ days: Number(days ?? 7) })}
          allowDeselect={false}
        />
      </Group>
    </>
  );
}
