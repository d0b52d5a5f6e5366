/** Questions about the states of jobs, for the API. */
import type { JobRecord } from "../../model/index.ts";
import type { BrokerApi } from "../../runtime/index.ts";
import { bytesOfState, filesOfState, type StatesWorld, statesOf } from "./saved-states.ts";

/** Answers about what jobs saved at their sites. */
export function stateQuestions({
  find,
  ...world
}: StatesWorld & { readonly find: (id: string) => Promise<JobRecord | undefined> }) {
  return {
    async savedStates(id) {
      const job = await find(id);
      return job === undefined ? undefined : statesOf(world, job);
    },
    async savedState(id, name) {
      const job = await find(id);
      const states = job === undefined ? [] : await statesOf(world, job);
      const state = states.find((one) => one.name === name);
      if (job === undefined || state === undefined) return undefined;
      const files = await filesOfState(world, job, state);
      if (files === undefined) return undefined;
      return {
        ...{ state, files },
        async *bytesOf(path, fromByte) {
          const file = files.find((one) => one.path === path);
          if (file !== undefined) yield* bytesOfState(world, job, state, { ...file, fromByte });
        },
      };
    },
  } satisfies Partial<BrokerApi>;
}
