import { Button, Checkbox, CloseButton, Group, Progress, Stack, Table, Text } from "@mantine/core";
import { type DragEvent, useRef } from "react";
import { FaultNote } from "../../parts/fault-note.tsx";
import { sizeText } from "../../parts/format.ts";
import type { Input, Inputs } from "./use-inputs.ts";

/** Input files: chosen or dropped, with how far their uploads are. */
export function InputFiles({ inputs }: { readonly inputs: Inputs }) {
  const picker = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    inputs.add(event.dataTransfer.files);
  };
  return (
    <Stack
      component="section"
      gap="xs"
      mt="md"
      aria-label="Input files"
      onDrop={drop}
      onDragOver={(event) => event.preventDefault()}
    >
      <Group gap="xs">
        <Button variant="default" onClick={() => picker.current?.click()}>
          Add input files
        </Button>
        <Text size="xs" c="dimmed">
          or drop them here; they are copied to the directory of the job
        </Text>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Input files to upload"
          onChange={(event) => {
            inputs.add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </Group>
      {inputs.list.length > 0 && (
        <div className="table-wrap">
          <Table aria-label="Input files of the job">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>File</Table.Th>
                <Table.Th className="number">Size</Table.Th>
                <Table.Th>Upload</Table.Th>
                <Table.Th>Program</Table.Th>
                <Table.Th>Remove</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {inputs.list.map((input) => (
                <Row key={input.name} input={input} inputs={inputs} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {inputs.list.map(({ name, error }) => (
        <FaultNote key={name} error={error} />
      ))}
    </Stack>
  );
}

function Row({ input, inputs }: { readonly input: Input; readonly inputs: Inputs }) {
  const { name, file, path, isExecutable } = input;
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td className="number">{sizeOf(input)}</Table.Td>
      <Table.Td>
        <State input={input} />
        {input.error !== null && file !== null && (
          <Button size="compact-xs" variant="default" onClick={() => inputs.retry(name)}>
            Try again
          </Button>
        )}
      </Table.Td>
      <Table.Td>
        <Checkbox
          aria-label={`${name} may be executed`}
          checked={isExecutable}
          disabled={path !== null}
          onChange={(event) => inputs.allowExecution(name, event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td>
        <CloseButton aria-label={`Remove ${name}`} onClick={() => inputs.remove(name)} />
      </Table.Td>
    </Table.Tr>
  );
}

function sizeOf({ file, path, sentBytes }: Input): string {
  if (file !== null) return sizeText(file.size);
  return path === null ? sizeText(sentBytes) : "–";
}

function State({ input }: { readonly input: Input }) {
  const { name, file, path, sentBytes, isReady, error } = input;
  if (error !== null) return <Text size="sm">✕ failed</Text>;
  if (path !== null) return <Text size="sm">read at the broker: {path}</Text>;
  if (isReady) return <Text size="sm">✓ uploaded</Text>;
  const percent = file === null || file.size === 0 ? 0 : Math.floor((100 * sentBytes) / file.size);
  return (
    <>
      <Progress value={percent} aria-label={`Upload of ${name}`} />
      <Text size="xs" c="dimmed">
        {percent} %
      </Text>
    </>
  );
}
