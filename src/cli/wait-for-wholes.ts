/** Waiting for DAGs and searches, whose jobs come one after the other: they are looked at as wholes. */
import { setTimeout as setTimer } from "node:timers/promises";
import type { ArrayView, DagView, StintClient } from "../api/client/index.ts";
import { formatDuration } from "../base/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { jobOrArray } from "./job-or-array.ts";
import { dagStateText, isArray, isDag } from "./job-table.ts";
import { EXIT_CODES } from "./report-fault.ts";

type Whole = DagView | ArrayView;

/** Exit code at the timeout, as that of timeout(1). */
export const TIMED_OUT = 124;
/** Interval between looks. */
const LOOK_MS = 500;

/** Ids of those that are DAGs or searches. */
export async function wholesAmong(client: StintClient, ids: readonly string[]): Promise<readonly string[]> {
  const wholes: string[] = [];
  for (const id of ids) {
    const found = await jobOrArray(client, id);
    if (isDag(found) || (isArray(found) && found.search !== undefined)) wholes.push(found.id);
  }
  return wholes;
}

/** Looks at DAGs and searches again and again until they have ended. */
export async function waitForWholes(
  client: StintClient,
  ids: readonly string[],
  {
    timeout = Number.POSITIVE_INFINITY,
    output,
  }: { readonly timeout?: number; readonly output: "table" | "json" | "name" },
  { terminal, endWith }: CommandContext,
): Promise<void> {
  const untilMs = terminal.nowMs() + timeout;
  const ended: Whole[] = [];
  for (const id of ids) {
    let whole = await look(client, id);
    while (whole.endedAt === null && terminal.nowMs() < untilMs) {
      await setTimer(LOOK_MS);
      whole = await look(client, id);
    }
    if (whole.endedAt === null) {
      terminal.writeError(`stint: ${whole.id} had not ended after ${formatDuration(timeout)}\n`);
      return endWith(TIMED_OUT);
    }
    ended.push(whole);
    if (output === "table") terminal.writeResult(`${whole.id}  ${stateOf(whole)}\n`);
    if (output === "name") terminal.writeResult(`${whole.id}\n`);
  }
  if (output === "json") terminal.writeResult(jsonText({ items: ended }));
  if (!ended.every(isOk)) endWith(EXIT_CODES.failed);
}

async function look(client: StintClient, id: string): Promise<Whole> {
  const found = await jobOrArray(client, id);
  return isDag(found) ? found : client.array(id);
}

function stateOf(whole: Whole): string {
  if (isDag(whole)) return dagStateText(whole);
  const { best, end, evaluated } = whole.search ?? {};
  const found = best == null ? "no best point" : `best ${best.value} (${whole.id}-${best.index})`;
  return `${evaluated} points, ${found}: ${end?.text ?? "it goes on"}`;
}

function isOk(whole: Whole): boolean {
  if (isDag(whole)) return whole.result === "ok";
  const { best, end } = whole.search ?? {};
  return best != null && (end?.reason === "evaluated" || end?.reason === "chosen");
}
