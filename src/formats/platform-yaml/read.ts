/**
 * Reads a platform for `stint plan`: sites with what they have and sell, and the links between them.
 */
import { platformShape } from "../../contract/files/index.ts";
import type { Platform, PlatformSite } from "../../plan/index.ts";
import { type Remark, readDocument, readWholeFile } from "../yaml/index.ts";

/** The platform counts where there are no problems. */
export interface PlatformReading {
  readonly said: Platform | undefined;
  readonly problems: readonly Remark[];
}

/** Reads the text of a platform. */
export function readPlatformYaml(text: string): PlatformReading {
  const { said, problems, notes, at } = readDocument(text, platformShape, {
    noun: "a platform",
    example: "{ sites: [{ name: near, procs: 64 }], links: { bandwidth: 10Gbit/s, latency: 5ms } }",
  });
  if (said === undefined) return { said: undefined, problems: problems() };
  const names = said.sites.map(({ name }) => name);
  for (const [number, name] of names.entries()) {
    if (names.indexOf(name) < number) notes.problem(at(said.sites, number), duplicate(name));
  }
  const { bandwidth, latencyMs, pairs } = said.links;
  for (const [number, { from, to }] of pairs.entries()) {
    const stranger = [from, to].find((name) => !names.includes(name));
    if (stranger !== undefined) notes.problem(at(pairs, number), noSite(stranger, names));
  }
  const wrong = problems();
  if (wrong.length > 0) return { said: undefined, problems: wrong };
  const sites = said.sites.map(
    ({ resources, memory, ...site }): PlatformSite => ({
      ...site,
      ...(memory === undefined ? {} : { memoryBytes: memory }),
      ...(resources === undefined ? {} : { amounts: resources }),
    }),
  );
  const link = bandwidth === undefined ? {} : { link: { latencyMs, bytesPerSec: bandwidth } };
  const linked = pairs.map(({ bandwidth: bytesPerSec, ...pair }) => ({ ...pair, bytesPerSec }));
  return { said: { sites, ...link, pairs: linked }, problems: [] };
}

/**
 * The platform of a file.
 *
 * @throws Fault with everything that is wrong about the file, its first problem first
 */
export function readPlatformFile(file: string): Promise<Platform> {
  return readWholeFile(file, readPlatformYaml);
}

const duplicate = (name: string) => ({
  code: "duplicateSite",
  what: `two sites have the name ${name}`,
  why: "plans and links name sites by their names",
  remedy: "give each site a name of its own",
});
const noSite = (name: string, names: readonly string[]) => ({
  code: "unknownSite",
  what: `${name} is not a site of this platform`,
  why: `its sites are ${names.join(", ")}`,
  remedy: "correct the name, or add the site",
});
