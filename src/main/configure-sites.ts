/**
 * Makes the broker's sites those of the configuration: what is not in the log is added, what differs is
 * changed. A site that the log alone knows stays: somebody added it.
 */
import { isDeepStrictEqual } from "node:util";
import { Fault, type FaultFacts, type FaultKind } from "../base/index.ts";
import type { ConfiguredSite } from "../formats/stint-yaml/index.ts";
import { refusalText } from "../model/index.ts";
import type { Door } from "../runtime/index.ts";
import { thisMachine, wholeSpec } from "./this-machine.ts";

/** What is wanted of the sites. */
export interface WantedSites {
  readonly sites: readonly ConfiguredSite[];
  /** The configuration, for messages. */
  readonly file: string | undefined;
  /** Whether this machine is offered though the configuration does not name it. */
  readonly isThisMachineOffered: boolean;
  /** The batch system that answers here, asked for when it matters. */
  readonly batchSystemHere: () => Promise<string | undefined>;
  readonly tell: (line: string) => void;
}

/** Adds and changes sites. @throws Fault, with the place in the file, where the broker refuses */
export async function configureSites(door: Door, wanted: WantedSites): Promise<void> {
  const { sites } = wanted;
  refuseSecondManaged(door, wanted);
  for (const site of sites) await configure(door, site, wanted);
  if (await isOffered(door, wanted)) await configure(door, thisMachine, { ...wanted, file: undefined });
}

async function configure(door: Door, site: ConfiguredSite, { file, tell }: WantedSites): Promise<void> {
  const { name, settings } = site;
  const spec = wholeSpec(settings);
  const known = door.sites().find((it) => it.name === name);
  if (known !== undefined && isDeepStrictEqual(known.spec, spec)) return;
  const kind = known === undefined ? "addSite" : "changeSite";
  const place = placeOf(site, file);
  const answer = await door.ask({ kind, site: name, spec }).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    // A change is recorded before the site is opened: like any cluster in trouble it stops nobody else.
    // Nor does one that cannot be asked now how large it is: it is added at a later start.
    if (spec.type !== "managed" && (kind === "changeSite" || error.kind === "unreachable")) return error;
    throw placed(place, error.kind, error);
  });
  if (answer instanceof Fault) tell(`stint: ${place}site ${name} cannot be used: ${answer.message}\n`);
  else if (!answer.ok) {
    throw placed(place, "refused", { code: answer.refusal.kind, ...refusalText(answer.refusal) });
  }
}

/** An error that begins with its place in the file. */
function placed(place: string, kind: FaultKind, facts: Omit<FaultFacts, "kind">): Fault {
  const { code, what, why, remedy } = facts;
  return new Fault({ kind, code, what: `${place}${what}`, why, remedy });
}

/** This machine as it was offered before, under another name, would be given away twice. */
function refuseSecondManaged(door: Door, { sites, file }: WantedSites): void {
  const wanted = sites.find(({ settings }) => settings.type === "managed");
  const other = door.sites().find(({ name, spec }) => spec.type === "managed" && name !== wanted?.name);
  if (wanted === undefined || other === undefined) return;
  throw placed(placeOf(wanted, file), "refused", {
    code: "siteInUse",
    what: `this machine cannot be offered as site ${wanted.name}`,
    why: `it is the site ${other.name} of this broker, and its processors can be given away once`,
    remedy: `write name: ${other.name}, or start another broker with --state-dir`,
  });
}

async function isOffered(door: Door, wanted: WantedSites): Promise<boolean> {
  if (door.sites().some(({ spec }) => spec.type === "managed")) return false;
  if (wanted.isThisMachineOffered) return true;
  if (door.sites().length > 0) return false;
  const batchSystem = await wanted.batchSystemHere();
  if (batchSystem === undefined) return true;
  wanted.tell(
    `stint: ${batchSystem} answers here, so this machine is not offered as a site; ` +
      "stint up --this-machine offers it all the same\n",
  );
  return false;
}

function placeOf({ line }: ConfiguredSite, file: string | undefined): string {
  return file === undefined ? "" : `${file}:${line}: `;
}
