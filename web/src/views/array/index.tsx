/** An array of jobs: how many are in each state, the time left, a search's best, and its jobs. */
import { Code, Grid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ArrayView, client, pathOf } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { Empty } from "../../parts/empty.tsx";
import { FactTable } from "../../parts/fact-table.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { lengthText, limitText, numberText } from "../../parts/format.ts";
import { Heading } from "../../parts/heading.tsx";
import { ListedJobs } from "../../parts/job-list.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Section } from "../../parts/section.tsx";
import { StateCounts } from "../../parts/state-counts.tsx";
import { instantText } from "../../parts/time.tsx";
import { type VerbButton, VerbButtons } from "../../parts/verb-buttons.tsx";
import { Scouts } from "./scouts.tsx";

const PAGE = 200;

export function View() {
  const { id = "" } = useParams({ strict: false });
  const array = useQuery({ queryKey: ["array", id], queryFn: () => client.array(id) });
  if (array.error) return <FaultNote error={array.error} />;
  if (!array.data) return <Loading what="the array" />;
  const { name, states, failed } = array.data;
  return (
    <Stack>
      <Heading
        title={`${name ?? "Array"} · ${array.data.id.slice(0, 6)}`}
        json={pathOf("getArray", { params: { id } })}
      >
        <Actions array={array.data} />
      </Heading>
      <StateCounts states={{ ...states, DONE: states.DONE - failed, FAILED: failed }} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Section title="Jobs">
            <ListedJobs filter={{ array: array.data.id, limit: PAGE }} height="calc(100vh - 260px)">
              <Empty title="No jobs yet" />
            </ListedJobs>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Section title="Facts">
            <Facts array={array.data} />
          </Section>
          <Search array={array.data} />
          <Scouts array={array.data} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function Facts({ array }: { readonly array: ArrayView }) {
  const { timeLeftSec, endedAt, sweep = {} } = array;
  const left = timeLeftSec === undefined ? "not known yet" : `about ${lengthText(1000 * timeLeftSec)}`;
  return (
    <FactTable
      rows={[
        ["Indexes", <Code key="indexes">{array.array}</Code>],
        ["Jobs", numberText(array.size)],
        ["At once", array.atMost === null ? "no limit" : numberText(array.atMost)],
        ...(endedAt === null ? [["Time left", left] as const] : []),
        ["Command", <Code key="command">{[array.executable, ...array.arguments].join(" ")}</Code>],
        ...Object.entries(sweep).map(([name, count]) => [`Values of ${name}`, numberText(count)] as const),
        ["Consumer", array.consumer],
        ["Processors", `${numberText(array.procs)} each`],
        ["Time limit", `${limitText(array.wallTimeSec)} each`],
        ["Submitted", instantText(array.submittedAt)],
        ["Ended", endedAt === null ? "not yet" : instantText(endedAt)],
      ]}
    />
  );
}

function Search({ array: { search } }: { readonly array: ArrayView }) {
  if (search === undefined) return null;
  const { method, goal, evaluations, evaluated, failed, best, end } = search;
  const values = Object.entries(best?.values ?? {}).map(([name, value]) => `${name} = ${value}`);
  return (
    <Section title="Search">
      <FactTable
        rows={[
          ["Method", `${method}, to ${goal}`],
          ["Evaluated", `${evaluated} of at most ${evaluations}, ${failed} failed`],
          ["Best", best === null ? "none yet" : `${numberText(best.value)} at ${values.join(", ")}`],
        ]}
      />
      {end !== null && <Text size="sm">{end.text}</Text>}
    </Section>
  );
}

function Actions({ array }: { readonly array: ArrayView }) {
  const may = useMay();
  const { id, states, endedAt } = array;
  const verbs: VerbButton[] = [];
  const act = (verb: "hold" | "release" | "cancel") => () => client.actOnArray(id, verb);
  if (states.HELD > 0 && may("release")) verbs.push({ label: "Release", act: act("release") });
  const waiting = states.WAITING + states.READY + states.SCHEDULED;
  if (waiting > 0 && may("hold")) verbs.push({ label: "Hold waiting jobs", act: act("hold") });
  if (endedAt === null && may("cancel")) {
    const question = "Cancel all jobs of this array? Results of the running jobs may be lost.";
    verbs.push({ label: "Cancel", act: act("cancel"), question });
  }
  return <VerbButtons verbs={verbs} stale={["array", id]} />;
}
