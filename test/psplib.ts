/**
 * PSPLIB's set j30 with its proven optima, from the archive beside this checkout; absent on most machines.
 */
import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { tracePath } from "./shared-data.ts";

/** A project as text, by its name in the archive, with its proven optimum in periods. */
export interface PsplibProject {
  readonly name: string;
  readonly text: string;
  readonly optimum: number;
}

/** All 480 projects in the order of the table of optima. */
export function j30Projects(): readonly PsplibProject[] {
  const folder = tracePath("psplib");
  const texts = zipEntries(readFileSync(`${folder}/j30.sm.zip`));
  const table = readFileSync(`${folder}/j30opt.sm`, "latin1");
  return [...table.matchAll(/^(\d+)\s+(\d+)\s+(\d+)\s+[\d.]+\s*$/gm)].map(([, set, instance, optimum]) => {
    const name = `j30${set}_${instance}.sm`;
    return { name, text: texts.get(name) ?? "", optimum: Number(optimum) };
  });
}

const ENTRY = 0x02014b50;
const END = 0x06054b50;

/** Files of a ZIP archive, stored or deflated, by their names without folders. */
function zipEntries(archive: Buffer): ReadonlyMap<string, string> {
  let end = archive.length - 22;
  while (archive.readUInt32LE(end) !== END) end--;
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  while (archive.readUInt32LE(at) === ENTRY) {
    const [method, packedBytes] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const [nameBytes, extraBytes] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)];
    const local = archive.readUInt32LE(at + 42);
    const name = archive.toString("latin1", at + 46, at + 46 + nameBytes);
    const data = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = archive.subarray(data, data + packedBytes);
    const text = (method === 0 ? bytes : inflateRawSync(bytes)).toString("latin1");
    files.set(name.replace(/^.*\//, ""), text);
    at += 46 + nameBytes + extraBytes + archive.readUInt16LE(at + 32);
  }
  return files;
}
