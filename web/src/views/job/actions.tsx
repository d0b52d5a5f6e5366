import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, type JobView } from "../../app/client.ts";
import { queries } from "../../app/queries.ts";
import { useMay } from "../../app/session.ts";
import { FaultNote } from "../../parts/fault-note.tsx";

type Verb = "hold" | "release" | "suspend" | "resume" | "cancel";

const labels: Readonly<Record<Verb, string>> = {
  hold: "Hold",
  release: "Release",
  suspend: "Suspend",
  resume: "Resume",
  cancel: "Cancel",
};

/** What fits the state of a job. */
function verbsFor({ state }: JobView): readonly Verb[] {
  switch (state) {
    case "HELD":
      return ["release", "cancel"];
    case "SUSPENDED":
      return ["resume", "cancel"];
    case "RUNNING":
      return ["suspend", "cancel"];
    case "WAITING":
    case "READY":
    case "SCHEDULED":
      return ["hold", "cancel"];
    default:
      return [];
  }
}

/** The description of a job as far as the broker shows it, to be changed and sent again. */
function textOfJob(job: JobView): string {
  const fields = {
    executable: job.executable,
    arguments: job.arguments,
    name: job.name,
    procs: job.procs,
    memory: job.memoryBytes,
    wallTime: job.wallTimeSec === null ? null : `${job.wallTimeSec}s`,
    workingDirectory: job.workingDirectory,
    outputSandbox: job.outputSandbox.length === 0 ? null : job.outputSandbox,
    userTags: Object.keys(job.userTags).length === 0 ? null : job.userTags,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${JSON.stringify(value)}`],
  );
  const remark = `# Copied from job ${job.id}, without its environment.`;
  return `${[remark, ...lines].join("\n")}\n`;
}

/** Buttons for what may be done with a job. */
export function Actions({ job }: { readonly job: JobView }) {
  const may = useMay();
  const act = useMutation({
    mutationFn: (verb: Verb) => client.act(job.id, verb),
    onSettled: () => queries.invalidateQueries({ queryKey: ["job", job.id] }),
  });
  const ask = (verb: Verb): void => {
    if (verb !== "cancel" || window.confirm("Cancel this job? Its results so far may be lost."))
      act.mutate(verb);
  };
  return (
    <Group gap="xs">
      {verbsFor(job)
        .filter(may)
        .map((verb) => (
          <Button
            key={verb}
            variant={verb === "cancel" ? "outline" : "default"}
            color={verb === "cancel" ? "red" : "ink"}
            loading={act.isPending && act.variables === verb}
            onClick={() => ask(verb)}
          >
            {labels[verb]}
          </Button>
        ))}
      {job.endedAt !== null && may("submit") && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/submit" search={{ description: textOfJob(job), filesOf: job.id }} {...props} />
          )}
        >
          Submit again
        </Button>
      )}
      <FaultNote error={act.error} />
    </Group>
  );
}
