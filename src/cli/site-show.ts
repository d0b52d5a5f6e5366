/** `stint site show NAME`: the ad of a site, as a ClassAd or in GLUE 2. */
import { Command } from "commander";
import type { SiteAdView } from "../api/client/index.ts";
import { lengthText } from "../base/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { printable } from "./text-table.ts";

const FORMS = ["classad", "glue2", "ldif", "json"] as const;

const EXAMPLES = `
Examples:
  $ stint site show far
  $ stint site show far -o glue2
  $ stint site show far -o ldif

The requirements and ranks of jobs are evaluated against this ad
(other.GlueCEStateFreeCPUs, …). Its names are those of GLUE 1.3. Values that the
site does not provide are undefined; administrators can add them (ads: in
stint.yaml). Below it are the age of the ad and its lifetime, and the ads of the
partitions of a cluster. -o json includes all of this; -o ldif has entries of
GLUE 1.3 for information systems.
`;

/** The verb of `stint site`. */
export function siteShowCommand({ client, terminal }: CommandContext): Command {
  return new Command("show")
    .summary("show the ad of a site")
    .description("Shows the ad of a site, against which jobs are matched.")
    .argument("<name>", "the site")
    .option("-o, --output <format>", "classad, glue2, ldif or json", oneOf("-o", FORMS), "classad")
    .addHelpText("after", EXAMPLES)
    .action(async (name: string, { output }: { readonly output: (typeof FORMS)[number] }) => {
      const ad = await (await client()).call("getSiteAd", { params: { name } });
      if (output === "json") terminal.writeResult(jsonText(ad));
      else if (output === "glue2") terminal.writeResult(jsonText(withQueues(ad)));
      else if (output === "ldif") terminal.writeResult(await ldifOf(ad));
      else {
        const lifetime = `lifetime ${lengthText(ad.lifetimeSec)}`;
        const age =
          ad.ageSec === null
            ? "the site has not been observed yet"
            : `${lengthText(ad.ageSec)} old, ${lifetime}`;
        const isStale = ad.ageSec !== null && ad.ageSec > ad.lifetimeSec;
        terminal.writeResult(`${ad.classad}\n// ${age}${isStale ? ", out of date" : ""}\n`);
        for (const { queue, classad } of ad.queues ?? []) {
          terminal.writeResult(`\n// queue ${printable(queue)}\n${classad}\n`);
        }
      }
      if (ad.queues === null && output !== "json")
        terminal.writeError(
          "stint: the ads of its queues are missing, because the cluster does not answer; try again later\n",
        );
    });
}

/** The entries of the site, and of its queues; the language is loaded only for them. */
async function ldifOf({ site, classad, queues }: SiteAdView): Promise<string> {
  const { ldifText } = await import("./site-ldif.ts");
  return ldifText([classad, ...(queues ?? []).map((queue) => queue.classad)], site);
}

/** The entities of the site, with those of its queues. */
function withQueues({ glue2, queues }: SiteAdView): object {
  return (queues ?? []).length === 0 ? glue2 : { ...glue2, Queues: queues?.map((queue) => queue.glue2) };
}
