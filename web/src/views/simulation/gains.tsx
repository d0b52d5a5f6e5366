import { Group, SegmentedControl, Select, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import type { SimulationResultView } from "../../app/client.ts";
import { lengthText, numberText } from "../../parts/format.ts";

type Results = NonNullable<SimulationResultView["results"]>;
type Change = NonNullable<Results[number]["change"]>;
type Moved = Change["groups"][number];

const GROUPINGS = [
  { value: "user", label: "User" },
  { value: "size", label: "Processors" },
  { value: "group", label: "Group" },
  { value: "queue", label: "Queue" },
];
const SHOWN = 30;

/** Who starts earlier under a variant than under the first, and who later. */
export function Gains({ results }: { readonly results: Results }) {
  const [first, ...others] = results;
  const [chosen, setChosen] = useState(others[0]?.name ?? "");
  const [by, setBy] = useState("user");
  const change = others.find(({ name }) => name === chosen)?.change;
  if (first === undefined || others.length === 0) return null;
  const groups = change?.groups.filter((group) => group.by === by) ?? [];
  return (
    <Stack gap="xs">
      <Group align="end">
        <Select
          label="Variant"
          data={others.map(({ name }) => name)}
          value={chosen}
          onChange={(name) => setChosen(name ?? "")}
          allowDeselect={false}
        />
        <SegmentedControl aria-label="Grouped by" data={GROUPINGS} value={by} onChange={setBy} />
      </Group>
      {change ? (
        <>
          <Text size="sm">{sentence(change, chosen, first.name)}</Text>
          {change.isWithinError === true && (
            <Text size="sm" c="var(--stint-failed)">
              Caution: the starts of {first.name} differ from the recorded starts by more than the variants
              differ from each other. Results for single jobs and groups are unreliable.
            </Text>
          )}
          <GroupTable groups={groups} />
        </>
      ) : (
        <Text size="sm">No job starts in both variants, so there is nothing to compare.</Text>
      )}
    </Stack>
  );
}

function sentence({ jobs, earlier, later, netSec }: Change, name: string, first: string): string {
  const net = netSec < 0 ? "less" : "more";
  return (
    `Under ${name}, ${numberText(earlier.jobs)} of ${numberText(jobs)} jobs start earlier and ` +
    `${numberText(later.jobs)} later than under ${first}; in total they wait ` +
    `${lengthText(1000 * Math.abs(netSec))} ${net}.`
  );
}

const meanOf = ({ netSec, jobs }: Moved): number => netSec / jobs;

function GroupTable({ groups }: { readonly groups: readonly Moved[] }) {
  if (groups.length === 0) return <Text size="sm">The workload does not record this for its jobs.</Text>;
  const sorted = groups.toSorted((one, other) => one.netSec - other.netSec);
  const shown = sorted.length > SHOWN ? [...sorted.slice(0, SHOWN / 2), ...sorted.slice(-SHOWN / 2)] : sorted;
  const most = Math.max(...shown.map((group) => Math.abs(meanOf(group))), 1);
  return (
    <section className="table-wrap" aria-label="Gains and losses, table" tabIndex={0}>
      <Table miw={820}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Who</Table.Th>
            <Table.Th className="number">Jobs</Table.Th>
            <Table.Th className="number">Mean wait changes by</Table.Th>
            <Table.Th>
              <span aria-hidden="true">gains ◂ ▸ loses</span>
            </Table.Th>
            <Table.Th className="number">Earlier</Table.Th>
            <Table.Th className="number">by, median</Table.Th>
            <Table.Th className="number">Later</Table.Th>
            <Table.Th className="number">by, median</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((group) => (
            <GroupRow key={group.name} group={group} most={most} />
          ))}
        </Table.Tbody>
      </Table>
      {shown.length < sorted.length && (
        <Text size="xs" c="dimmed">
          The {SHOWN / 2} that gain most and the {SHOWN / 2} that lose most, of {sorted.length}; the JSON
          contains all.
        </Text>
      )}
    </section>
  );
}

function GroupRow({ group, most }: { readonly group: Moved; readonly most: number }) {
  const mean = meanOf(group);
  const width = `${(50 * Math.abs(mean)) / most}%`;
  const sign = mean < 0 ? "−" : "+";
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {group.name}
      </Table.Th>
      <Table.Td className="number">{numberText(group.jobs)}</Table.Td>
      <Table.Td className="number">
        {mean === 0 ? "0s" : `${sign}${lengthText(1000 * Math.abs(mean))}`}
      </Table.Td>
      <Table.Td>
        <div className="diverging" aria-hidden="true">
          <span className={mean < 0 ? "gain" : "loss"} style={{ width }} />
        </div>
      </Table.Td>
      <Table.Td className="number">{numberText(group.earlier.jobs)}</Table.Td>
      <Table.Td className="number">{lengthText(1000 * group.earlier.medianSec)}</Table.Td>
      <Table.Td className="number">{numberText(group.later.jobs)}</Table.Td>
      <Table.Td className="number">{lengthText(1000 * group.later.medianSec)}</Table.Td>
    </Table.Tr>
  );
}
