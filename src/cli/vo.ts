/** `stint vo`: shows and sets how organisations place their own jobs. */
import { Command, Option } from "commander";
import type { VoView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { SITE_SELECTORS, type SiteSelector, VO_EXTRA_PPM } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { whenOrNone } from "./instant-text.ts";
import { oneOf } from "./option-values.ts";
import {
  isForPeople,
  type Listing,
  listValue,
  type OutputForm,
  outputOption,
  writeItems,
} from "./output-forms.ts";

const PPM_PER_PERCENT = 10_000;
/** Name of the default of organisations without a selector. */
const EARLIEST = "earliest";
const CHOICES = [...SITE_SELECTORS, EARLIEST] as const;

const SET_EXAMPLES = `
Examples:
  $ stint vo set cms --select leastUsed
  $ stint vo set cms --enforce --extra 5%
  $ stint vo set cms --no-enforce --select earliest

--select sets how a site is chosen for a job that names none: random (drawn from
the job's id), roundRobin, leastUsed (in use or requested), leastRecentlyUsed,
bestStart, cheapest or earliest (the default). stint when --select shows what
each would choose now.

With --enforce the organisation's jobs wait until it is their group's turn. The
shares of its groups are those of the policies whose provider is the
organisation, as fractions of all that sites give it. --extra admits that many
more jobs than the shares allow, to keep the sites' queues filled (default: 5%).
Settings that are not given stay unchanged. Only administrators and the
organisation's own VO administrator may change them.
`;

const SHOW_EXAMPLES = `
Examples:
  $ stint vo show
  $ stint vo show cms -o json
`;

const VO_LISTING: Listing<VoView> = {
  columns: [
    { head: "VO", cell: ({ vo }) => vo },
    { head: "SELECT", cell: ({ selector }) => selector ?? EARLIEST },
    { head: "ENFORCED", cell: ({ enforcement }) => (enforcement === null ? "no" : "yes") },
    { head: "EXTRA", align: "right", cell: extraText },
    { head: "LAST SITE", cell: ({ lastSite }) => lastSite ?? "-" },
    { head: "SINCE", isWide: true, cell: ({ changedAt }, nowMs) => whenOrNone(changedAt, nowMs) },
    { head: "BY", isWide: true, cell: ({ by }) => by ?? "-" },
  ],
  fields: ["vo", "selector", "extraPpm", "lastSite", "changedAt", "by"],
  record: ({ enforcement, sentAt: _, ...same }) => ({ ...same, extraPpm: enforcement?.extraPpm }),
  name: ({ vo }) => vo,
};

/** Command definition of `stint vo`. */
export function voCommand(context: CommandContext): Command {
  return new Command("vo")
    .summary("manage how the jobs of organisations are placed")
    .description("Manages how organisations place their own jobs: at which site, and in which order.")
    .addCommand(showCommand(context))
    .addCommand(setCommand(context));
}

function showCommand(context: CommandContext): Command {
  return new Command("show")
    .summary("show how the jobs of organisations are placed")
    .description("Shows how organisations place their jobs.")
    .argument("[vo]", "an organisation (default: all with settings)")
    .addOption(outputOption())
    .addHelpText("after", SHOW_EXAMPLES)
    .action(async (vo: string | undefined, { output: form }: { readonly output: OutputForm }) => {
      const client = await context.client();
      const items = vo === undefined ? await client.vos() : [await client.vo(vo)];
      const value = vo === undefined ? listValue(items) : items[0];
      await writeItems({ items, form, value }, VO_LISTING, context.terminal);
      if (items.length > 0 || !isForPeople(form)) return;
      context.terminal.writeError("stint: no organisation has said how its jobs are placed\n");
    });
}

interface SetOptions {
  readonly select?: SiteSelector | typeof EARLIEST;
  readonly enforce?: boolean;
  readonly extra?: number;
  readonly output: OutputForm;
}

function setCommand(context: CommandContext): Command {
  return new Command("set")
    .summary("set how the jobs of an organisation are placed")
    .description("Sets how an organisation places its jobs, from now on.")
    .argument("<vo>", "first name of its consumer path")
    .addOption(
      new Option("--select <how>", "selector that chooses among sites")
        .choices(CHOICES)
        .argParser(oneOf("--select", CHOICES)),
    )
    .option("--enforce", "jobs of the organisation wait for the turn of their group")
    .option("--no-enforce", "jobs of the organisation are placed as they arrive")
    .option(
      "--extra <percent>",
      "additional jobs to admit, to keep the sites' queues filled: 5%",
      percentValue,
    )
    .addOption(outputOption())
    .addHelpText("after", SET_EXAMPLES)
    .action(async (vo: string, options: SetOptions) => {
      const client = await context.client();
      const set = await client.changeVo(vo, requestFrom(options, await client.vo(vo)));
      await writeItems({ items: [set], form: options.output, value: set }, VO_LISTING, context.terminal);
    });
}

/** Settings with those of the command line; others stay as they are. */
function requestFrom({ select, enforce, extra }: SetOptions, now: VoView) {
  if (select === undefined && enforce === undefined && extra === undefined) throw nothingSaid();
  const isEnforced = enforce ?? now.enforcement !== null;
  if (!isEnforced && extra !== undefined) throw extraOfNothing();
  const before = now.enforcement?.extraPpm ?? VO_EXTRA_PPM;
  return {
    selector: select === undefined ? now.selector : selectorFrom(select),
    enforcement: isEnforced ? { extraPpm: extra ?? before } : null,
  };
}

function selectorFrom(select: SiteSelector | typeof EARLIEST): SiteSelector | null {
  return select === EARLIEST ? null : select;
}

function extraText({ enforcement }: VoView): string {
  return enforcement === null ? "-" : `${enforcement.extraPpm / PPM_PER_PERCENT} %`;
}

function percentValue(text: string): number {
  const [, digits = ""] = /^(\d{1,3}(?:\.\d{1,4})?)\s?%?$/.exec(text) ?? [];
  const ppm = Math.round(Number(digits) * PPM_PER_PERCENT);
  if (digits !== "" && ppm <= 100 * PPM_PER_PERCENT) return ppm;
  throw new Fault({
    kind: "badInput",
    code: "optionValueNotPercent",
    what: `--extra: "${text.slice(0, 40)}" is not a percentage`,
    why: "it is a number from 0 to 100, with up to four decimals",
    remedy: "write for instance --extra 5%",
  });
}

function nothingSaid(): Fault {
  return new Fault({
    kind: "badInput",
    code: "nothingSaid",
    what: "no setting was given",
    why: "settings that are not given remain unchanged",
    remedy: "give --select, --enforce, --no-enforce or --extra; see stint vo set --help",
  });
}

function extraOfNothing(): Fault {
  return new Fault({
    kind: "badInput",
    code: "extraOfNothing",
    what: "--extra has no effect here",
    why: "jobs of this organisation are placed as they arrive",
    remedy: "add --enforce",
  });
}
