/**
 * Elements of an array that are handed over at the same time become one array of Slurm's, as far as they ask
 * for the same (rule SU-50).
 *
 * The task's number and the comment of the array give the token of an element, so that each is recognised,
 * followed and cancelled like a job of its own, also after a broker that died in the middle. Arrays of
 * Slurm's have 1001 tasks by default: elements go by blocks of a thousand indexes.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import type { SubmitOrder } from "../../runtime/index.ts";
import { tasksText } from "./array-tasks.ts";
import { type ElementGroup, TASKS } from "./own-jobs.ts";

/** Elements that come within this time of each other go together, and none waits longer, in ms. */
const TOGETHER = { quietMs: 300, mostMs: 3000 };
/** Largest script, in characters; Slurm takes 4 MiB. */
const MOST_SCRIPT = 2_000_000;

/** An element with the words of its own submission. */
export interface Element {
  readonly order: SubmitOrder;
  readonly group: ElementGroup;
  readonly task: number;
  /** Attributes that must be equal for all elements of a group. */
  readonly asks: string;
}

/** The place of an order among the tasks of an array; undefined for a job of its own. */
export function elementOf(order: SubmitOrder, asks: string): Element | undefined {
  const { element, token } = order;
  const attempt = token.split("/").at(-1);
  if (element === undefined || attempt === undefined) return undefined;
  const { array, index } = element;
  if (token !== `${array}-${index}/${attempt}`) return undefined;
  const offset = Math.floor(index / TASKS) * TASKS;
  return { order, group: { array, offset, attempt }, task: index - offset, asks };
}

/** Words of sbatch for the tasks of a group. */
export function arrayWord(elements: readonly Element[]): string {
  return `--array=${tasksText(elements.map(({ task }) => task))}`;
}

interface Waiting {
  readonly element: Element;
  readonly resolve: (siteJob: string) => void;
  readonly reject: (error: unknown) => void;
}

/** Submits elements of one group together; gives Slurm's id of the array. */
type SubmitTogether = (elements: readonly Element[]) => Promise<string>;

/** Submits one element as a job of its own. */
type SubmitAlone = (order: SubmitOrder) => Promise<string>;

/** Collects elements and submits them by groups. @returns the id of the job of an element */
export function arraySubmissions(
  together: SubmitTogether,
  alone: SubmitAlone,
): (element: Element) => Promise<string> {
  let waiting: Waiting[] = [];
  let newest = 0;
  let isUnderWay = false;
  const begin = async (): Promise<void> => {
    isUnderWay = true;
    while (waiting.length > 0) {
      await quiet(() => newest);
      const now = waiting;
      waiting = [];
      for (const group of groupsOf(now)) await submitGroup(group, { together, alone });
    }
    isUnderWay = false;
  };
  return (element) =>
    new Promise((resolve, reject) => {
      waiting.push({ element, resolve, reject });
      newest = performance.now();
      if (!isUnderWay) void begin();
    });
}

/** Waits until nothing came for a while. */
async function quiet(newest: () => number): Promise<void> {
  const begunAt = performance.now();
  for (;;) {
    const left = TOGETHER.quietMs - (performance.now() - newest());
    if (left <= 0 || performance.now() - begunAt >= TOGETHER.mostMs) return;
    await delay(left);
  }
}

/** Elements of one array, attempt and block that ask for the same, no task twice. */
function groupsOf(waiting: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const groups = new Map<string, Waiting[]>();
  for (const one of waiting) {
    const { group, asks, task, order } = one.element;
    const name = JSON.stringify([group, asks]);
    const length = JSON.stringify([order.command, order.environment]).length;
    for (let part = 0; ; part++) {
      const key = `${name} ${part}`;
      const there = groups.get(key) ?? [];
      const isTwice = there.some(({ element }) => element.task === task);
      if (isTwice || (there.length > 0 && (there.length + 1) * (length + 1000) > MOST_SCRIPT)) continue;
      groups.set(key, [...there, one]);
      break;
    }
  }
  return [...groups.values()];
}

async function submitGroup(
  group: readonly Waiting[],
  { together, alone }: { readonly together: SubmitTogether; readonly alone: SubmitAlone },
): Promise<void> {
  const eachAlone = (): Promise<unknown> =>
    Promise.all(group.map(({ element, resolve, reject }) => alone(element.order).then(resolve, reject)));
  if (group.length === 1) {
    await eachAlone();
    return;
  }
  try {
    const array = await together(group.map(({ element }) => element));
    for (const { element, resolve } of group) resolve(`${array}_${element.task}`);
  } catch (error) {
    // What was certainly not taken as an array may be taken one by one, or each learns why it is not.
    if (error instanceof Fault && (error.kind === "refused" || error.kind === "badInput")) await eachAlone();
    else for (const { reject } of group) reject(error);
  }
}
