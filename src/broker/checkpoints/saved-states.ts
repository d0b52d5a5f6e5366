/**
 * The states of a job at its sites: listed, read, and carried to its next attempt or to another job (rules
 * BR-211, BR-212).
 *
 * Nothing of this is recorded in the log: what a job saved is what its files at the site say.
 */
import { Fault, messageOf } from "../../base/index.ts";
import { attemptToken, hasCheckpoints, type JobRecord, type SavedState } from "../../model/index.ts";
import type { SiteFiles } from "../../runtime/index.ts";
import type { Sites } from "../sites.ts";
import type { Transfers } from "../transfers.ts";
import type { GivenStates, StateContent } from "./given-states.ts";
import { USUALLY_KEPT } from "./layout.ts";
import { filesIn, type IndexedState, pathIn, type StateFile, savedIn } from "./read-states.ts";

/** Dependencies for finding and reading the checkpoints of jobs. */
export interface StatesWorld {
  readonly sites: Pick<Sites, "get">;
  readonly transfers: Pick<Transfers, "pass">;
}

/** A state, and where it is. */
export interface FoundState extends SavedState {
  readonly number: number;
  readonly site: string;
}

const PIECE_BYTES = 1024 * 1024;

/** States of a job, newest first, as many as it keeps; of each name the newest. */
export async function statesOf(world: StatesWorld, job: JobRecord): Promise<readonly FoundState[]> {
  const most = job.description.checkpointsKept ?? USUALLY_KEPT;
  const found = new Map<string, FoundState>();
  for (const attempt of [job.attempt, job.ranBefore?.attempt ?? 0]) {
    for (const state of (await savedBy(world, job, attempt)).toReversed()) {
      if (found.size < most && !found.has(state.name)) found.set(state.name, state);
    }
  }
  return [...found.values()];
}

/** States that an attempt saved, oldest first. */
async function savedBy(world: StatesWorld, job: JobRecord, attempt: number): Promise<readonly FoundState[]> {
  const at = placeOf(world, job, attempt);
  if (at === undefined) return [];
  const states = await savedIn(at.files, at.token);
  return states.map((state: IndexedState) => ({ ...state, attempt, site: at.site }));
}

interface AttemptPlace {
  readonly site: string;
  readonly files: SiteFiles;
  readonly token: string;
}

/** The files of an attempt; undefined for one without a site that is open. */
function placeOf(
  { sites }: Pick<StatesWorld, "sites">,
  { id, attempt: present, site: now, ranBefore }: JobRecord,
  attempt: number,
): AttemptPlace | undefined {
  const before = attempt === ranBefore?.attempt ? ranBefore.site : null;
  const site = attempt === present && attempt > 0 ? now : before;
  const files = site === null ? undefined : sites.get(site)?.files;
  return site === null || files === undefined ? undefined : { site, files, token: attemptToken(id, attempt) };
}

/** Files of a state; undefined where it is there no more. */
export async function filesOfState(
  world: StatesWorld,
  job: JobRecord,
  { attempt, number }: FoundState,
): Promise<readonly StateFile[] | undefined> {
  const at = placeOf(world, job, attempt);
  return at === undefined ? undefined : filesIn(at.files, at.token, number);
}

/** Bytes of a file of a state, at the rates of its site's links. @throws Fault `checkpointGone` */
export async function* bytesOfState(
  world: StatesWorld,
  job: JobRecord,
  state: FoundState,
  { path, sizeBytes, fromByte = 0 }: StateFile & { readonly fromByte?: number },
): AsyncGenerator<Uint8Array> {
  const { site, consumer, description } = { ...job, site: state.site };
  const at = placeOf(world, job, state.attempt);
  let read = fromByte;
  while (read < sizeBytes) {
    const mostBytes = Math.min(PIECE_BYTES, sizeBytes - read);
    const request = { site, consumer, reservation: description.reservation, mostBytes };
    const mayBytes = await world.transfers.pass(request);
    const part = await at?.files.readFile(at.token, pathIn(state.number, path), read, mayBytes);
    if (part === undefined || part.bytes.length === 0) throw gone(job.id, state.name);
    read += part.bytes.length;
    yield part.bytes;
  }
}

/** The whole content of a state. @throws Fault `checkpointGone` */
export async function contentOf(
  world: StatesWorld,
  job: JobRecord,
  state: FoundState,
): Promise<StateContent> {
  const files = await filesOfState(world, job, state);
  if (files === undefined) throw gone(job.id, state.name);
  const bytes = (file: StateFile) => () => bytesOfState(world, job, state, file);
  return { name: state.name, files: files.map((file) => ({ path: file.path, bytes: bytes(file) })) };
}

function gone(job: string, name: string): Fault {
  return new Fault({
    kind: "notFound",
    code: "checkpointGone",
    what: `the state ${name} of job ${job} no longer exists`,
    why: "the job has saved newer states since, or its files were removed",
    remedy: `\`stint checkpoint list ${job}\` shows what there is`,
  });
}

/** World of carrying a state to an attempt. */
export interface CarryWorld extends StatesWorld {
  readonly given: GivenStates;
  readonly warn: (message: string) => void;
}

/**
 * Keeps the last state of a job for its present attempt. Where its site does not give it, the attempt begins
 * from the one before, and the log of the service says so.
 *
 * @throws Fault `nothingSaved` where the last attempt asked for this one and had saved nothing
 */
export async function carryState(world: CarryWorld, job: JobRecord): Promise<void> {
  const { given, warn } = world;
  const { id, attempt, description, ranBefore } = job;
  if (!hasCheckpoints(description) || ranBefore === undefined) return;
  if (given.newest(id, attempt) === attempt) return;
  try {
    const state = (await savedBy(world, job, ranBefore.attempt)).at(-1);
    if (state !== undefined) return await given.keep(id, attempt, await contentOf(world, job, state));
  } catch (error) {
    warn(`job ${id}: the state of its attempt ${ranBefore.attempt} cannot be read: ${messageOf(error)}`);
    return;
  }
  if (ranBefore.hasAsked === true) throw nothingSaved(job, ranBefore.attempt);
}

function nothingSaved({ description }: JobRecord, attempt: number): Fault {
  return new Fault({
    kind: "refused",
    code: "nothingSaved",
    what: `attempt ${attempt} requested another attempt without having saved a state`,
    why: `it ended with exit code ${description.checkpointExitCode}; the next would do the same`,
    remedy: "save a state with stint-ckpt save before ending with this code",
  });
}
