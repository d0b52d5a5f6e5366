/** `stint reservations`: lists offers and reservations, or shows one in detail. */
import { Command } from "commander";
import type { ReservationFilter } from "../api/client/index.ts";
import { isHolding, RESERVATION_STATES, type ReservationState } from "../model/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { listOf, positiveInteger } from "./option-values.ts";
import { isForPeople, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { RESERVATION_LISTING, reservationDetails } from "./reservation-table.ts";

interface ReservationsOptions {
  readonly all: boolean;
  readonly state?: readonly ReservationState[];
  readonly vo?: string;
  readonly site?: string;
  readonly limit: number;
  readonly output: OutputForm;
}

const USUAL_LIMIT = 100;
const EXAMPLES = `
Examples:
  $ stint reservations
  $ stint reservations 7f3a
  $ stint reservations --all --site far -o csv > reservations.csv

Newest first. Without --all only offers and reservations that hold capacity now
or later: OFFERED (held until the offer expires), ACCEPTED (has not begun), ACTIVE (has
begun). The states of the others: FULFILLED (its time is over), LAPSED (the
offer was not accepted in time), WITHDRAWN (the offer was withdrawn), CANCELLED
(before it began), RELINQUISHED (ended early, after it began), VIOLATED (the
site did not honour it; -o json shows how).
`;

/** Command definition of `stint reservations`. */
export function reservationsCommand(context: CommandContext): Command {
  return new Command("reservations")
    .summary("list your offers and reservations")
    .description("Lists offers and reservations, or shows one in detail.")
    .argument("[id]", "a reservation to show; a unique prefix of its id is enough")
    .option("--all", "include ended ones", false)
    .option(
      "--state <states>",
      "only in these states, comma-separated or repeated",
      listOf("--state", RESERVATION_STATES, "capital"),
    )
    .option("--vo <path>", "only of this organisation, group or user, and those below: vo/group/user")
    .option("--site <site>", "only at this site")
    .option("--limit <n>", "list at most this many", positiveInteger("--limit"), USUAL_LIMIT)
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (id: string | undefined, options: ReservationsOptions) => {
      await (id === undefined ? list(options, context) : one(id, options, context));
    });
}

async function one(
  id: string,
  { output: form }: ReservationsOptions,
  context: CommandContext,
): Promise<void> {
  const found = await (await context.client()).reservation(id);
  if (form === "json") context.terminal.writeResult(jsonText(found));
  else if (form === "table")
    context.terminal.writeResult(reservationDetails(found, context.terminal.nowMs()));
  else await writeItems({ items: [found], form, value: found }, RESERVATION_LISTING, context.terminal);
}

async function list(options: ReservationsOptions, context: CommandContext): Promise<void> {
  const { output: form, limit } = options;
  const { items, next } = await (await context.client()).reservations(filterOf(options));
  await writeItems({ items, form, value: { items, next } }, RESERVATION_LISTING, context.terminal);
  if (!isForPeople(form)) return;
  if (items.length === 0) context.terminal.writeError("stint: there are no such reservations\n");
  if (next !== null) context.terminal.writeError(`stint: there are more than ${limit}; --limit shows more\n`);
}

const LARGEST_PAGE = 1000;

function filterOf({ all, state, vo, site, limit }: ReservationsOptions): ReservationFilter {
  const states = state ?? (all ? undefined : RESERVATION_STATES.filter(isHolding));
  return {
    limit: Math.min(limit, LARGEST_PAGE),
    ...(states === undefined ? {} : { state: states }),
    ...(vo === undefined ? {} : { consumer: vo }),
    ...(site === undefined ? {} : { site }),
  };
}
