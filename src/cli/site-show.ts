/** `stint site show NAME`: the ad of a site, as a ClassAd or in GLUE 2. */
import { Command } from "commander";
import type { SiteAdView } from "../api/client/index.ts";
import { lengthText } from "../base/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { printable } from "./text-table.ts";

const FORMS = ["classad", "glue2", "json"] as const;

const EXAMPLES = `
Examples:
  $ stint site show far
  $ stint site show far -o glue2

The requirements and ranks of jobs are evaluated against this ad
(other.GlueCEStateFreeCPUs, …). Its names are those of GLUE 1.3. Values that the
site does not provide are undefined. Below it are the age of the ad and the ads
of the queues of a cluster, which are not used in matching. -o json includes all
of this.
`;

/** The verb of `stint site`. */
export function siteShowCommand({ client, terminal }: CommandContext): Command {
  return new Command("show")
    .summary("show the ad of a site")
    .description("Shows the ad of a site, with which jobs are matched.")
    .argument("<name>", "the site")
    .option("-o, --output <format>", "classad, glue2 or json", oneOf("-o", FORMS), "classad")
    .addHelpText("after", EXAMPLES)
    .action(async (name: string, { output }: { readonly output: (typeof FORMS)[number] }) => {
      const ad = await (await client()).call("getSiteAd", { params: { name } });
      if (output === "json") terminal.writeResult(jsonText(ad));
      else if (output === "glue2") terminal.writeResult(jsonText(withQueues(ad)));
      else {
        const age = ad.ageSec === null ? "the site has not been seen" : `${lengthText(ad.ageSec)} old`;
        const isStale = ad.ageSec !== null && ad.ageSec > ad.lifetimeSec;
        terminal.writeResult(`${ad.classad}\n// ${age}${isStale ? ", out of date" : ""}\n`);
        for (const { queue, classad } of ad.queues ?? []) {
          terminal.writeResult(`\n// queue ${printable(queue)}\n${classad}\n`);
        }
        if (ad.queues === null)
          terminal.writeError(
            "stint: the cluster does not answer now, so the ads of its queues are missing\n",
          );
      }
    });
}

/** The entities of the site, with those of its queues. */
function withQueues({ glue2, queues }: SiteAdView): object {
  return (queues ?? []).length === 0 ? glue2 : { ...glue2, Queues: queues?.map((queue) => queue.glue2) };
}
