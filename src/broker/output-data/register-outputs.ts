/** Registers what jobs that succeeded have left in stores of their sites (rule EN-282). */
import { attemptToken, type LeftOutput } from "../../model/index.ts";
import type { SiteFiles } from "../../runtime/index.ts";
import type { KeptFilesWorld } from "../kept-files.ts";
import { type Reminder, settleEach } from "../settle-each.ts";
import { LEFT_FILE } from "./keep-script.ts";

/** More than the lines of the most files with the longest names. */
const MOST_BYTES = 2 * 1024 * 1024;
const PART_BYTES = 256 * 1024;
const LINE = /^(\d{1,16}) ([0-9a-f]{64}|) ?(\/\S{1,1000})$/;

/** Registers one job's outputs after the other; a site that does not answer is asked again later. */
export function createOutputRegistrar({ round, sites, clock, warn }: KeptFilesWorld): Reminder {
  const { outputsDue } = round.projection.books;
  return settleEach({
    ...{ clock, warn, due: () => outputsDue.keys() },
    failed: (job) => `output data of ${job}: not registered yet`,
    settle: async (job) => {
      const due = outputsDue.get(job);
      if (due === undefined) return;
      const at = sites.get(due.site);
      if (at === undefined) throw new Error(`${due.site} is not open`);
      const text = await textOf(at.files, attemptToken(job, due.attempt));
      await round.ask({ kind: "registerOutputs", job, left: readLeft(text) });
    },
  });
}

/** Outcomes that the lines of a job report; lines in other formats are omitted. */
export function readLeft(text: string): readonly LeftOutput[] {
  return text.split("\n").flatMap((line) => {
    const [, bytes = "", hash = "", name = ""] = LINE.exec(line) ?? [];
    if (name === "" || !Number.isSafeInteger(Number(bytes))) return [];
    return [{ name, bytes: Number(bytes), ...(hash === "" ? {} : { checksum: `sha256:${hash}` }) }];
  });
}

/** The whole text; empty where there is none. */
async function textOf(files: SiteFiles, token: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let read = 0;
  while (read < MOST_BYTES) {
    const part = await files.readFile(token, LEFT_FILE, read, PART_BYTES);
    if (part === undefined || part.bytes.length === 0) break;
    parts.push(part.bytes);
    read += part.bytes.length;
  }
  return Buffer.concat(parts).toString("utf8");
}
