/**
 * Reads a mapping of known words into a record of what they say.
 */
import { type NamedValue, readEntries, type Words } from "../yaml/index.ts";

/** Who reads the value of each word. */
export type Readers<Said> = {
  readonly [Word in keyof Said]-?: (named: NamedValue) => Said[Word] | undefined;
};

/** How a mapping is asked for; `refuse` has the words for one that belongs elsewhere. */
export interface Asking {
  readonly example: string;
  readonly refuse?: (word: string) => Words | undefined;
}

/** What is said and understood; undefined, with a problem, where the value is no mapping. */
export function readRecord<Said extends object>(
  named: NamedValue,
  readers: Readers<Said>,
  asking: Asking,
): Partial<Said> | undefined {
  const said: Partial<Said> = {};
  const into = <Word extends keyof Said>(word: Word, it: NamedValue): void => {
    const value = readers[word](it);
    if (value !== undefined) said[word] = value;
  };
  const words = new Map(
    Object.keys(readers).map((word) => [word, (it: NamedValue) => into(word as keyof Said, it)]),
  );
  return readEntries(named, { words, ...asking }) ? said : undefined;
}
