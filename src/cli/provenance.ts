/** `stint provenance ID` and `stint rerun ID`: where a result came from, and the same job again. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { Command } from "commander";
import type { EventView, JobSubmission, ProvenanceView, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { appendIds, demandIdsFile, withIdsTo } from "./id-files.ts";
import { oneOf } from "./option-values.ts";
import { printable } from "./text-table.ts";

const FORMS = ["json", "prov", "ro-crate"] as const;
const PAGE = 1000;

const EXAMPLES = `
Examples:
  $ stint provenance 7f3a
  $ stint provenance 7f3a -o ro-crate > results/ro-crate-metadata.json
  $ stint provenance 7f3a -o prov | prov-convert -f svg - graph.svg

Shows what was submitted, with the hashes of the input files at that time; where and when it ran and with
what result; the files it left; and all its events. prov is PROV-JSON of the W3C; ro-crate is the metadata
file of an RO-Crate 1.1, for the folder into which stint output downloads the results. Only those who may
act on the job see its environment variables.
`;

/** Command definition of `stint provenance ID`. */
export function provenanceCommand(context: CommandContext): Command {
  return new Command("provenance")
    .summary("show where the result of a job came from")
    .description("Shows where the result of a job came from: description, inputs, site, events, outputs.")
    .argument("<id>", "a job; a unique prefix of its id is enough")
    .option("-o, --output <form>", `one of ${FORMS.join(", ")}`, oneOf("-o", FORMS), "json" as const)
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, { output }: { readonly output: (typeof FORMS)[number] }) => {
      const client = await context.client();
      const told = await client.provenance(id);
      const provenance = { ...told, events: await eventsOf(client, told.job.id) };
      const { provDocument, roCrate } = await import("../formats/provenance/index.ts");
      const forms = {
        json: () => provenance,
        prov: () => provDocument(provenance),
        "ro-crate": () => roCrate(provenance),
      };
      context.terminal.writeResult(jsonText(forms[output]()));
    });
}

async function eventsOf(client: StintClient, job: string): Promise<readonly EventView[]> {
  const events: EventView[] = [];
  let cursor: string | undefined;
  do {
    const goingOn = cursor === undefined ? {} : { cursor };
    const page = await client.events({ job, order: "oldest", limit: PAGE, ...goingOn });
    events.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return events;
}

const RERUN_EXAMPLES = `
Examples:
  $ stint rerun 7f3a
  $ stint rerun 7f3a --anyway      though an input file has changed

Submits the job again as it was described, at the same site, and prints its id.
What cannot be reproduced is listed first: its reservation, its ticket and the
jobs that it waited for are left out. Input files are compared with the hashes
recorded then; if one has changed, nothing is submitted without --anyway.
`;

interface RerunOptions {
  readonly anyway: boolean;
  readonly idsTo?: string;
}

/** Command definition of `stint rerun ID`. */
export function rerunCommand(context: CommandContext): Command {
  return withIdsTo(new Command("rerun"))
    .summary("submit a job again; lists what cannot be reproduced")
    .description("Submits a job again as it was described, and lists what cannot be reproduced.")
    .argument("<id>", "a job; a unique prefix of its id is enough")
    .option("--anyway", "submit it even if an input file has changed", false)
    .addHelpText("after", RERUN_EXAMPLES)
    .action(async (id: string, { anyway, idsTo }: RerunOptions) => {
      demandIdsFile(context.terminal.directory, idsTo);
      const client = await context.client();
      const told = await client.provenance(id);
      await refuseParts(client, told);
      const changed = await changedInputs(told);
      if (changed.length > 0 && !anyway) throw inputsChanged(changed);
      for (const line of [...differences(told), ...changed]) {
        context.terminal.writeError(`stint: not the same: ${printable(line)}\n`);
      }
      const [again] = await client.submit([submissionOf(told)]);
      context.terminal.writeResult(`${again}\n`);
      appendIds(context.terminal.directory, idsTo, [again]);
    });
}

/** @throws Fault for a job that does nothing without what it is part of */
async function refuseParts(client: StintClient, { job }: ProvenanceView): Promise<void> {
  const { items } = await client.call("listStreams");
  const isStream = items.some((stream) => stream.id === job.id);
  const workflow = /^(.+)-p\d+$/.exec(job.id)?.[1];
  const isPilot = workflow !== undefined && (await client.workflows()).some((one) => one.id === workflow);
  if (isStream) throw notAlone(job.id, "it is a stream", "stint stream submit FILE");
  if (isPilot) throw notAlone(job.id, `it is a pilot of workflow ${workflow}`, "stint plan FILE --execute");
}

function notAlone(id: string, why: string, command: string): Fault {
  return new Fault({
    ...{ kind: "refused", code: "notAlone", what: `job ${id} cannot be rerun alone`, why },
    remedy: `submit all of it again: ${command}`,
  });
}

/** Attributes that belong to one time. */
const OF_ITS_TIME = {
  reservation: "its reservation is not taken again",
  ticket: "its ticket is not used again",
  after: "it does not wait for other jobs",
  expiryTime: "its expiry time is left out",
  array: "it is one job, not an array",
} as const;

function differences({ description, job, site }: ProvenanceView): readonly string[] {
  const left = Object.entries(OF_ITS_TIME).flatMap(([word, line]) => (word in description ? [line] : []));
  const hidden = "environment" in description ? [] : ["variables of its environment, which you may not see"];
  const there =
    job.site === null || site !== null ? [] : [`site ${job.site} is gone: the broker chooses one`];
  return [...left, ...hidden, ...there];
}

/** The description without what belongs to its time, at the site where it ran, if that is still there. */
function submissionOf({ description, site }: ProvenanceView): JobSubmission {
  const kept = Object.entries(description).filter(([word]) => !(word in OF_ITS_TIME) && word !== "site");
  const at = site === null ? {} : { site: site.name };
  return { ...Object.fromEntries(kept), ...at } as JobSubmission;
}

/** A sentence for each input file that is not as it was. */
async function changedInputs({ inputs }: ProvenanceView): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { path, sha256 } of inputs.files) {
    if (sha256 === null) continue;
    const now = await hashOf(path);
    if (now !== sha256) lines.push(now === undefined ? `${path} cannot be read` : `${path} has changed`);
  }
  return lines;
}

async function hashOf(path: string): Promise<string | undefined> {
  const digest = createHash("sha256");
  try {
    await pipeline(createReadStream(path), digest);
    return digest.digest("hex");
  } catch {
    return undefined;
  }
}

function inputsChanged(changed: readonly string[]): Fault {
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : "";
  return new Fault({
    kind: "refused",
    code: "inputsChanged",
    what: "the job cannot be rerun with the same input",
    why: `${changed.slice(0, 3).join("; ")}${more}`,
    remedy: "restore the files, or add --anyway to run it with the current ones",
  });
}
