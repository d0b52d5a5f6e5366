/** A job that begins from a state of another one: copied before the job is accepted (rule BR-212). */
import type { JobDescription, JobRecord, Refusal } from "../../model/index.ts";
import type { GivenStates } from "./given-states.ts";
import { contentOf, type StatesWorld, statesOf } from "./saved-states.ts";

/** Dependencies for copying checkpoints of other jobs. */
export interface BeginWorld extends StatesWorld {
  readonly find: (id: string) => Promise<JobRecord | undefined>;
  readonly sandboxes: { readonly given: GivenStates };
}

/** Copies the state that a description names, for the job of an id; a refusal where there is none. */
export async function copyState(
  world: BeginWorld,
  id: string,
  { description, owner }: { readonly description: JobDescription; readonly owner: string },
): Promise<Refusal | undefined> {
  if (description.fromCheckpoint === undefined) return undefined;
  const [source = "", name = ""] = description.fromCheckpoint.split(":");
  const job = await world.find(source);
  // Whose jobs there are is nobody else's business.
  if (job === undefined || job.owner !== owner) return { kind: "noCheckpointJob", job: source };
  const states = await statesOf(world, job);
  const state = states.find((one) => one.name === name);
  const names = states.map((one) => one.name);
  if (state === undefined) return { kind: "noCheckpoint", job: source, name, names };
  await world.sandboxes.given.keep(id, 0, await contentOf(world, job, state));
  return undefined;
}
