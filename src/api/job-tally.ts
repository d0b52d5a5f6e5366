/**
 * Numbers of jobs by state, without listing all jobs each time. Active jobs are counted once, page by page,
 * on first use, and updated by the changes that the API reports. Ended jobs are counted from the first use
 * on: there may be millions of them, and a monitor needs only the rate at which they end.
 */
import { isFinal, JOB_STATES, type JobRecord, type JobState } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";

const pageSize = 1000;

/** Numbers of jobs. */
export interface JobTally {
  /** Active jobs by state. */
  readonly unfinished: ReadonlyMap<JobState, number>;
  /** Jobs that reached each final state since counting began. */
  readonly ended: ReadonlyMap<JobState, number>;
}

/** Counter of jobs; counting begins on first use. */
export function createJobTally(brokerApi: BrokerApi): () => Promise<JobTally> {
  let counting: Promise<Counting> | undefined;
  return async () => {
    counting ??= beginCounting(brokerApi).catch((error: unknown) => {
      // The next question tries again.
      counting = undefined;
      throw error;
    });
    const { stateOf, ended } = await counting;
    const unfinished = zeros((state) => !isFinal(state));
    for (const state of stateOf.values()) unfinished.set(state, (unfinished.get(state) ?? 0) + 1);
    return { unfinished, ended };
  };
}

interface Counting {
  /** Active jobs by id. */
  readonly stateOf: ReadonlyMap<string, JobState>;
  readonly ended: ReadonlyMap<JobState, number>;
}

async function beginCounting(brokerApi: BrokerApi): Promise<Counting> {
  const stateOf = new Map<string, JobState>();
  const ended = zeros(isFinal);
  // What changes while the pages are read is newer than they are.
  const changed = new Set<string>();
  let isReading = true;
  const untell = brokerApi.onJobChange(({ id, state }: JobRecord) => {
    if (isReading) changed.add(id);
    if (!isFinal(state)) {
      stateOf.set(id, state);
      return;
    }
    stateOf.delete(id);
    ended.set(state, (ended.get(state) ?? 0) + 1);
  });
  try {
    const states = JOB_STATES.filter((state) => !isFinal(state));
    let after: string | undefined;
    do {
      const page = await brokerApi.jobs({ states, limit: pageSize, ...(after !== undefined && { after }) });
      for (const { id, state } of page.items) if (!changed.has(id)) stateOf.set(id, state);
      after = page.next;
    } while (after !== undefined);
  } catch (error) {
    untell();
    throw error;
  }
  isReading = false;
  return { stateOf, ended };
}

function zeros(isWanted: (state: JobState) => boolean): Map<JobState, number> {
  return new Map(JOB_STATES.filter(isWanted).map((state) => [state, 0]));
}
