/**
 * Reads the rules of a priority (`stint sim --priority-config`). All problems are reported together, with
 * their positions.
 */
import { assert } from "../../base/index.ts";
import { priorityShapes } from "../../contract/files/index.ts";
import type { MauiCredential, PriorityName, PriorityRules } from "../../model/index.ts";
import { type Remark, readDocument, readWholeFile } from "../yaml/index.ts";

/** The rules, completed with what is usual; they count when there are no problems. */
export interface PriorityReading {
  readonly said: PriorityRules | undefined;
  readonly problems: readonly Remark[];
}

const FILE = { noun: "the rules of a priority", example: "{ favour: small }" } as const;

/** Reads the rules of this priority; an empty text asks for what is usual. */
export function readPriorityYaml(text: string, name: PriorityName): PriorityReading {
  switch (name) {
    case "slurm": {
      const { said, problems } = readDocument(text, priorityShapes.slurm, FILE);
      return { said: said && { kind: name, ...said }, problems: problems() };
    }
    case "maui": {
      const { said, problems } = readDocument(text, priorityShapes.maui, FILE);
      if (said === undefined) return { said: undefined, problems: problems() };
      const { users, groups, queues, ...others } = said;
      const named = { users: completed(users), groups: completed(groups), queues: completed(queues) };
      return { said: { kind: name, ...others, ...named }, problems: problems() };
    }
    case "condor": {
      const { said, problems } = readDocument(text, priorityShapes.condor, FILE);
      if (said === undefined) return { said: undefined, problems: problems() };
      const users = Object.entries(said.users).map(
        ([user, { factor = said.factor }]) => [user, { factor }] as const,
      );
      return { said: { kind: name, ...said, users: Object.fromEntries(users) }, problems: problems() };
    }
    case "age":
    case "size":
    case "length": {
      const { said, problems } = readDocument(text, priorityShapes[name], FILE);
      return { said: said && { kind: name, ...said }, problems: problems() };
    }
  }
}

/** Applies the values of `default` to each name that omits them. */
function completed<Credential extends Partial<MauiCredential>>(
  said: Readonly<Record<string, Credential>>,
): Readonly<Record<string, Credential & { readonly priority: number }>> {
  const usual = said.default;
  return Object.fromEntries(
    Object.entries(said).map(([name, own]) => [name, { priority: 0, ...usual, ...own }]),
  );
}

/**
 * The rules of this priority: those of the file, completed; without one what is usual.
 *
 * @throws Fault with everything that is wrong about the file, its first problem first
 */
export async function readPriorityFile(name: PriorityName, file?: string): Promise<PriorityRules> {
  if (file !== undefined) return readWholeFile(file, (text) => readPriorityYaml(text, name));
  const { said } = readPriorityYaml("", name);
  assert(said !== undefined, "a file that says nothing can be read");
  return said;
}
