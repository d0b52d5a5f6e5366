/**
 * Owners: consumer paths by users and groups of an accounting.
 *
 *     users: { 12: cms/higgs/alice }     a user's own path
 *     groups: { 3: cms }                 of everybody else in it: cms/u12
 *     others: guests                     of everybody else: guests/u12
 */
import { ownersShape } from "../../contract/files/index.ts";
import { type Remark, readBounded, readDocument, remarkFault, textOfBytes } from "../yaml/index.ts";

/** By user and group as the accounting writes them. */
export interface Owners {
  readonly users: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, string>;
  /** Path for all other users; null: the default of the accounting. */
  readonly others: string | null;
}

export const NO_OWNERS: Owners = { users: new Map(), groups: new Map(), others: null };

/** Owner of a job by the accounting; null without such a field. */
export interface AccountedOwner {
  readonly user: string | null;
  readonly group: string | null;
}

const EXAMPLE = "{ users: { 12: cms/higgs/alice }, groups: { 3: cms }, others: guests }";

/** Reads the text of a mapping. */
export function readOwners(text: string): { readonly owners: Owners; readonly problems: readonly Remark[] } {
  const rules = { noun: "a mapping of owners", example: EXAMPLE, ifEmpty: nothingThere };
  const { said, problems } = readDocument(text, ownersShape, rules);
  const { users = {}, groups = {}, others = null } = said ?? {};
  const owners = { users: new Map(Object.entries(users)), groups: new Map(Object.entries(groups)), others };
  return { owners, problems: problems() };
}

/**
 * The mapping in a file.
 *
 * @throws AggregateError of Faults with everything that is wrong about it
 */
export async function readOwnersFile(file: string): Promise<Owners> {
  const bytes = await readBounded(file);
  const text = bytes.ok ? textOfBytes(bytes.value) : bytes;
  const { owners, problems } = text.ok
    ? readOwners(text.value)
    : { owners: NO_OWNERS, problems: [text.refusal] };
  if (problems.length === 0) return owners;
  throw new AggregateError(
    problems.map((problem) => remarkFault(file, problem)),
    "the owners are not in order",
  );
}

/** Consumer path of an owner; `usual` is the default of an unmapped one. */
export function consumerOf(
  { users, groups, others }: Owners,
  { user, group }: AccountedOwner,
  usual: (owner: AccountedOwner) => string,
): string {
  const own = user === null ? undefined : users.get(user);
  if (own !== undefined) return own;
  const above = (group === null ? undefined : groups.get(group)) ?? others;
  return above === null || above === undefined ? usual({ user, group }) : `${above}/${userName(user)}`;
}

/** `u12` of a number; a name as it is, but for letters that paths do not have. */
export function userName(user: string | null): string {
  if (user === null) return "unknown";
  return /^\d+$/.test(user) ? `u${user}` : pathName(user);
}

/** Default path where accounts have names: the user below the account. */
export function accountPath({ user, group }: AccountedOwner): string {
  return group === null ? userName(user) : `${pathName(group)}/${userName(user)}`;
}

/** A text as one name of a path. */
function pathName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_.@+-]/g, "_").slice(0, 60);
  return /^[A-Za-z0-9_]/.test(name) ? name : `_${name}`;
}

const nothingThere = {
  code: "nothingThere",
  what: "it is empty",
  why: "the mapping assigns users and groups to consumers",
  remedy: `write for instance ${EXAMPLE}`,
};
