/**
 * Files that the site and the wrapper exchange: the order, the claim, the control lines.
 *
 * The claim names the owner of an attempt. It is made by a hard link, which succeeds for exactly one
 * process and is complete from the start. So one of two wrappers runs the job, and the site can close an
 * attempt for good against a wrapper that is still starting.
 *
 * Imported by the wrapper: Node's own modules and types only.
 */
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { EndCause, JsonObject } from "../../runtime/index.ts";
import { appendJsonLine, readJsonLines } from "./json-lines.ts";
import type { AttemptPlaces } from "./places.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import { isLasting, unreadableDetail } from "./unreadable.ts";

/**
 * Content of `order.json`: a launch order with all defaults filled in; written before the directory
 * appears.
 */
export interface JobOrder {
  readonly token: string;
  readonly command: readonly string[];
  /** Complete environment: the wrapper adds nothing. */
  readonly environment: Readonly<Record<string, string>>;
  /** Time limit in ms; null: none. */
  readonly limitMs: number | null;
  readonly graceMs: number;
  readonly inputNames: readonly string[];
  /** Input file that is the standard input; absent: /dev/null. */
  readonly stdInput?: string | undefined;
  /** Directory in which the program runs; absent: the job's own. */
  readonly workingDirectory?: string | undefined;
  readonly stdOutput: string;
  readonly stdError: string;
  /** Data attached by the broker, as in the launch order. */
  readonly kept?: JsonObject | undefined;
  /** Boot in which the order was given; the attempt never begins in another. */
  readonly bootMark: string;
}

/**
 * Content of `claim.json`: the owner of the attempt, either a running wrapper or the site, which never
 * begins it.
 */
export type Claim =
  | ({ readonly by: "wrapper" } & ProcessIdentity)
  | ({ readonly by: "site"; readonly cause: EndCause; readonly detail: string } & MayRun);

interface MayRun {
  /** Set for a claim that could not be read: the job may be running. */
  readonly mayRun?: true;
}

/** One line of `control.jsonl`: a request to the wrapper. Requests are carried out in order. */
export type Control =
  | { readonly verb: "cancel" | "suspend" | "resume" }
  | { readonly verb: "signal"; readonly name: NodeJS.Signals };

/** Signal that makes a wrapper read its control lines. SIGUSR1 is taken by Node's debugger. */
export const WAKE_SIGNAL = "SIGUSR2";

/** Name of the variable with the job's working directory, by which orphaned processes are found. */
export const DIRECTORY_VARIABLE = "STINT_DIRECTORY";

/** The order of an attempt, or undefined when there is none. */
export function readOrder({ order }: AttemptPlaces): JobOrder | undefined {
  return readJson<JobOrder>(order);
}

/** Order of an attempt, or undefined if there is none or it cannot be read. */
export function readableOrder(places: AttemptPlaces): JobOrder | undefined {
  try {
    return readOrder(places);
  } catch (error) {
    if (isLasting(error)) return undefined;
    throw error;
  }
}

/**
 * Claim of an attempt, or undefined while there is none. An unreadable claim counts as the site's: the
 * owner is unknown, so the attempt is lost.
 */
export function readClaim({ claim }: AttemptPlaces): Claim | undefined {
  try {
    const read = readJson<Claim | null>(claim);
    if (read === undefined || isClaim(read)) return read;
    throw new Error("it is no claim");
  } catch (error) {
    if (!isLasting(error)) throw error;
    const detail = unreadableDetail("its claim", claim, error);
    return { by: "site", cause: "lost", detail, mayRun: true };
  }
}

function isClaim(read: Claim | null): read is Claim {
  if (read?.by === "wrapper") return Number.isSafeInteger(read.pid) && typeof read.mark === "string";
  return read?.by === "site" && typeof read.cause === "string";
}

/** Claims the attempt; false if another process has claimed it or its directory is gone. */
export function claimAttempt(places: AttemptPlaces, claim: Claim): boolean {
  const draft = `${places.claim}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(draft, JSON.stringify(claim), { flag: "wx", mode: 0o600 });
    linkSync(draft, places.claim);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EEXIST" || code === "ENOENT") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Appends a request for the wrapper, which must also be woken (`wakeWrapper`). */
export function appendControl(places: AttemptPlaces, control: Control): void {
  appendJsonLine(places.control, control, false);
}

/** Signals a wrapper to read its control lines. */
export function wakeWrapper({ pid }: ProcessIdentity): void {
  try {
    process.kill(pid, WAKE_SIGNAL);
  } catch {
    // It has just ended; the next look finds out how.
  }
}

/** All requests so far, in order. */
export function readControl(places: AttemptPlaces): Control[] {
  return readJsonLines(places.control).filter((line): line is Control => "verb" in line);
}

/** Content of a file that is always written whole; undefined if there is none. */
function readJson<Content>(path: string): Content | undefined {
  try {
    const content: Content = JSON.parse(readFileSync(path, "utf8"));
    return content;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
