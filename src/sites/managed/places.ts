/**
 * Paths of a site's files, and the names that may become part of a path.
 *
 * `jobs/NAME/` holds an attempt, `spool/NAME.jsonl` its reports until they are acknowledged: one folder to
 * watch, and after a restart one listing of all that is unacknowledged.
 *
 * Imported by the wrapper: Node's own modules only.
 */
import { join } from "node:path";

/** Folders of a site. */
export interface SitePlaces {
  readonly jobs: string;
  readonly spool: string;
  /** Jobs in preparation: complete before they are renamed to their place. */
  readonly staging: string;
  /** Jobs in deletion. */
  readonly trash: string;
}

/** Files of one attempt. */
export interface AttemptPlaces {
  readonly directory: string;
  /** The job's private working directory. */
  readonly work: string;
  /** TMPDIR of the job: temporary files do not count as output. */
  readonly temporary: string;
  readonly order: string;
  readonly claim: string;
  readonly control: string;
  /** Log of the wrapper's own problems. */
  readonly wrapperLog: string;
  /** Reports until they are acknowledged. */
  readonly spool: string;
  /** Reports afterwards. */
  readonly archive: string;
}

const tokenShape = /^[A-Za-z0-9.-]+\/[A-Za-z0-9.-]+$/;
/** Leaves room for prefix and suffix in the 255 bytes of a file name. */
const TOKEN_LENGTH = 200;
const SPOOL_END = ".jsonl";

/** True if a token can be a file name of the site. */
export function isToken(token: string): boolean {
  return token.length <= TOKEN_LENGTH && tokenShape.test(token);
}

/** Token of a spool's file name; undefined if the name is not that of a spool. */
export function tokenOfSpool(fileName: string): string | undefined {
  if (!fileName.endsWith(SPOOL_END)) return undefined;
  const token = fileName.slice(0, -SPOOL_END.length).replace("_", "/");
  return isToken(token) ? token : undefined;
}

/** True if a name is that of an entry of a directory, without a path. */
export function isBaseName(name: string): boolean {
  const isSpecial = name === "" || name === "." || name === ".." || /[/\0]/.test(name);
  return !isSpecial && Buffer.byteLength(name) <= 255;
}

/** Folders below a site's root. */
export function sitePlaces(root: string): SitePlaces {
  return {
    jobs: join(root, "jobs"),
    spool: join(root, "spool"),
    staging: join(root, "staging"),
    trash: join(root, "trash"),
  };
}

/** Paths of an attempt, whether or not it exists. `token` must be valid (`isToken`). */
export function attemptPlaces(site: SitePlaces, token: string): AttemptPlaces {
  const name = token.replace("/", "_");
  return placesIn(join(site.jobs, name), join(site.spool, name + SPOOL_END));
}

/** Paths of a job in any directory, such as the draft in which it is prepared. */
export function placesIn(directory: string, spool: string): AttemptPlaces {
  return {
    directory,
    work: join(directory, "work"),
    temporary: join(directory, "tmp"),
    order: join(directory, "order.json"),
    claim: join(directory, "claim.json"),
    control: join(directory, "control.jsonl"),
    wrapperLog: join(directory, "wrapper.log"),
    spool,
    archive: join(directory, `reports${SPOOL_END}`),
  };
}
