/**
 * A description while it is being read: what each attribute adds to it, and what is needed to judge one.
 */
import type { JobDescription } from "../../model/index.ts";
import type { FileState, NamedValue } from "../yaml/index.ts";

/** What is said so far. */
export type Draft = { -readonly [Name in keyof JobDescription]?: JobDescription[Name] };

/** The world around a description. */
export interface Surroundings {
  /** Where relative paths begin: the folder of the description. */
  readonly folder: string;
  /** What is there under a path (as this process sees it). */
  readonly fileState: (path: string) => FileState;
}

/** One attribute's value, with its name and what is needed to judge it. */
export interface Given extends NamedValue {
  readonly draft: Draft;
  readonly surroundings: Surroundings;
}
