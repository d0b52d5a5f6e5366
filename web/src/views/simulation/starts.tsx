import { Anchor, Select, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { pathOf, type SimulationResultView } from "../../app/client.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { numberText } from "../../parts/format.ts";
import { Loading } from "../../parts/loading.tsx";
import { movedJobs } from "../../parts/moved-jobs.ts";
import { BothSchedules } from "./both-schedules.tsx";
import { MovedTable } from "./moved-table.tsx";
import { useSchedules } from "./schedules.ts";

type Results = NonNullable<SimulationResultView["results"]>;

/** The schedule of a variant beside that of the first one, and the jobs that gain and lose most. */
export function Starts({ id, results }: { readonly id: string; readonly results: Results }) {
  const [first, ...others] = results;
  const [chosen, setChosen] = useState(others[0]?.name ?? "");
  const { data, error } = useSchedules(id, results.length);
  const at = results.findIndex(({ name }) => name === chosen);
  const [before, now] = [data?.[0], data?.[at]];
  const moved = useMemo(() => before && now && movedJobs(before, now), [before, now]);
  if (error) return <FaultNote error={error} />;
  if (first === undefined || moved === undefined || before === undefined || now === undefined) {
    return <Loading what="the schedules" />;
  }
  return (
    <Stack gap="xs">
      <Select
        label="Variant to compare with the first one"
        data={others.map(({ name }) => name)}
        value={chosen}
        onChange={(name) => setChosen(name ?? "")}
        allowDeselect={false}
        maw={280}
      />
      <Text size="sm">
        {moved.length === 0
          ? "Every job starts at the same time in both."
          : `${numberText(moved.length)} jobs start at a different time. Largest gains and losses:`}
      </Text>
      {moved.length > 0 && <MovedTable moved={moved} first={first.name} now={chosen} />}
      <BothSchedules moved={moved} names={[first.name, chosen]} schedules={[before, now]} />
      <Anchor
        renderRoot={(props) => <Link to="/compare" search={{ first: `simulation:${id}:${at}` }} {...props} />}
        size="sm"
      >
        Compare with a site or another simulation
      </Anchor>
      <Text size="xs" c="dimmed">
        All jobs as JSON:{" "}
        {[first.name, chosen].map((name, which) => (
          <Anchor
            key={name}
            href={pathOf("getSimulationSchedule", {
              params: { id },
              query: { variant: which === 0 ? 0 : at },
            })}
            size="xs"
            underline="always"
            mr="xs"
          >
            {name}
          </Anchor>
        ))}
      </Text>
    </Stack>
  );
}
