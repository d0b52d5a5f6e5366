/** `stint site who NAME`: the account under which pilots of a site would run a program. */
import { Command } from "commander";
import { some } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { consumerValue } from "./option-values.ts";
import { pastInstantValue } from "./quantity-values.ts";
import { printable } from "./text-table.ts";

interface WhoOptions {
  readonly as: string;
  readonly exe: string;
  readonly at?: number;
}

/** The verb of `stint site`. */
export function siteWhoCommand({ client, terminal }: CommandContext): Command {
  return new Command("who")
    .summary("show the account under which a site would run a job")
    .description("Shows the account under which pilots of a site would run a program of a consumer.")
    .argument("<name>", "the site")
    .requiredOption("--as <consumer>", "consumer of the job: vo/group/user", consumerValue("--as"))
    .requiredOption("--exe <path>", "path of the program")
    .option("--at <when>", "at this time (default: now)", pastInstantValue("--at", terminal.nowMs))
    .action(async (name: string, { as, exe: executable, at }: WhoOptions) => {
      const query = { as, executable, ...(at === undefined ? {} : { at: new Date(at).toISOString() }) };
      const { mode, account, rule, pool, refused } = await (await client()).call("getIdentity", {
        params: { name },
        query,
      });
      const by = rule === null ? "" : ` by rule ${rule}`;
      const own = pool === undefined ? "the account of the pilot" : `one of ${some(pool)}`;
      const kept = account ?? own;
      const runs =
        mode === "verify"
          ? `allowed${by} (${kept}); runs under the account of the pilot`
          : `runs under ${kept}${by}`;
      terminal.writeResult(
        `${printable(as)}: ${refused === null ? runs : `refused: ${printable(refused)}`}\n`,
      );
    });
}
