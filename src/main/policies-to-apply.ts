/** Policies of files that a broker is to apply from an instant on, at its sites. */
import type { HoldingPolicies, HoldingQuestion } from "../cli/index.ts";
import { holdingAt, knownFrom, longForm, readPolicyFiles } from "../formats/policy-file/index.ts";

/** Policies in force at the instant, errors of the files, and warnings about policies for other times. */
export async function policiesToApply({ files, atMs, places }: HoldingQuestion): Promise<HoldingPolicies> {
  const known = knownFrom(places.map(({ name, ...capacity }) => ({ name, capacity })));
  const reading = await readPolicyFiles(files, known);
  const { policies, remarks, overProvisioned } = holdingAt(reading, { atMs, places });
  return {
    files: files.map((file, index) => ({ file, ...remarks[index] })),
    policies: policies.map((one) => ({ policy: one.policy, form: longForm(one.policy, one) })),
    overProvisioned,
  };
}
