/**
 * What the site and the wrapper write for each other: the order, the claim, the control lines.
 *
 * The claim says who answers for an attempt. It is made by a hard link, which the system gives to exactly
 * one of all who try, complete from its first moment: so of two wrappers one runs the job, and the site
 * can close an attempt for good against a wrapper that may still be on its way.
 * Imported by the wrapper: Node's own modules and types only.
 */
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { EndCause, JsonObject } from "../../runtime/index.ts";
import { appendJsonLine, readJsonLines } from "./json-lines.ts";
import type { AttemptPlaces } from "./places.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import { isLasting, unreadableDetail } from "./unreadable.ts";

/** `order.json`: a launch order with everything decided; lies in the directory when that appears. */
export interface JobOrder {
  readonly token: string;
  readonly command: readonly string[];
  /** Complete: the wrapper adds nothing. */
  readonly environment: Readonly<Record<string, string>>;
  /** null: without limit. */
  readonly limitMs: number | null;
  readonly graceMs: number;
  readonly inputNames: readonly string[];
  readonly stdOutput: string;
  readonly stdError: string;
  /** As in the launch order. */
  readonly kept?: JsonObject | undefined;
  /** The boot in which it was given; it is never begun in another. */
  readonly bootMark: string;
}

/** `claim.json`: who answers for the attempt, a wrapper that runs or a site that says it never will. */
export type Claim =
  | ({ readonly by: "wrapper" } & ProcessIdentity)
  | ({ readonly by: "site"; readonly cause: EndCause; readonly detail: string } & MayRun);

interface MayRun {
  /** It stands for a claim that could not be read: the job may run all the same. */
  readonly mayRun?: true;
}

/** A line of `control.jsonl`: what the wrapper is asked to do, in this order. */
export type Control =
  | { readonly verb: "cancel" | "suspend" | "resume" }
  | { readonly verb: "signal"; readonly name: NodeJS.Signals };

/** Wakes a wrapper to read its control lines. SIGUSR1 is taken by Node's debugger. */
export const WAKE_SIGNAL = "SIGUSR2";

/** Name of the variable with the job's working directory: its processes are found by it in need. */
export const DIRECTORY_VARIABLE = "STINT_DIRECTORY";

/** The order of an attempt, or undefined when there is none. */
export function readOrder({ order }: AttemptPlaces): JobOrder | undefined {
  return readJson<JobOrder>(order);
}

/** The same; one that cannot be read, now or ever, is none. */
export function readableOrder(places: AttemptPlaces): JobOrder | undefined {
  try {
    return readOrder(places);
  } catch (error) {
    if (isLasting(error)) return undefined;
    throw error;
  }
}

/**
 * Who answers for an attempt, or undefined when nobody does yet. A claim that cannot be read is taken for
 * one of the site's: nobody knows any more which process answers for the attempt, so it is lost.
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

/** Answers for the attempt from now on; false when somebody else does or the attempt is gone. */
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

/** Asks the wrapper for something; it has to be woken, too. */
export function appendControl(places: AttemptPlaces, control: Control): void {
  appendJsonLine(places.control, control, false);
}

/** Has a wrapper read what it is asked for. */
export function wakeWrapper({ pid }: ProcessIdentity): void {
  try {
    process.kill(pid, WAKE_SIGNAL);
  } catch {
    // It has just ended; the next look finds out how.
  }
}

/** All that was ever asked for, in order. */
export function readControl(places: AttemptPlaces): Control[] {
  return readJsonLines(places.control).filter((line): line is Control => "verb" in line);
}

/** Files that we write whole: what is there is what was written. */
function readJson<Content>(path: string): Content | undefined {
  try {
    const content: Content = JSON.parse(readFileSync(path, "utf8"));
    return content;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
