/** `stint policy admit REQUESTS --policies FILE…`: checks requests against policies and capacity. */

import { Command } from "commander";
import { lengthText } from "../base/index.ts";
import { admissionText, WHOLE_SHARE } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { type Listing, listValue, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import type { JudgedRequest, PolicyTools } from "./policy-tools.ts";
import { instantAheadValue } from "./quantity-values.ts";

const EXAMPLES = `
Examples:
  $ stint policy admit requests.json --policies west.policy.yaml
  $ stint policy admit requests.json --policies west.policy.yaml -o json

The requests are a JSON list. Each asks for a share of the capacity from a start
for a duration, in seconds (fractions are allowed). Without durationSec, or with
null, it has no end:

  [{ "consumer": "vo0", "share": 0.2, "startSec": 0, "durationSec": 3600 }]

If the policies concern several sites, a request names its site as "provider".
"resource" is what it asks for (default: cpu). Requests are judged in order;
each that is admitted counts for those after it. At every level of a consumer
path the burst share limits use at every instant, and the epoch share limits the
average over every interval; in addition, the capacity limits the sum. Reaching
a limit is allowed. The site's own rules for reservations are not checked.

The exit code is 0 when all requests were judged, whatever the verdicts.
`;

interface AdmitOptions {
  readonly policies: string[];
  readonly at?: number;
  readonly output: OutputForm;
}

/** Command definition of `stint policy admit REQUESTS --policies FILE…`. */
export function policyAdmitCommand(load: () => Promise<PolicyTools>, context: CommandContext): Command {
  return new Command("admit")
    .summary("check requests against policies and capacity")
    .description(
      "Checks requests for shares of a site's capacity, in order, against policies from files, and " +
        "shows which are admitted.",
    )
    .argument("<requests>", "the requests, as JSON")
    .requiredOption("--policies <file>", "policies to check against; may be repeated", addTo)
    .option(
      "--at <instant>",
      "use the policies that are in effect at this instant (default: now)",
      instantAheadValue("--at", context.terminal.nowMs),
    )
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (requests: string, { policies, at, output }: AdmitOptions) => {
      const { terminal } = context;
      const question = { requests, policies, atMs: at ?? terminal.nowMs() };
      const judged = await (await load()).admit(question);
      const rows = judged.map((it, index) => ({ ...it, index }));
      await writeItems({ items: rows, form: output, value: listValue(rows.map(record)) }, LISTING, terminal);
    });
}

function addTo(file: string, files: readonly string[] = []): readonly string[] {
  return [...files, file];
}

interface Row extends JudgedRequest {
  readonly index: number;
}

const LISTING: Listing<Row> = {
  columns: [
    { head: "#", align: "right", cell: ({ index }) => String(index + 1) },
    { head: "PROVIDER", isOptional: true, cell: ({ provider }) => provider },
    { head: "CONSUMER", cell: ({ consumer }) => consumer },
    { head: "SHARE", align: "right", cell: ({ share }) => percentText(share) },
    { head: "START", align: "right", cell: ({ startSec }) => `${startSec} s` },
    {
      head: "LENGTH",
      align: "right",
      cell: ({ durationSec }) => (durationSec === null ? "for ever" : lengthText(durationSec)),
    },
    { head: "VERDICT", cell: ({ refusal }) => refusal?.kind ?? "admitted" },
    { head: "WHY NOT", isFlexible: true, cell: (row) => messageOf(row) ?? "" },
  ],
  fields: [
    ...["admitted", "reason", "provider", "consumer", "resource", "share", "startSec", "durationSec"],
    ...["level", "limit", "wouldBe", "fromSec", "message"],
  ],
  record,
  name: ({ refusal }) => refusal?.kind ?? "admitted",
};

/** A verdict with its facts; shares are fractions of the capacity. */
function record(row: Row): Readonly<Record<string, unknown>> {
  const { refusal, provider, consumer, resource, share, startSec, durationSec } = row;
  const excess = refusal === null || refusal.kind === "noPolicy" ? null : refusal;
  return {
    ...{ admitted: refusal === null, reason: refusal?.kind ?? null },
    ...{ provider, consumer, resource, share, startSec, durationSec },
    level: refusal !== null && "level" in refusal ? refusal.level : null,
    limit: excess && excess.limitShare / WHOLE_SHARE,
    wouldBe: excess && excess.wouldBeShare / WHOLE_SHARE,
    fromSec: excess && excess.fromMs / 1000,
    message: messageOf(row),
  };
}

function messageOf({ refusal }: JudgedRequest): string | null {
  return refusal && admissionText(refusal, (atMs) => `${atMs / 1000} s`);
}

function percentText(share: number): string {
  return `${Number((share * 100).toPrecision(6))}%`;
}
