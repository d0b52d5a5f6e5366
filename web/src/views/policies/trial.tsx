import { Button, Group, List, Stack, Table, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { client, type PolicyTrialView } from "../../app/client.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { lengthText, numberText } from "../../parts/format.ts";
import { instantText } from "../../parts/time.tsx";

/** Jobs of the last 30 days, played under today's policies and under the text. */
export function Trial({
  site,
  text,
  isReady,
}: {
  readonly site: string;
  readonly text: string;
  readonly isReady: boolean;
}) {
  const trial = useMutation({
    mutationFn: (tried: string) => client.call("tryPolicies", { body: { site, text: tried } }),
  });
  return (
    <Stack component="section" gap="xs" aria-label="Trial">
      <Group justify="space-between">
        <Title order={2}>Whom would this have affected?</Title>
        <Button
          variant="default"
          disabled={!isReady}
          loading={trial.isPending}
          onClick={() => trial.mutate(text)}
        >
          Test the change on the last 30 days at {site}
        </Button>
      </Group>
      <FaultNote error={trial.error} />
      {trial.data && trial.variables !== text && (
        <Text size="sm" c="var(--stint-waiting)">
          ! The text has changed since this trial.
        </Text>
      )}
      {trial.data && <Effects trial={trial.data} />}
    </Stack>
  );
}

function Effects({ trial }: { readonly trial: PolicyTrialView }) {
  const { jobs, procs, since, until, baseline, consumers, notes } = trial;
  const largest = Math.max(
    0,
    ...consumers.map(({ waitTodaySec, waitChangedSec }) => Math.abs(waitChangedSec - waitTodaySec)),
  );
  const isNoise = largest > 0 && baseline.medianErrorSec > largest;
  return (
    <>
      <Text size="sm">
        {numberText(jobs)} jobs on {numberText(procs)} processors, {instantText(since)} to{" "}
        {instantText(until)}. The simulation of today's rules has a median error of{" "}
        {sec(baseline.medianErrorSec)} and a 95th percentile of {sec(baseline.p95ErrorSec)}.
        {isNoise && " Every effect is smaller than the median error, and so not significant."}
      </Text>
      <section className="table-wrap" aria-label="Mean waits, table" tabIndex={0}>
        <Table aria-label="Mean waits by organisation">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Organisation</Table.Th>
              {["Jobs", "Recorded", "Today", "Changed", "Never starts"].map((name) => (
                <Table.Th key={name} className="number">
                  {name}
                </Table.Th>
              ))}
              <Table.Th>Effect</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {consumers.map((row) => (
              <Table.Tr key={row.consumer}>
                <Table.Td>{row.consumer}</Table.Td>
                <Table.Td className="number">{numberText(row.jobs)}</Table.Td>
                <Table.Td className="number">{sec(row.waitRecordedSec)}</Table.Td>
                <Table.Td className="number">{sec(row.waitTodaySec)}</Table.Td>
                <Table.Td className="number">{sec(row.waitChangedSec)}</Table.Td>
                <Table.Td className="number">
                  {row.neverStarted === 0 ? "–" : numberText(row.neverStarted)}
                </Table.Td>
                <Table.Td>{effectText(row)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      <List size="sm">
        {notes.map((note) => (
          <List.Item key={note}>{note}</List.Item>
        ))}
      </List>
    </>
  );
}

function sec(value: number): string {
  return lengthText(1000 * value);
}

function effectText({
  waitTodaySec,
  waitChangedSec,
  neverStarted,
}: PolicyTrialView["consumers"][number]): string {
  const change = Math.round(waitChangedSec - waitTodaySec);
  const effects = [
    ...(change > 0 ? [`▲ waits ${sec(change)} longer`] : []),
    ...(change < 0 ? [`▽ gains ${sec(-change)}`] : []),
    ...(neverStarted > 0 ? [`✕ ${neverStarted} never start`] : []),
  ];
  return effects.join("; ") || "none";
}
