/**
 * What a job's record says, as an order to a site.
 */
import { assert } from "../base/index.ts";
import type { SiteState } from "../engine/index.ts";
import { attemptToken, type JobRecord } from "../model/index.ts";
import { asJson, type LaunchOrder, type SiteReport } from "../runtime/index.ts";
import { pilotCommand } from "./pilot-command.ts";
import type { Sandboxes } from "./sandbox.ts";

/** The time limit of a job at its site. */
export function limitOf({ description, site }: JobRecord, sites: ReadonlyMap<string, SiteState>): number {
  const spec = sites.get(site ?? "")?.spec;
  assert(spec !== undefined, "a job that starts is at a site that is known");
  return description.wallTimeMs ?? spec.defaultWallTimeMs;
}

/** The order that carries out the present attempt of a job. */
export function orderOf(
  { id, attempt, description, owner, consumer }: JobRecord,
  limitMs: number,
  sandboxes: Sandboxes,
): LaunchOrder {
  const { executable, arguments: words, environment, stdOutput, stdError, virtual } = description;
  return {
    token: attemptToken(id, attempt),
    command: virtual === undefined ? [executable, ...words] : pilotCommand(description, virtual),
    environment,
    limitMs,
    inputFiles: sandboxes.filesOf(id, description.inputSandbox),
    stdOutput,
    stdError,
    kept: asJson({ owner, consumer, description }),
  };
}

/** The report of an attempt that came to nothing, now. */
export function cameToNothing(
  job: JobRecord,
  cause: "launchFailed" | "cancelled",
  detail: string | undefined,
): SiteReport & { readonly kind: "ended" } {
  return {
    kind: "ended",
    token: attemptToken(job.id, job.attempt),
    atMs: Number.MAX_SAFE_INTEGER,
    cause,
    exitCode: undefined,
    signal: undefined,
    cpuMs: undefined,
    detail,
  };
}

/** The words of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
