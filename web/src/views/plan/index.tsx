/** Plan: a workflow on the sites of the broker; the plans to choose from, and the execution of one. */
import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type DragEvent, useRef, useState } from "react";
import { client, type PlansView } from "../../app/client.ts";
import { Editor } from "../../parts/editor.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Chosen } from "./chosen.tsx";
import { Front } from "./front.tsx";
import { NO_WISHES, Wishes, type WishTexts, wishesOf } from "./wishes.tsx";

const EXAMPLE = `workflow: survey
tasks:
  - { id: fetch, runtime: 2m, executable: sleep, arguments: ["20"] }
  - { id: north, runtime: 10m, parents: [fetch], executable: sleep, arguments: ["60"] }
  - { id: south, runtime: 10m, parents: [fetch], executable: sleep, arguments: ["60"] }
  - { id: sum, runtime: 5m, parents: [north, south], executable: sleep, arguments: ["20"] }
`;
/** Larger files are planned on the command line. */
const MOST_BYTES = 2_000_000;

export function View() {
  const [text, setText] = useState(EXAMPLE);
  const [wishes, setWishes] = useState(NO_WISHES);
  const plan = useMutation({
    mutationFn: (asked: { readonly text: string; readonly wishes: WishTexts }) =>
      client.call("planWorkflow", { body: { text: asked.text, ...wishesOf(asked.wishes) } }),
  });
  const change = (next: string): void => {
    setText(next);
    plan.reset();
  };
  return (
    <Stack>
      <Heading title="Plan a workflow" />
      <Text size="sm">
        Plans are made on the free slots of the sites, at the prices that you would pay. Nothing is reserved
        until you execute one.
      </Text>
      <Workflow text={text} onChange={change} findings={plan.data?.findings ?? []} />
      <Wishes value={wishes} onChange={setWishes} />
      <Group>
        <Button
          disabled={text.trim() === ""}
          loading={plan.isPending}
          onClick={() => plan.mutate({ text, wishes })}
        >
          Plan
        </Button>
        {plan.isPending && (
          <Text size="sm" c="dimmed" role="status">
            Planning; this takes 20 s at most.
          </Text>
        )}
      </Group>
      <FaultNote error={plan.error} />
      {plan.data !== undefined && plan.data.plans.length > 0 && (
        <Result key={plan.data.beginAt} found={plan.data} onAgain={() => plan.mutate({ text, wishes })} />
      )}
    </Stack>
  );
}

function Result({ found, onAgain }: { readonly found: PlansView; readonly onAgain: () => void }) {
  const { plans, remarks, stopped, evaluations } = found;
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      plans.findIndex(({ chosen }) => chosen),
    ),
  );
  const chosen = plans[at];
  return (
    <>
      {(remarks.length > 0 || stopped) && (
        <Alert variant="light" color="yellow" title="Assumptions" role="status">
          <List size="sm">
            {stopped && (
              <List.Item>
                The search reached its time limit after {evaluations} plans; these are the best found
              </List.Item>
            )}
            {remarks.map((remark) => (
              <List.Item key={remark}>{remark}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Front plans={plans} at={at} onChoose={setAt} />
      {chosen !== undefined && <Chosen key={at} found={found} plan={chosen} onAgain={onAgain} />}
    </>
  );
}

interface Written {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly findings: PlansView["findings"];
}

function Workflow({ text, onChange, findings }: Written) {
  const picker = useRef<HTMLInputElement>(null);
  const [trouble, setTrouble] = useState("");
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const isTooLarge = file.size > MOST_BYTES;
    setTrouble(isTooLarge ? `${file.name} is larger than 2 MB; plan it with: stint plan FILE` : "");
    if (!isTooLarge) onChange(await file.text());
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  return (
    <Stack gap="xs" onDrop={drop} onDragOver={(event) => event.preventDefault()}>
      <Editor
        label="Workflow"
        text={text}
        onChange={onChange}
        findings={findings.map((finding) => ({ ...finding, severity: "error" }))}
        rows={10}
      />
      <Group gap="xs">
        <Button variant="default" onClick={() => picker.current?.click()}>
          Open a file
        </Button>
        <Text size="xs" c="dimmed">
          or drop one here: WfFormat, Pegasus DAX or YAML, PSPLIB, or YAML with tasks
        </Text>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label="File with a workflow"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </Group>
      {trouble !== "" && <Text c="var(--stint-failed)">{trouble}</Text>}
    </Stack>
  );
}
