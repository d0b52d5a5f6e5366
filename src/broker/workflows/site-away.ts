/** True if a failure was caused by a site that is unreachable and may become reachable again. */
import { Fault } from "../../base/index.ts";
import type { Projection } from "../../engine/index.ts";

/** True for a failure at a known site that does not answer. A removed site does not come back. */
export function isAway({ sites }: Pick<Projection, "sites">, site: string, error: unknown): boolean {
  const trouble = sites.get(site)?.observation.trouble;
  if (trouble === undefined) return false;
  return trouble !== null || isUnreachable(error);
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof Fault) return error.kind === "unreachable";
  return error instanceof Error && error.cause !== undefined && isUnreachable(error.cause);
}
