/**
 * Takes an attempt into the site: completely or not at all, and only once.
 *
 * The directory is prepared elsewhere, order and input files included, and renamed to its place. The system
 * refuses a rename onto a non-empty directory, so exactly one process succeeds, and a directory with the
 * attempt's name is always complete.
 */
import { randomBytes } from "node:crypto";
import { chmod, copyFile, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { InputFile, LaunchOrder } from "../../runtime/index.ts";
import { type Claim, DIRECTORY_VARIABLE, type JobOrder } from "./job-files.ts";
import { type AttemptPlaces, placesIn, type SitePlaces } from "./places.ts";
import { bootMark } from "./process-identity.ts";

/** Additions of the site to an order. */
export interface PreparationOptions {
  readonly site: SitePlaces;
  /** Base environment, which the order's is added to. */
  readonly environment: Readonly<Record<string, string>>;
  readonly graceMs: number;
}

/** Takes in `order` under `target`; false if the attempt exists already. */
export async function takeIn(
  order: LaunchOrder,
  target: AttemptPlaces,
  options: PreparationOptions,
): Promise<boolean> {
  return appear(target, options.site, async (draft) => {
    await Promise.all([mkdir(draft.work, { mode: 0o700 }), mkdir(draft.temporary, { mode: 0o700 })]);
    const failure = await copyInputs(order.inputFiles, draft.work);
    await writeFile(draft.order, JSON.stringify(jobOrder(order, target, options)), { mode: 0o600 });
    if (failure !== undefined) await refuse(draft, { by: "site", cause: "launchFailed", detail: failure });
  });
}

/** Takes in an unknown attempt as lost: a later launch never begins it. */
export async function takeInAsLost(target: AttemptPlaces, site: SitePlaces): Promise<boolean> {
  const detail = "The site has no trace of this attempt: it was not begun, and will not be.";
  return appear(target, site, async (draft) => {
    await mkdir(draft.work, { mode: 0o700 });
    await refuse(draft, { by: "site", cause: "lost", detail });
  });
}

async function appear(
  target: AttemptPlaces,
  site: SitePlaces,
  fill: (draft: AttemptPlaces) => Promise<void>,
): Promise<boolean> {
  const aside = join(site.staging, `${process.pid}.${randomBytes(8).toString("hex")}`);
  try {
    await mkdir(aside, { mode: 0o700 });
    await fill(placesIn(aside, target.spool));
    await rename(aside, target.directory);
    return true;
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}

/** Writes a claim into a draft, which no other process can have claimed. */
async function refuse(draft: AttemptPlaces, claim: Claim): Promise<void> {
  await writeFile(draft.claim, JSON.stringify(claim), { mode: 0o600 });
}

/** Reason why an input file cannot be copied, in one sentence; shortages such as a full disk are thrown. */
async function copyInputs(files: readonly InputFile[], work: string): Promise<string | undefined> {
  for (const { name, source } of files) {
    const failure = await unreadable(source);
    if (failure !== undefined) return `The input file ${JSON.stringify(name)} ${failure}.`;
    const copy = join(work, name);
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    await copyFile(source, copy);
    const { mode } = await stat(copy);
    await chmod(copy, (mode & 0o777) | 0o600);
  }
  return undefined;
}

async function unreadable(source: string): Promise<string | undefined> {
  try {
    const found = await stat(source);
    return found.isFile() ? undefined : `is not a file (${source})`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    return `could not be read from ${source} (${code})`;
  }
}

function jobOrder(order: LaunchOrder, target: AttemptPlaces, options: PreparationOptions): JobOrder {
  const { token, command, environment, limitMs, inputFiles, stdOutput, stdError, kept } = order;
  const { stdInput, workingDirectory } = order;
  return {
    token,
    command,
    environment: {
      ...options.environment,
      TMPDIR: target.temporary,
      PWD: workingDirectory ?? target.work,
      ...environment,
      STINT_JOB: token,
      [DIRECTORY_VARIABLE]: target.work,
    },
    limitMs: Number.isFinite(limitMs) ? limitMs : null,
    graceMs: options.graceMs,
    inputNames: inputFiles.map(({ name }) => name),
    ...(stdInput !== undefined && { stdInput }),
    ...(workingDirectory !== undefined && { workingDirectory }),
    stdOutput,
    stdError,
    ...(kept !== undefined && { kept }),
    bootMark: bootMark(),
  };
}
