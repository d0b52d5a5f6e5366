import { Text, Timeline } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { client } from "../../app/client.ts";
import { FaultNote } from "../../parts/fault-note.tsx";
import { Instant } from "../../parts/time.tsx";

/** What happened to a job, from the log, oldest first. */
export function LifeLine({ id }: { readonly id: string }) {
  const events = useQuery({
    queryKey: ["job", id, "events"],
    queryFn: () => client.events({ job: id, order: "oldest", limit: 200 }),
  });
  if (events.error) return <FaultNote error={events.error} />;
  const items = events.data?.items ?? [];
  return (
    <Timeline active={items.length} bulletSize={12} lineWidth={2}>
      {items.map(({ seq, at, text, by, state }) => (
        <Timeline.Item key={seq} title={<Text size="sm">{text}</Text>}>
          <Text size="xs" c="dimmed">
            <Instant at={at} />
            {state !== null && ` · ${state}`}
            {by !== null && ` · by ${by}`}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
