/**
 * Which consumer each account of a cluster is: `consumers` of a site under Slurm.
 */
import { isConsumerPath } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { type NamedValue, shown, textMapping, wrongType } from "../yaml/index.ts";

const EXAMPLE = "consumers: { physics: cms, chemistry: atlas/higgs }";

/** Consumer paths by account; undefined, with a problem, where any is none. */
export function accountsOf(named: NamedValue): Readonly<Record<string, string>> | undefined {
  const { name, value, notes } = named;
  if (value.kind !== "mapping") {
    notes.problem(value.at, wrongType(name, value, EXAMPLE));
    return undefined;
  }
  const written = textMapping(named, value, EXAMPLE);
  const wrong = written.filter(([, path]) => !isConsumerPath(path));
  for (const [account, path] of wrong) {
    notes.problem(account.at, {
      code: "badConsumer",
      what: `${shown(name)}.${shown(account.text)}: ${echoText(path)} is no consumer path`,
      why: "a path is up to eight names with / between them, of letters, digits and _ . @ + -",
      remedy: `write for instance ${EXAMPLE}`,
    });
  }
  if (wrong.length > 0 || written.length < value.entries.length) return undefined;
  return Object.fromEntries(written.map(([account, path]) => [account.text, path]));
}
