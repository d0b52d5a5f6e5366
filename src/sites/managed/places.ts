/**
 * Where everything of a site lies, and which names may become part of a path.
 *
 * `jobs/NAME/` is the claim on an attempt, `spool/NAME.jsonl` its reports until they are acknowledged:
 * one folder to watch, and after a restart one listing of all that is still to be told.
 * Imported by the wrapper: Node's own modules only.
 */
import { join } from "node:path";

/** The folders of a site. */
export interface SitePlaces {
  readonly jobs: string;
  readonly spool: string;
  /** Jobs on their way in: complete before they are renamed to their place. */
  readonly staging: string;
  /** Jobs on their way out. */
  readonly trash: string;
}

/** The files of one attempt. */
export interface AttemptPlaces {
  readonly directory: string;
  /** The job's private working directory. */
  readonly work: string;
  /** Its TMPDIR, so that temporary files are not taken for output. */
  readonly temporary: string;
  readonly order: string;
  readonly claim: string;
  readonly control: string;
  /** What the wrapper itself has to complain about. */
  readonly wrapperLog: string;
  /** Its reports as long as they are not acknowledged. */
  readonly spool: string;
  /** Its reports afterwards. */
  readonly archive: string;
}

const tokenShape = /^[A-Za-z0-9.-]+\/[A-Za-z0-9.-]+$/;
/** Leaves room for what is put before and behind it in the 255 bytes of a file name. */
const TOKEN_LENGTH = 200;
const SPOOL_END = ".jsonl";

/** Whether a token is one that can be a file name here. */
export function isToken(token: string): boolean {
  return token.length <= TOKEN_LENGTH && tokenShape.test(token);
}

/** The token whose spool has this name; undefined for what is no spool. */
export function tokenOfSpool(fileName: string): string | undefined {
  if (!fileName.endsWith(SPOOL_END)) return undefined;
  const token = fileName.slice(0, -SPOOL_END.length).replace("_", "/");
  return isToken(token) ? token : undefined;
}

/** Whether a name is that of something directly in a directory, and of nothing else. */
export function isBaseName(name: string): boolean {
  const isSpecial = name === "" || name === "." || name === ".." || /[/\0]/.test(name);
  return !isSpecial && Buffer.byteLength(name) <= 255;
}

/** The folders below a site's root. */
export function sitePlaces(root: string): SitePlaces {
  return {
    jobs: join(root, "jobs"),
    spool: join(root, "spool"),
    staging: join(root, "staging"),
    trash: join(root, "trash"),
  };
}

/** Where an attempt's files are, or would be. `token` is one. */
export function attemptPlaces(site: SitePlaces, token: string): AttemptPlaces {
  const name = token.replace("/", "_");
  return placesIn(join(site.jobs, name), join(site.spool, name + SPOOL_END));
}

/** The places of a job in any directory, such as the one it is prepared in. */
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
