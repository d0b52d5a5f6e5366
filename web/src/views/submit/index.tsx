/** Submit: a description that is checked while it is written, and where and when it would start. */
import { Button, Grid, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type DragEvent, useRef, useState } from "react";
import { client, type JobSubmission } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { Editor } from "../../parts/editor.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Choices } from "./choices.tsx";
import { EMPTY_FORM, Form, textOfForm } from "./form.tsx";
import { InputFiles } from "./inputs.tsx";
import { type Input, pathOfInput, useInputs } from "./use-inputs.ts";

const EXAMPLE = `# What runs; everything else has a default.
executable: sh
arguments: ["-c", "hostname; date; sleep 20; echo done"]
name: first-look
procs: 1
memory: 256M
wallTime: 10m
`;
/** Larger files are not shown in the editor; the command line sends them in parts. */
const MOST_BYTES = 1_000_000;

/** What a job is submitted again with: its description, and its id, whose input files are kept. */
interface Given {
  readonly description?: string;
  readonly filesOf?: string;
}

export function View() {
  const { description: given, filesOf } = useSearch({ strict: false }) as Given;
  const inputs = useInputs(filesOf);
  const [way, setWay] = useState<"form" | "text">(given === undefined ? "form" : "text");
  const [form, setForm] = useState(EMPTY_FORM);
  const [typed, setTyped] = useState(given ?? EXAMPLE);
  const text = way === "form" ? textOfForm(form) : typed;
  const [settled] = useDebouncedValue(text, 250);
  const check = useQuery({
    queryKey: ["check", settled],
    queryFn: () => client.call("checkJobs", { body: { text: settled } }),
    enabled: settled.trim() !== "",
    placeholderData: keepPreviousData,
  });
  const jobs = check.data?.ok && settled === text ? check.data.jobs : [];
  return (
    <Stack>
      <Heading title="Submit">
        <SegmentedControl
          size="xs"
          aria-label="How to describe it"
          data={[
            { value: "form", label: "Fill in" },
            { value: "text", label: "Write or paste" },
          ]}
          value={way}
          onChange={(value) => {
            if (value === "text" && way === "form" && form.command !== "") setTyped(text);
            setWay(value as "form" | "text");
          }}
        />
      </Heading>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          {way === "form" ? (
            <Form value={form} onChange={setForm} />
          ) : (
            <Description text={typed} onChange={setTyped} findings={check.data?.findings ?? []} />
          )}
          <FaultNote error={check.error} />
          <InputFiles inputs={inputs} />
          <Send jobs={jobs} inputs={inputs.list} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Choices jobs={jobs} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function Description({
  text,
  onChange,
  findings,
}: {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly findings: Parameters<typeof Editor>[0]["findings"];
}) {
  const picker = useRef<HTMLInputElement>(null);
  const [trouble, setTrouble] = useState("");
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setTrouble(
      file.size > MOST_BYTES ? `${file.name} is larger than 1 MB; submit it with: stint submit FILE` : "",
    );
    if (file.size <= MOST_BYTES) onChange(await file.text());
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  return (
    <Stack gap="xs" onDrop={drop} onDragOver={(event) => event.preventDefault()}>
      <Editor label="Job descriptions" text={text} onChange={onChange} findings={findings} />
      <Group gap="xs">
        <Button variant="default" onClick={() => picker.current?.click()}>
          Open a file
        </Button>
        <Text size="xs" c="dimmed">
          or drop one here; several descriptions are separated by ---
        </Text>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label="File with job descriptions"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </Group>
      {trouble !== "" && <Text c="var(--stint-failed)">{trouble}</Text>}
    </Stack>
  );
}

function Send({
  jobs,
  inputs,
}: {
  readonly jobs: readonly JobSubmission[];
  readonly inputs: readonly Input[];
}) {
  const sent = inputs.map(pathOfInput);
  const withInputs = ({ inputSandbox = [], ...job }: JobSubmission): JobSubmission =>
    sent.length + inputSandbox.length === 0 ? job : { ...job, inputSandbox: [...inputSandbox, ...sent] };
  const areReady = inputs.every(({ isReady }) => isReady);
  const navigate = useNavigate();
  const send = useMutation({
    mutationFn: () => client.submit(jobs.map(withInputs)),
    onSuccess: async (ids) => {
      await queries.invalidateQueries({ queryKey: ["jobs"] });
      const [first] = ids;
      await navigate({ to: ids.length === 1 ? `/jobs/${first}` : "/jobs" });
    },
  });
  return (
    <Stack gap="xs" mt="md">
      <Button
        size="sm"
        disabled={jobs.length === 0 || !areReady}
        loading={send.isPending}
        onClick={() => send.mutate()}
        style={{ alignSelf: "start" }}
      >
        {jobs.length > 1 ? `Submit ${jobs.length} jobs` : "Submit"}
      </Button>
      <FaultNote error={send.error} />
    </Stack>
  );
}
