/**
 * The policies of a simulation, from their files: of one site, and who owns the jobs of the trace.
 */
import { Fault } from "../../base/index.ts";
import {
  accountPath,
  consumerOf,
  NO_OWNERS,
  type Owners,
  readOwnersFile,
  userName,
} from "../../formats/evidence/index.ts";
import {
  type PolicyReading,
  policiesAt,
  readPolicies,
  readPolicyFiles,
} from "../../formats/policy-file/index.ts";
import { readBounded, remarkFault, textOfBytes } from "../../formats/yaml/index.ts";
import { isHandedOn, type Policy, type SimulatedPolicies } from "../../model/index.ts";
import type { TracePolicies } from "./trace-policies.ts";

/**
 * Reads the policies in force at an instant; of several sites, those of the requested one.
 *
 * @throws AggregateError of Faults with everything that is wrong about the files; Fault `policiesOfSites`
 *   where they are not of one site
 */
export async function readTracePolicies(
  { files, tuples = [], owners: ownersFile, form, site }: PoliciesToRead,
  atMs: number,
): Promise<TracePolicies> {
  const owners = await ownersOf(ownersFile);
  const written = tuples.length === 0 ? await readPolicyFiles(files) : await readCoReservation(files, tuples);
  const sources = [...files, "the scenario's policies"];
  const faults = written.remarks.flatMap(({ problems }, index) =>
    problems.map((problem) => remarkFault(sources[index], problem)),
  );
  if (faults.length > 0) throw new AggregateError(faults, "the policies are not in order");
  const policies = policiesAt(written.policies, atMs).map(({ policy }) => policy);
  const place = siteOf(policies, site);
  // A trace in SWF has −1 where it does not know.
  const said = (text: string): string | null => (text === "" || text.startsWith("-") ? null : text);
  return {
    site: place,
    policies,
    form,
    consumerOf: ({ user, group }, isTrace) =>
      isTrace
        ? consumerOf(owners, { user: said(user), group: said(group) }, (owner) => userName(owner.user))
        : consumerOf(owners, { user: user || null, group: group || null }, accountPath),
  };
}

/** Policies in files, and tuples beside them. */
interface PoliciesToRead extends SimulatedPolicies {
  readonly tuples?: readonly string[];
  /** Site of the policies, where the files have several. */
  readonly site?: string;
}

/** Policies of files and of tuples, read as one set; the tuples count as one more file. */
async function readCoReservation(
  files: readonly string[],
  tuples: readonly string[],
): Promise<PolicyReading> {
  const texts = await Promise.all(files.map((file) => readBounded(file)));
  const unreadable = texts.findIndex((bytes) => !bytes.ok);
  if (unreadable >= 0) return readPolicyFiles(files);
  const read = texts.flatMap((bytes) => (bytes.ok ? [textOfBytes(bytes.value)] : []));
  const plain = read.flatMap((text) => (text.ok ? [text.value] : []));
  return plain.length < read.length ? readPolicyFiles(files) : readPolicies([...plain, tuples.join("\n")]);
}

function siteOf(policies: readonly Policy[], asked: string | undefined): string {
  const sites = policies.filter((policy) => !isHandedOn(policy));
  const names = [...new Set(sites.map(({ provider }) => provider))];
  if (asked !== undefined && names.includes(asked)) return asked;
  if (names.length !== 1) throw notOneSite(names);
  return names[0];
}

/** Owners of jobs by a file; without one all are unmapped. */
export async function ownersOf(file: string | undefined): Promise<Owners> {
  return file === undefined ? NO_OWNERS : await readOwnersFile(file);
}

function notOneSite(names: readonly string[]): Fault {
  return new Fault({
    kind: "badInput",
    code: "policiesOfSites",
    what: "these policies cannot be simulated",
    why: names.length === 0 ? "they concern no site" : `they concern several sites: ${names.join(", ")}`,
    remedy: "give policy files that concern one site: the trace is simulated on its machine",
  });
}
