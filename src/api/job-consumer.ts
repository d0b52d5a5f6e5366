/** Consumer of a job: the caller's consumer path, or a narrower one. */
import { isWithin } from "../model/index.ts";
import { ProblemError } from "./problem.ts";

/**
 * Consumer of a job that names a virtual organisation: the named path where it is below the caller's, the
 * caller's where that is below the named one, or none is named. @throws ProblemError `notYourOrganisation`
 */
export function consumerOf(path: string, named: string | undefined): string {
  if (named === undefined || isWithin(path, named)) return path;
  if (isWithin(named, path)) return named;
  throw new ProblemError({
    status: 403,
    code: "notYourOrganisation",
    what: `the job cannot be of ${named}`,
    why: `it would be submitted for ${path}, and ${named} is neither below that nor above it`,
    remedy: `name ${path}, something below it, or nothing; an admin may submit for others with --for`,
    facts: { virtualOrganisation: named, consumer: path, pointer: "/virtualOrganisation" },
  });
}
