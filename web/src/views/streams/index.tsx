/** Streams: what each has of processors, of the link and of the store, now and over time, and its halts. */
import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client, pathOf, type StreamView } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { Empty } from "../../parts/empty.tsx";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Section } from "../../parts/section.tsx";
import { Course } from "./course.tsx";
import { type Sample, withSample } from "./samples.ts";
import { StreamTable } from "./stream-table.tsx";

interface Seen {
  readonly streams: readonly StreamView[];
  readonly samples: readonly Sample[];
}

/** Wrappers report every second. */
const EVERY_MS = 2000;
const KEY = ["streams"];

export function View() {
  const seen = useQuery({
    queryKey: KEY,
    queryFn: look,
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS,
    gcTime: Number.POSITIVE_INFINITY,
  });
  if (seen.error) return <FaultNote error={seen.error} />;
  if (!seen.data) return <Loading what="streams" />;
  const { streams, samples } = seen.data;
  return (
    <Stack>
      <Heading title="Streams" json={pathOf("listStreams", {})} />
      {streams.length === 0 ? (
        <Empty title="No streams are waiting, running or recently ended">
          Submit the description of a stream with: stint stream submit FILE --site NAME. A site accepts
          streams if its entry in stint.yaml states the total resources that streams may use.
        </Empty>
      ) : (
        <>
          <StreamTable streams={streams} stale={KEY} />
          <Section title="Over time">
            <Text size="sm" c="dimmed">
              Data since this view was opened.
            </Text>
            <Course streams={streams} samples={samples} />
          </Section>
        </>
      )}
    </Stack>
  );
}

async function look(): Promise<Seen> {
  const { items } = await client.call("listStreams");
  const before = queries.getQueryData<Seen>(KEY)?.samples ?? [];
  return { streams: items, samples: withSample(before, items, Date.now()) };
}
