/**
 * One command for what several ask at the same time.
 *
 * Every command is a process here and a visit to the controller (or a login node) there, and for one job it
 * takes as long as for eight. Who comes first is served at once; who comes soon after shares the next
 * command with the others that came. A command that fails for several is given for each of them
 * alone, so that each learns what became of its own, unless it is the way there that is broken.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/index.ts";

/** Does something for one item, in company where there is some. */
export type Batched<Item, Answer> = (item: Item) => Promise<Answer>;

interface Asked<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Failures that every one of them would meet again. */
const OF_THE_WAY: ReadonlySet<string> = new Set([
  "siteUnreachable",
  "siteHung",
  "siteCredentials",
  "siteCommandMissing",
]);

/** How many at once, and how long after one command the next begins. */
export interface Company {
  readonly most: number;
  readonly pauseMs: number;
}

/**
 * What does `deed` for those who ask; its answers are in the order of the items. Doing it twice for an item
 * has to be the same as once.
 */
export function together<Item, Answer>(
  { most, pauseMs }: Company,
  deed: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Batched<Item, Answer> {
  let waiting: Asked<Item, Answer>[] = [];
  let isUnderWay = false;
  const begin = async (): Promise<void> => {
    isUnderWay = true;
    while (waiting.length > 0) {
      const now = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await doneForAll(now, deed);
      await delay(pauseMs);
    }
    isUnderWay = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isUnderWay) void begin();
    });
}

async function doneForAll<Item, Answer>(
  asked: readonly Asked<Item, Answer>[],
  deed: (items: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<void> {
  try {
    const answers = await deed(asked.map(({ item }) => item));
    asked.forEach(({ resolve }, at) => {
      resolve(answers[at]);
    });
  } catch (error) {
    if (asked.length === 1 || (error instanceof Fault && OF_THE_WAY.has(error.code))) {
      for (const { reject } of asked) reject(error);
    } else await Promise.all(asked.map((one) => doneForAll([one], deed)));
  }
}
