/**
 * The policies of a simulation, from their files: of one site, and who owns the jobs of the trace.
 */
import { Fault } from "../../base/index.ts";
import {
  consumerOf,
  NO_OWNERS,
  type Owners,
  readOwnersFile,
  userName,
} from "../../formats/evidence/index.ts";
import { policiesAt, readPolicyFiles } from "../../formats/policy-file/index.ts";
import { remarkFault } from "../../formats/yaml/index.ts";
import { isHandedOn, type SimulatedPolicies } from "../../model/index.ts";
import type { TracePolicies } from "./trace-policies.ts";

/**
 * Reads them; those that hold at the given instant count.
 *
 * @throws AggregateError of Faults with everything that is wrong about the files; Fault `policiesOfSites`
 *   where they are not of one site
 */
export async function readTracePolicies(
  { files, owners: ownersFile, form }: SimulatedPolicies,
  atMs: number,
): Promise<TracePolicies> {
  const owners = await ownersOf(ownersFile);
  const { policies: written, remarks } = await readPolicyFiles(files);
  const faults = files.flatMap((file, index) =>
    remarks[index].problems.map((problem) => remarkFault(file, problem)),
  );
  if (faults.length > 0) throw new AggregateError(faults, "the policies are not in order");
  const policies = policiesAt(written, atMs).map(({ policy }) => policy);
  const sites = policies.filter((policy) => !isHandedOn(policy));
  const names = [...new Set(sites.map(({ provider }) => provider))];
  if (names.length !== 1) throw notOneSite(names);
  const said = (value: number): string | null => (value >= 0 ? String(value) : null);
  return {
    site: names[0],
    policies,
    form,
    consumerOf: ({ user, group }) =>
      consumerOf(owners, { user: said(user), group: said(group) }, (owner) => userName(owner.user)),
  };
}

/** Whose jobs are whose; nobody is named where there is no file. */
export async function ownersOf(file: string | undefined): Promise<Owners> {
  return file === undefined ? NO_OWNERS : await readOwnersFile(file);
}

function notOneSite(names: readonly string[]): Fault {
  return new Fault({
    kind: "badInput",
    code: "policiesOfSites",
    what: "these policies cannot be simulated",
    why: names.length === 0 ? "they are of no site" : `they are of several sites: ${names.join(", ")}`,
    remedy: "give the files of one site, whose machine the trace is played on",
  });
}
