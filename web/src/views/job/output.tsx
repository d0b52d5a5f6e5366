import { Anchor, Group, ScrollArea, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, type JobView } from "../../app/client.ts";
import { sizeText } from "../../parts/format.ts";
import { instantText } from "../../parts/time.tsx";
import { useFile } from "./use-file.ts";

/** Links shown at most. */
const MOST_SHOWN = 200;

/** Output as it comes, and the files that a job has left. */
export function Output({ job }: { readonly job: JobView }) {
  const [file, setFile] = useState(job.stdOutput);
  const files = useQuery({
    queryKey: ["job", job.id, "files"],
    queryFn: () => client.files(job.id),
    enabled: job.startedAt !== null && job.filesRemovedAt === undefined,
    retry: false,
  });
  if (job.filesRemovedAt !== undefined) {
    return (
      <Text size="sm" c="dimmed">
        The files of this job were removed {instantText(job.filesRemovedAt)}.
      </Text>
    );
  }
  const names = [...new Set([job.stdOutput, job.stdError])];
  return (
    <Stack gap="xs">
      {names.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label="File to show"
          data={names}
          value={file}
          onChange={setFile}
          style={{ alignSelf: "start" }}
        />
      )}
      {job.startedAt === null ? (
        <Text size="sm" c="dimmed">
          The job has not started; its output appears here as it is written.
        </Text>
      ) : (
        <Contents id={job.id} file={file} key={file} />
      )}
      {(files.data?.length ?? 0) > 0 && (
        <Group gap="xs">
          <Text size="sm">Files:</Text>
          {files.data?.slice(0, MOST_SHOWN).map(({ name, sizeBytes }) => (
            <Anchor
              key={name}
              href={client.fileUrl(job.id, name)}
              size="sm"
              download={name.split("/").at(-1)}
            >
              {name} ({sizeText(sizeBytes)})
            </Anchor>
          ))}
          {(files.data?.length ?? 0) > MOST_SHOWN && (
            <Text size="sm">
              and {(files.data?.length ?? 0) - MOST_SHOWN} more; to download all of them: stint output{" "}
              {job.id}
            </Text>
          )}
        </Group>
      )}
    </Stack>
  );
}

function Contents({ id, file }: { readonly id: string; readonly file: string }) {
  const { text, isCut, trouble } = useFile(id, file);
  return (
    <>
      {isCut && (
        <Text size="xs" c="dimmed">
          Only the end of the output is shown; the file contains all of it.
        </Text>
      )}
      <ScrollArea.Autosize
        mah={420}
        type="auto"
        viewportProps={{ tabIndex: 0, role: "log", "aria-label": file }}
      >
        <pre style={{ margin: 0, fontSize: "0.8rem", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {text === "" ? "(nothing yet)" : text}
        </pre>
      </ScrollArea.Autosize>
      {trouble !== undefined && (
        <Text size="sm" c="var(--stint-failed)">
          {trouble}
        </Text>
      )}
    </>
  );
}
