import { Anchor, Card, Group, Progress, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, type ProspectView, type SiteView } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { lengthText, numberText } from "../../parts/format.ts";

const states: Readonly<Record<SiteView["state"], readonly [sign: string, colour: string]>> = {
  open: ["●", "running"],
  draining: ["◐", "waiting"],
  "read-only": ["◌", "done"],
  trouble: ["✕", "failed"],
};

/** A site with its load, its queue, its health, and the wait of a small job of the caller. */
export function SiteCard({ site }: { readonly site: SiteView }) {
  const { name, spec, state, running, waiting, procsBusy, trouble, note } = site;
  const [sign, colour] = states[state];
  const share = Math.min(100, (100 * procsBusy) / Math.max(1, spec.procs));
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" wrap="nowrap">
        <Anchor component={Link} to={`/sites/${encodeURIComponent(name)}`} fw={600} truncate>
          {name}
        </Anchor>
        <Text size="sm" c={`var(--stint-${colour})`} style={{ whiteSpace: "nowrap" }}>
          <span aria-hidden="true">{sign}</span> {state}
        </Text>
      </Group>
      <Progress value={share} mt="xs" aria-label={`Processors in use at ${name}`} />
      <Text size="xs" c="dimmed" mt={4}>
        {`${numberText(procsBusy)} of ${numberText(spec.procs)} processors in use · `}
        {`${running} running · ${waiting} waiting`}
      </Text>
      <MyWait site={name} />
      {note !== undefined && <Text size="sm">Note: {note.text}</Text>}
      {trouble !== null && (
        <Text size="sm" c="var(--stint-failed)">
          {trouble}
        </Text>
      )}
    </Card>
  );
}

function MyWait({ site }: { readonly site: string }) {
  const may = useMay();
  const { data } = useQuery({
    queryKey: ["prospects", "small"],
    queryFn: () => client.assess({ procs: 1, wallTimeSec: 3600 }),
    enabled: may("assess"),
    refetchInterval: 30_000,
  });
  const prospect = data?.items.find((it) => it.site === site);
  if (prospect === undefined) return null;
  return (
    <Text size="xs" title="A job of one processor and one hour">
      A small job of yours: {waitText(prospect)}
    </Text>
  );
}

function waitText({ fits, forecast, noRecord, refusal }: ProspectView): string {
  if (refusal !== null) return refusal.text;
  if (fits === false) return "does not fit";
  const median = forecast?.promises.find(({ probability }) => probability >= 0.5);
  const waitSec = median?.waitSec ?? noRecord?.scheduled?.waitSec;
  if (waitSec === undefined) return "its start cannot be predicted yet";
  return waitSec < 1 ? "starts immediately" : `starts in about ${lengthText(1000 * waitSec)}`;
}
