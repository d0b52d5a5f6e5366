/** Two schedules side by side: of sites, of simulations, or of one of each; what differs is marked. */
import { Group, Select, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { client } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { SideBySide } from "./side-by-side.tsx";
import { useSource } from "./use-source.ts";

type Chosen = { readonly first?: string; readonly other?: string };

export function View() {
  const chosen: Chosen = useSearch({ strict: false });
  const navigate = useNavigate();
  const choices = useChoices();
  const first = useSource(chosen.first);
  const other = useSource(chosen.other);
  const choose = (change: Chosen) => void navigate({ to: "/compare", search: { ...chosen, ...change } });
  const error = first.error ?? other.error;
  return (
    <Stack gap="sm">
      <Heading title="Compare schedules" />
      <Group align="end">
        <Choice
          label="Above"
          value={chosen.first}
          data={choices}
          onChange={(value) => choose({ first: value })}
        />
        <Choice
          label="Below"
          value={chosen.other}
          data={choices}
          onChange={(value) => choose({ other: value })}
        />
      </Group>
      <FaultNote error={error} />
      {chosen.first === undefined || chosen.other === undefined ? (
        <Empty title="Choose two schedules">
          Choose the schedule of a site or the result of a simulation (What if). The address of this page
          includes the choice.
        </Empty>
      ) : (
        error === null && <Charts first={first.source} other={other.source} />
      )}
    </Stack>
  );
}

function Charts(sources: {
  readonly first: ReturnType<typeof useSource>["source"];
  readonly other: ReturnType<typeof useSource>["source"];
}) {
  const { first, other } = sources;
  if (first === undefined || other === undefined) return <Loading what="the schedules" />;
  return <SideBySide first={first} other={other} />;
}

/** Sites, and the variants of simulations that are done. */
function useChoices() {
  const may = useMay();
  const sites = useQuery({ queryKey: ["sites"], queryFn: client.sites });
  const simulations = useQuery({
    queryKey: ["simulations"],
    queryFn: () => client.call("listSimulations"),
    enabled: may("seeSimulation"),
  });
  return [
    {
      group: "Sites",
      items: (sites.data ?? []).map(({ name }) => ({ value: `site:${name}`, label: name })),
    },
    {
      group: "Simulations",
      items: (simulations.data?.items ?? [])
        .filter(({ state }) => state === "done")
        .flatMap(({ id, name, variants }) =>
          variants.map((variant, at) => ({
            value: `simulation:${id}:${at}`,
            label: `${name}, ${variant.name}`,
          })),
        ),
    },
  ];
}

function Choice({
  label,
  value,
  data,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly data: ReturnType<typeof useChoices>;
  readonly onChange: (value: string) => void;
}) {
  return (
    <Select
      label={label}
      data={data}
      value={value ?? null}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
      placeholder="site or simulation"
      searchable
      w={280}
    />
  );
}
