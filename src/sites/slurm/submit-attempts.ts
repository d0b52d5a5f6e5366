/** Submission of attempts: recorded first, then given to sbatch, one by one or as an array of Slurm's. */
import { Fault } from "../../base/index.ts";
import type { SlurmSiteSpec } from "../../model/index.ts";
import type { Clock, SubmitOrder } from "../../runtime/index.ts";
import { arrayWord, type Element } from "./array-submission.ts";
import type { AttemptBook, AttemptRecord } from "./attempt-book.ts";
import { ORDER_TIMEOUT_MS } from "./job-orders.ts";
import { commentOf, groupName, jobNameOf } from "./own-jobs.ts";
import { reservationNameOf } from "./reservation-words.ts";
import type { CommandResult, RunCommand } from "./run-command.ts";
import { type InTurn, ownInputs, sendShared, sharedInputs } from "./shared-inputs.ts";
import type { AttemptFiles } from "./site-files.ts";
import { slurmFault, troubleOf } from "./slurm-fault.ts";
import { submissionWords, submittedJob } from "./submission.ts";
import { arrayScript, wrapperScript } from "./wrapper-script.ts";

/** Dependencies of a submission. */
export interface Submitting {
  readonly spec: SlurmSiteSpec;
  readonly book: AttemptBook;
  readonly files: AttemptFiles;
  readonly run: RunCommand;
  readonly clock: Pick<Clock, "nowMs">;
  readonly graceMs: number;
  readonly inTurn: InTurn;
}

/** Submits an attempt as a job of its own; gives Slurm's id. @throws Fault */
export async function submitAlone(parts: Submitting, given: SubmitOrder): Promise<string> {
  const { book, files, graceMs } = parts;
  const order = await avoiding(parts, given);
  const { token } = order;
  const isNew = await begin(parts, order);
  const directory = files.placeOf(token);
  const shared = sharedOf(parts, order);
  const words = files.within(token, wordsFor(parts, order, token));
  const submitted = await submit(parts, {
    ...{ what: token, words, input: wrapperScript(order, { directory, graceMs, shared }) },
    refused: async () => {
      if (!isNew) return;
      await files.remove(token);
      await book.remove(token);
    },
  });
  await note(parts, order, submitted);
  return submitted;
}

/** Submits elements of an array as one array of Slurm's; gives its id. @throws Fault */
export async function submitTogether(parts: Submitting, elements: readonly Element[]): Promise<string> {
  const { book, files, graceMs } = parts;
  const [{ order: given, group }] = elements;
  const order = await avoiding(parts, given);
  const name = groupName(group);
  const fresh: string[] = [];
  await inLots(elements, async (one) => {
    if (await begin(parts, one.order)) fresh.push(one.order.token);
  });
  const sbatch = [...wordsFor(parts, order, name), `--output=${files.placeOf(name)}/log.%a`];
  const tasks = elements.map((one) => {
    const directory = files.placeOf(one.order.token);
    return { ...one, directory, graceMs, shared: sharedOf(parts, one.order) };
  });
  const submitted = await submit(parts, {
    ...{ what: name, words: files.within(name, [...sbatch, arrayWord(elements)]), input: arrayScript(tasks) },
    // They are submitted one by one then, and find their input files there.
    refused: async () => {
      for (const token of fresh) await book.remove(token);
    },
  });
  await inLots(elements, (one) => note(parts, one.order, `${submitted}_${one.task}`));
  return submitted;
}

/** Number of records and files that are written at a time. */
const LOT = 8;

async function inLots<Item>(items: readonly Item[], deed: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += LOT) await Promise.all(items.slice(at, at + LOT).map(deed));
}

/** Attributes that all elements of a Slurm array have in common. */
export function asksOf({ name, procs, memoryBytes, gpus, hosts, ...order }: SubmitOrder): string {
  const { limitMs, reservation, queue, avoidedNodes } = order;
  const place = [hosts, reservation, queue, avoidedNodes];
  return JSON.stringify([jobNameOf(name), procs, memoryBytes, gpus, limitMs, place]);
}

