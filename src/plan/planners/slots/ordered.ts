/**
 * Searching the order of tasks together with the slots: three bits for each task shift its rank.
 *
 * HEFT's order is one of many; a task whose rank is raised or lowered by up to two fifths comes earlier or
 * later, parents still before children, and larger priorities before smaller ones. The neutral bits are
 * HEFT's order.
 */

import { upwardRanks } from "../ranks.ts";
import { createListMaker, listByKeys, prioritiesOf } from "../search/lists.ts";
import { createPasses, type Passes } from "../search/passes.ts";
import { type Evaluation, evaluate } from "./evaluation.ts";
import type { Strings } from "./evolution.ts";

const BITS = 3;
const NEUTRAL = 3;
const STEP = 0.1;

/** Strings over an evaluation, whose order they set. */
export function orderedStrings(evaluation: Evaluation): Strings {
  const { instance, bitCount, order } = evaluation;
  const { forward, backward }: Passes = createPasses(instance);
  const lists = createListMaker(instance.taskCount, prioritiesOf(instance.workflow));
  const { scaled } = upwardRanks(instance);
  const keys = new Float64Array(instance.taskCount);
  return {
    slotCount: bitCount,
    neutral: (slots) => {
      const bits = new Uint8Array(bitCount + BITS * instance.taskCount);
      bits.set(slots);
      for (let task = 0; task < instance.taskCount; task++) {
        for (let bit = 0; bit < BITS; bit++) bits[bitCount + BITS * task + bit] = (NEUTRAL >> bit) & 1;
      }
      return bits;
    },
    judge: (bits) => {
      for (let task = 0; task < instance.taskCount; task++) {
        let shift = -NEUTRAL;
        for (let bit = 0; bit < BITS; bit++) shift += bits[bitCount + BITS * task + bit] << bit;
        keys[task] = -scaled[task] * (1 + STEP * shift);
      }
      order.set(listByKeys(lists, forward, backward, keys));
      return evaluate(evaluation, bits);
    },
  };
}
