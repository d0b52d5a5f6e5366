/**
 * A cluster's own shares: the content of its accounting, and the sacctmgr commands that change it.
 *
 * The engine decides the changes. The accounting is read afterwards to see whether one was made: sacctmgr
 * has one exit code for "nothing modified" and for a failure.
 */
import { Fault } from "../../../base/index.ts";
import {
  ACCOUNTS_COMMAND,
  associationsCommand,
  NODES_COMMAND,
  QOS_COMMAND,
  readAccountNames,
  readAssociations,
  readNodes,
  readQos,
  readSettings,
  SETTINGS_COMMAND,
  USED_ACCOUNTS_COMMAND,
} from "../../../formats/slurm/index.ts";
import type { NativeShares, SlurmSiteSpec } from "../../../model/index.ts";
import type { ShareOrder } from "../../../runtime/index.ts";
import { askWith } from "../ask.ts";
import type { RunCommand } from "../command.ts";
import { slurmFault, troubleOf } from "../slurm-fault.ts";

/** Functions and settings that readings and changes need. */
export interface CompileParts {
  readonly name: string;
  readonly spec: Pick<SlurmSiteSpec, "enforcement">;
  readonly run: RunCommand;
}

/** Timeout of a change, in ms: the database also informs a controller that may be busy. */
const CHANGE_TIMEOUT_MS = 60_000;
const VERBS: ReadonlySet<string> = new Set(["add", "modify", "delete"]);
const ENTITIES: ReadonlySet<string> = new Set(["account", "qos"]);

/** Reads the shares in the accounting. @throws Fault */
export async function fetchShares({ run }: CompileParts): Promise<NativeShares> {
  const ask = askWith(run);
  const settings = readSettings(await ask("settings", SETTINGS_COMMAND));
  const name = settings.ClusterName ?? null;
  const associations =
    name === null ? [] : readAssociations(await ask("accounts", associationsCommand(name)));
  return {
    name,
    associations,
    settings,
    gpus: readNodes(await ask("nodes", NODES_COMMAND)).reduce((sum, { gpus }) => sum + gpusIn(gpus), 0),
    qos: readQos(await ask("QOS", QOS_COMMAND)),
    accountNames: readAccountNames(await ask("accounts", ACCOUNTS_COMMAND)),
    usedAccountNames: readAccountNames(await ask("accounts", USED_ACCOUNTS_COMMAND)),
  };
}

function gpusIn(byType: Readonly<Record<string, number>>): number {
  return Object.values(byType).reduce((sum, count) => sum + count, 0);
}

/** Carries out a change; see `ForeignSite.changeShares`. */
export async function changeShares({ name, spec, run }: CompileParts, order: ShareOrder): Promise<void> {
  const { what, words, isTakingBack } = order;
  if (!isTakingBack && spec.enforcement?.granted.includes("compile") !== true) throw notGranted(name, what);
  const [program = "", , verb = "", entity = ""] = words;
  if (program !== "sacctmgr" || !VERBS.has(verb) || !ENTITIES.has(entity)) throw noChange(words);
  const result = await run({ words, timeoutMs: CHANGE_TIMEOUT_MS });
  const trouble = troubleOf(result);
  if (trouble === undefined) return;
  throw trouble === "notOwner" ? notAllowed(what) : slurmFault(`cannot ${what}`, result);
}

function notGranted(site: string, what: string): Fault {
  return new Fault({
    kind: "notAllowed",
    code: "compileNotGranted",
    what: `cannot ${what} at site ${site}`,
    why: "compile, the right to change the cluster's shares, is not granted there",
    remedy:
      "grant compile in the site's settings (enforcement: { grant: [compile] }), or run the commands by hand",
  });
}

function notAllowed(what: string): Fault {
  return new Fault({
    kind: "notAllowed",
    code: "siteMayNotCompile",
    what: `cannot ${what}`,
    why: "the account whose commands these are may not change the accounting",
    remedy:
      "an administrator of the cluster grants it: sacctmgr modify user USER set AdminLevel=Operator, " +
      "for QOS Administrator",
  });
}

function noChange(words: readonly string[]): Error {
  return new Error(
    `what must hold: a change of shares is one of accounts or QOS, not ${words.slice(0, 4).join(" ")}`,
  );
}
