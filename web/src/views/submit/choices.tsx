import { Stack, Table, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { client, type JobSubmission, type ProspectView } from "../../app/client.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { lengthText, suText } from "../../parts/format.ts";
import { instantText } from "../../parts/time.tsx";

/** Quantiles of the wait that are shown, as probabilities of a start by then. */
const SHOWN = [0.5, 0.95];

/** Where a job would run, when it would start and how sure that is, its price, and what policies say. */
export function Choices({ jobs }: { readonly jobs: readonly JobSubmission[] }) {
  const [job] = jobs;
  const body = job === undefined ? {} : questionOf(job);
  const prospects = useQuery({
    queryKey: ["prospects", body],
    queryFn: () => client.assess(body),
    enabled: job !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  return (
    <Stack component="section" gap="xs" aria-label="Where and when">
      <Title order={2}>Where and when</Title>
      {job === undefined ? (
        <Empty title="Describe a job">
          Sites, predicted starts and prices appear here before you submit the job.
        </Empty>
      ) : (
        <>
          <FaultNote error={prospects.error} />
          {prospects.data && <Rows prospects={prospects.data.items} />}
          {jobs.length > 1 && (
            <Text size="xs" c="dimmed">
              Shown for the first of {jobs.length} jobs.
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}

/** Fields of a description that the queue sees, for a job that is only thought of. */
function questionOf({
  executable,
  procs,
  memoryBytes,
  gpus,
  wallTimeSec,
}: JobSubmission): Parameters<typeof client.assess>[0] {
  return {
    executable,
    ...(procs === undefined ? {} : { procs }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(gpus === undefined ? {} : { gpus }),
    ...(wallTimeSec === undefined ? {} : { wallTimeSec }),
  };
}

function Rows({ prospects }: { readonly prospects: readonly ProspectView[] }) {
  if (prospects.length === 0) return <Empty title="No sites yet">An administrator adds sites.</Empty>;
  return (
    <div className="table-wrap">
      <Table aria-label="Sites for this job">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Site</Table.Th>
            <Table.Th>Likely start</Table.Th>
            <Table.Th style={{ whiteSpace: "nowrap" }}>95 % by</Table.Th>
            <Table.Th className="number">Price</Table.Th>
            <Table.Th>Policy</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {prospects.map((prospect) => (
            <Row key={`${prospect.site}/${prospect.partition ?? ""}`} prospect={prospect} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Row({ prospect }: { readonly prospect: ProspectView }) {
  const { site, partition, refusal, trouble, forecast, noRecord, policy, choice, slot } = prospect;
  const [likely, sure] = SHOWN.map((probability) =>
    forecast?.promises.find((promise) => promise.probability >= probability),
  );
  const never = refusal?.text ?? trouble;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={choice?.isChosen ? 700 : 500}>
          {site}
          {partition !== null && ` · ${partition}`}
        </Text>
        {choice?.isChosen && (
          <Text size="xs" c="var(--stint-running)">
            ✓ would be chosen
          </Text>
        )}
      </Table.Td>
      {never == null ? (
        <>
          <Table.Td>
            <Wait sec={likely?.waitSec ?? noRecord?.scheduled?.waitSec} />
            <Text size="xs" c="dimmed">
              {recordText(prospect)}
            </Text>
          </Table.Td>
          <Table.Td>
            <Wait sec={sure?.waitSec} />
          </Table.Td>
        </>
      ) : (
        <Table.Td colSpan={2}>
          <Text size="sm" c="var(--stint-failed)">
            ✕ {never}
          </Text>
        </Table.Td>
      )}
      <Table.Td className="number">{suText(choice?.priceSu ?? null)}</Table.Td>
      <Table.Td>
        <Text size="sm">{policy?.text ?? "no policy limit"}</Text>
        {slot !== null && (
          <Text size="xs" c="dimmed">
            A reservation could begin {instantText(slot.startAt)}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Wait({ sec }: { readonly sec: number | undefined }) {
  if (sec === undefined) return <Text size="sm">–</Text>;
  return <Text size="sm">{sec < 1 ? "immediately" : `in ${lengthText(1000 * sec)}`}</Text>;
}

function recordText({ forecast, noRecord }: ProspectView): string {
  if (forecast !== null) {
    const promise = forecast.score.kept.find(({ probability }) => probability >= 0.5);
    if (promise === undefined) return forecast.method;
    const percent = Math.round(100 * promise.kept);
    return `${percent} % of ${promise.promises} earlier promises kept`;
  }
  if (noRecord === null) return "";
  return noRecord.scheduled === null
    ? `${noRecord.needed} earlier predictions are needed, ${noRecord.settled} exist`
    : "from the schedule; no record yet";
}
