/** What is submitted in a torture run: single jobs, arrays, and DAGs, whose jobs write to the ledger. */
import type { StintClient } from "../src/api/client/index.ts";
import { drawFraction, drawInteger, type Random } from "../src/base/index.ts";
import type { World } from "./world.ts";

/** A job of a run. */
export interface AcceptedJob {
  readonly id: string;
  /** Numbers of the jobs that must have ended before it starts. */
  readonly after: readonly number[];
  /** DAG of which it is a node. */
  readonly dag?: string;
}

/** A batch, which may be submitted again under the same key. */
export interface Batch {
  readonly size: number;
  submit(client: StintClient, idempotencyKey: string): Promise<readonly AcceptedJob[]>;
}

/** Writes a line at the start, and one at the end up to two seconds later. */
const PROGRAM =
  'n=$(($1 + ${STINT_ARRAY_INDEX:-0})); echo "start $n" >> "$2"; sleep "$3"; echo "end $n" >> "$2"';

/** Draws a batch whose jobs have numbers from `first`: jobs, an array, or a DAG of layers. */
export function drawBatch(world: World, chance: Random, first: number): Batch {
  const size = drawInteger(chance, 1, 6);
  const jobs = Array.from({ length: size }, (_, at) => describe(world, chance, first + at));
  const kind = drawFraction(chance);
  if (kind < 0.5) return { size, submit: (client, key) => submitJobs(client, jobs, key) };
  const [one = describe(world, chance, first)] = jobs;
  if (kind < 0.75) return { size, submit: (client, key) => submitArray(client, { ...one, size }, key) };
  const parents = jobs.map((_, at) => (at === 0 ? [] : [drawInteger(chance, 0, at - 1)]));
  const nodes = jobs.map((description, at) => ({
    ...{ name: `n${at}`, description },
    parents: (parents[at] ?? []).map((parent) => `n${parent}`),
  }));
  return {
    size,
    async submit(client, idempotencyKey) {
      const dag = await client.submitDag({ nodes }, { idempotencyKey });
      return parents.map((before, at) => ({
        ...{ id: `${dag}-${at}`, dag },
        after: before.map((parent) => first + parent),
      }));
    },
  };
}

function describe(world: World, chance: Random, number: number) {
  const seconds = String(drawInteger(chance, 0, 20) / 10);
  return {
    executable: "/bin/sh",
    arguments: ["-c", PROGRAM, "sh", String(number), world.ledger, seconds],
    procs: drawInteger(chance, 1, 4),
    site: world.sites[drawInteger(chance, 0, world.sites.length - 1)],
  };
}

type Described = ReturnType<typeof describe>;

async function submitJobs(client: StintClient, jobs: readonly Described[], idempotencyKey: string) {
  const ids = await client.submit(jobs, { idempotencyKey });
  return ids.map((id) => ({ id, after: [] }));
}

async function submitArray(
  client: StintClient,
  { size, ...job }: Described & { readonly size: number },
  idempotencyKey: string,
) {
  const [id = ""] = await client.submit([{ ...job, array: `0-${size - 1}` }], { idempotencyKey });
  return Array.from({ length: size }, (_, index) => ({ id: `${id}-${index}`, after: [] }));
}
