import { Alert, Anchor, List } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { JobView, SiteView } from "../../app/client.ts";
import { numberText } from "../../parts/format.ts";
import { jobTitle } from "../../parts/job-title.ts";
import type { WorkRow } from "./work.ts";

const RECENT_MS = 3_600_000;

/** Sites in trouble, and work of the caller that failed within the last hour. */
export function Attention({
  sites,
  work,
}: {
  readonly sites: readonly SiteView[];
  readonly work: readonly WorkRow[];
}) {
  const ill = sites.filter(({ trouble, cannotAct }) => trouble !== null || cannotAct !== undefined);
  const failed = work.flatMap((row) => failureOf(row) ?? []);
  if (ill.length + failed.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" title="Needs attention">
      <List size="sm">
        {ill.map(({ name, trouble, cannotAct }) => (
          <List.Item key={name}>
            <Anchor component={Link} to={`/sites/${encodeURIComponent(name)}`} size="sm" underline="always">
              {name}
            </Anchor>
            : {trouble ?? cannotAct}
          </List.Item>
        ))}
        {failed.map(({ href, title, text }) => (
          <List.Item key={href}>
            <Anchor component={Link} to={href} size="sm" underline="always">
              {title}
            </Anchor>
            : {text}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

interface Failure {
  readonly href: string;
  readonly title: string;
  readonly text: string;
}

function failureOf(row: WorkRow): Failure | undefined {
  const { endedAt } = "job" in row ? row.job : row.whole;
  if (endedAt !== null && Date.now() - Date.parse(endedAt) > RECENT_MS) return undefined;
  if ("job" in row) {
    const { job } = row;
    if (job.state !== "ABORTED" && job.result !== "failed") return undefined;
    return { href: `/jobs/${job.id}`, title: jobTitle(job), text: textOf(job) };
  }
  const { href, title, states } = row.whole;
  const count = (states.FAILED ?? 0) + (states.ABORTED ?? 0);
  if (count === 0) return undefined;
  return { href, title, text: `${numberText(count)} of its jobs ${count === 1 ? "has" : "have"} failed` };
}

function textOf({ reason, timeLimit, exitCode }: JobView): string {
  return reason ?? (timeLimit ? "reached its time limit" : `exit code ${exitCode ?? "unknown"}`);
}
