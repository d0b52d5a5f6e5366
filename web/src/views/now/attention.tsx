import { Alert, Anchor, List } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { JobView, SiteView } from "../../app/client.ts";
import { jobTitle } from "../../parts/job-title.ts";

const RECENT_MS = 3_600_000;

/** What somebody should look at: sites in trouble, and the caller's jobs that have failed within the hour. */
export function Attention({
  sites,
  over,
}: {
  readonly sites: readonly SiteView[];
  readonly over: readonly JobView[];
}) {
  const ill = sites.filter(({ trouble, cannotAct }) => trouble !== null || cannotAct !== undefined);
  const failed = over.filter(
    ({ state, result, endedAt }) =>
      (state === "ABORTED" || result === "failed") && Date.now() - Date.parse(endedAt ?? "") < RECENT_MS,
  );
  if (ill.length + failed.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" title="Needs attention">
      <List size="sm">
        {ill.map(({ name, trouble, cannotAct }) => (
          <List.Item key={name}>
            <Anchor component={Link} to={`/sites/${encodeURIComponent(name)}`} size="sm">
              {name}
            </Anchor>
            : {trouble ?? cannotAct}
          </List.Item>
        ))}
        {failed.map((job) => (
          <List.Item key={job.id}>
            <Anchor component={Link} to={`/jobs/${job.id}`} size="sm">
              {jobTitle(job)}
            </Anchor>
            :{" "}
            {job.reason ??
              (job.timeLimit ? "reached its time limit" : `exit code ${job.exitCode ?? "unknown"}`)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
