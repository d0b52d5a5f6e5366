/**
 * Words for completion that only a running broker knows: one a line, with what helps to choose behind a tab.
 * The completion scripts start this; where nobody answers soon, it prints nothing.
 */
import { Command } from "commander";
import type { StintClient } from "../api/client/index.ts";
import { isHolding, type JobState, RESERVATION_STATES } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { WORD_KINDS, WORDS_COMMAND, type WordKind } from "./completion-kinds.ts";
import { commandText, stateText } from "./job-table.ts";
import { printable } from "./text-table.ts";

/** Number of the newest jobs and reservations that are offered. */
const MOST_WORDS = 200;
/** Maximum time for which completion delays the shell. */
const PATIENCE_MS = 1500;

/** Command definition of `stint __words KIND`. */
export function wordsCommand(context: CommandContext): Command {
  return new Command(WORDS_COMMAND)
    .summary("print words for completion")
    .description("Prints the jobs, sites, reservations or tokens that completion offers.")
    .argument("<kind>", WORD_KINDS.join(", "))
    .action(async (kind: string) => {
      const known = WORD_KINDS.find((word) => word === kind);
      if (known === undefined) return;
      const lines = await withinPatience(wordsOf(known, context));
      context.terminal.writeResult(lines.map(([word, about]) => `${word}\t${printable(about)}\n`).join(""));
    });
}

type Word = readonly [word: string, about: string];

async function wordsOf(kind: WordKind, context: CommandContext): Promise<readonly Word[]> {
  return await askers[kind](await context.client());
}

const askers: Readonly<Record<WordKind, (client: StintClient) => Promise<readonly Word[]>>> = {
  jobs: (client) => jobWords(client),
  activeJobs: (client) => jobWords(client, [...WAITING, "RUNNING", "SUSPENDED"]),
  waitingJobs: (client) => jobWords(client, WAITING),
  sites: async (client) => (await client.sites()).map(({ name, state }) => [name, state]),
  reservations: async (client) => {
    const state = RESERVATION_STATES.filter(isHolding);
    const { items } = await client.reservations({ limit: MOST_WORDS, state });
    return items.map(({ id, state: its, site }) => [id, `${its} ${site}`]);
  },
  tokens: async (client) => (await client.tokens()).map(({ id, role, label }) => [id, `${role} ${label}`]),
};

const WAITING = ["WAITING", "READY", "SCHEDULED", "HELD"] as const;

async function jobWords(client: StintClient, state?: readonly JobState[]): Promise<readonly Word[]> {
  const { items } = await client.jobs({ limit: MOST_WORDS, ...(state === undefined ? {} : { state }) });
  return items.map((job) => [job.id, `${stateText(job)} ${commandText(job)}`]);
}

/** The words; none where the broker cannot be reached, refuses, or takes too long. */
async function withinPatience(words: Promise<readonly Word[]>): Promise<readonly Word[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Word[]>((resolve) => {
    timer = setTimeout(() => resolve([]), PATIENCE_MS);
  });
  // Completion has nowhere to say what went wrong; the command itself will say it.
  return Promise.race([words.catch(() => []), late]).finally(() => clearTimeout(timer));
}
