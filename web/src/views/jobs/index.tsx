/** All jobs that the caller may see, newest first, filtered, as many as there are. */
import { Checkbox, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { type JobView, pathOf } from "../../app/client.ts";
import { useSession } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { Heading } from "../../parts/heading.tsx";
import { ListedJobs } from "../../parts/job-list.tsx";
import { JOB_STATES } from "../../parts/state.tsx";
import type { JobsAsked } from "../../parts/use-jobs.ts";

const PAGE = 200;

export function View() {
  const { data: session } = useSession();
  const [isMine, setIsMine] = useState(false);
  const [state, setState] = useState<JobView["state"] | null>(null);
  const [typed, setTyped] = useState("");
  const [name] = useDebouncedValue(typed.trim(), 300);
  const filter: JobsAsked = {
    limit: PAGE,
    ...(isMine && session ? { consumer: session.consumer } : {}),
    ...(state === null ? {} : { state: [state] }),
    ...(name === "" ? {} : { name }),
  };
  return (
    <>
      <Heading title="Jobs" json={pathOf("listJobs", { query: filter })} />
      <Group mb="sm" align="end">
        <TextInput
          label="Name"
          placeholder="full name of a job"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Select
          label="State"
          data={JOB_STATES}
          value={state}
          onChange={(value) => setState(JOB_STATES.find((it) => it === value) ?? null)}
          clearable
          placeholder="any"
        />
        <Checkbox
          label="Mine only"
          checked={isMine}
          onChange={(event) => setIsMine(event.currentTarget.checked)}
          mb={8}
        />
      </Group>
      <ListedJobs filter={filter} height="calc(100vh - 220px)">
        <Empty title="No job matches">Change the filter, or submit a job: stint submit -- hostname</Empty>
      </ListedJobs>
    </>
  );
}