/**
 * The order with those nodes to avoid that Slurm knows, or without any if Slurm could then never start it.
 * Slurm accepts such a job while it is held, and it would wait for ever.
 */
async function avoiding(parts: Submitting, order: SubmitOrder): Promise<SubmitOrder> {
  const { avoidedNodes, ...anywhere } = order;
  if (avoidedNodes === undefined || (await isPossible(parts, order))) return order;
  const known: string[] = [];
  // A node that has left the cluster is an invalid name, for which Slurm refuses all of them.
  for (const node of avoidedNodes.length > 1 ? avoidedNodes.slice(0, MOST_TRIED) : []) {
    if (await isPossible(parts, { ...anywhere, avoidedNodes: [node] })) known.push(node);
  }
  const without = { ...anywhere, avoidedNodes: known };
  return known.length > 0 && (await isPossible(parts, without)) ? without : anywhere;
}

/** Most nodes that are tried one by one, a call of Slurm each. */
const MOST_TRIED = 16;

/** False if Slurm says that it can never start a job like this. */
async function isPossible(parts: Submitting, order: SubmitOrder): Promise<boolean> {
  const words = wordsFor(parts, order, order.token).filter((word) => word !== "--hold");
  const trial = { words: [...words, "--test-only"], input: "#!/bin/sh\n", timeoutMs: ORDER_TIMEOUT_MS };
  return troubleOf(await parts.run(trial)) !== "invalidRequest";
}

/** Records an attempt before anything is sent, and sends its files. @returns true for a new one */
export async function begin(
  { book, files, clock, inTurn }: Submitting,
  order: SubmitOrder,
): Promise<boolean> {
  const isNew = book.find(order.token) === undefined;
  if (isNew) await book.write(newRecord(order, clock.nowMs()));
  await files.send(order.token, ownInputs(order.inputFiles));
  await sendShared({ book: book.inputs, files, inTurn }, order.inputFiles);
  return isNew;
}

/** Input files that an order shares with other elements of its array. */
export function sharedOf({ files }: Submitting, { inputFiles }: SubmitOrder) {
  return sharedInputs(inputFiles, (name) => files.placeOf(name));
}

/** @param name of the attempt, or of the group of elements */
function wordsFor({ spec, book, files }: Submitting, order: SubmitOrder, name: string): readonly string[] {
  const reservation = order.reservation && reservationNameOf(book.mark, order.reservation);
  const comment = commentOf(book.mark, name);
  const place = { jobName: jobNameOf(order.name), comment, directory: files.placeOf(name), reservation };
  return submissionWords(order, place, spec);
}

interface Submission {
  readonly what: string;
  readonly words: readonly string[];
  readonly input: string;
  /** Called where certainly nothing was accepted. */
  readonly refused: () => Promise<void>;
}

async function submit({ run }: Submitting, { what, words, input, refused }: Submission): Promise<string> {
  const result = await run({ words, input, timeoutMs: ORDER_TIMEOUT_MS });
  const siteJob = submittedJob(result.stdout.toString("utf8"));
  if (result.code === 0 && siteJob !== undefined) return siteJob;
  const fault = certainWhereSaid(slurmFault(`cannot submit ${what}`, result), result);
  if (fault.kind === "refused") await refused();
  throw fault;
}

async function note({ book, clock }: Submitting, order: SubmitOrder, siteJob: string): Promise<void> {
  const record = book.find(order.token) ?? newRecord(order, clock.nowMs());
  await book.write({ ...record, siteJobs: [...new Set([...record.siteJobs, siteJob])] });
}

function newRecord({ token, reservation }: SubmitOrder, submittedAtMs: number): AttemptRecord {
  return { token, submittedAtMs, siteJobs: [], ends: [], acknowledged: [], reservation };
}

/** Turns a missing right into a certain refusal, like an invalid request. */
function certainWhereSaid(fault: Fault, result: CommandResult): Fault {
  if (troubleOf(result) !== "notOwner") return fault;
  const { code, what, why, remedy } = fault;
  return new Fault({ kind: "refused", code, what, why, remedy });
}
