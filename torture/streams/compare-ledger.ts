/** Compares what an application took with the data of its source. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { BLOCK } from "./misfortunes.ts";

/** Where an application's part of a stream is written down. */
export interface LedgerPlaces {
  readonly ledger: string;
  /** Directory of the stream; what its wrapper set aside was handed over twice. */
  readonly directory: string;
}

/** Blocks that are missing, out of order, or have other content when a stream has ended. */
export function compareLedger(places: LedgerPlaces, data: Buffer): readonly string[] {
  const { highest, wrong } = compareSoFar(places, data);
  const expected = Math.ceil(data.length / BLOCK);
  return highest + 1 === expected ? wrong : [...wrong, `${highest + 1} of ${expected} blocks arrived`];
}

/** Blocks out of order or with other content, and the highest, of a stream that need not have ended well. */
export function compareSoFar({ ledger, directory }: LedgerPlaces, data: Buffer) {
  const lines = existsSync(ledger) ? readFileSync(ledger, "utf8").split("\n") : [];
  const aside = setAsideIn(directory);
  const wrong: string[] = [];
  let highest = -1;
  const skipAside = (): void => {
    while (aside.has(highest + 1)) highest++;
  };
  for (const line of lines.filter((it) => it !== "")) {
    const { seq, sha1 } = JSON.parse(line) as { readonly seq: number; readonly sha1: string };
    skipAside();
    if (seq > highest + 1) wrong.push(`block ${seq} arrived after block ${highest}`);
    highest = Math.max(highest, seq);
    const content = data.subarray(seq * BLOCK, (seq + 1) * BLOCK);
    if (createHash("sha1").update(content).digest("hex") !== sha1)
      wrong.push(`block ${seq} has wrong content`);
  }
  skipAside();
  return { highest, wrong };
}

function setAsideIn(directory: string): ReadonlySet<number> {
  const path = `${directory}/set-aside`;
  return new Set(existsSync(path) ? readdirSync(path).map((name) => Number(name.split("-")[0])) : []);
}
