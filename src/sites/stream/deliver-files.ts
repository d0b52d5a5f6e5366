/**
 * Hands over blocks as files in a directory, for applications that look for their input.
 *
 * `000000000007.block` appears whole, after `000000000007.json` with its facts; the application answers with
 * a file `000000000007.ack`, which is empty or names
 * results as `{"results": ["a"]}`. A file named `end` says that no further block comes.
 */
import { mkdirSync, rmSync } from "node:fs";
import { link, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { blockName } from "./block-files.ts";
import { MOST_CHARACTERS, resultsOf } from "./deliver-lines.ts";
import type { Acknowledge, Delivery, DeliveryWorld, HandedBlock } from "./delivery.ts";

const EVERY_MS = 50;

/** Delivers through the directory. */
export function deliverFiles({ child, inbox, acknowledge }: DeliveryWorld): Delivery {
  let work = Promise.resolve();
  const next = (step: () => Promise<unknown>): void => {
    work = work.then(step).then(
      () => undefined,
      // A directory that cannot be used ends this life of the application, which is begun anew.
      () => void child.kill("SIGKILL"),
    );
  };
  const timer = setInterval(() => next(() => collect(inbox, acknowledge)), EVERY_MS);
  return {
    offer: (block) => next(() => lay(inbox, block)),
    end: () => next(() => writeFile(join(inbox, "end"), "")),
    close: () => {
      clearInterval(timer);
      next(() => collect(inbox, acknowledge));
      return work;
    },
  };
}

/** Makes the directory, without what an earlier life of the application left. */
export function emptyInbox(inbox: string): void {
  rmSync(inbox, { recursive: true, force: true });
  mkdirSync(inbox, { recursive: true, mode: 0o700 });
}

async function lay(inbox: string, block: HandedBlock): Promise<void> {
  const name = join(inbox, blockName(block.seq));
  await writeFile(`${name}.json`, JSON.stringify({ ...block, path: `${name}.block` }));
  await link(block.path, `${name}.block`);
}

/** Takes the acknowledgements there are, and removes their blocks from the directory. */
async function collect(inbox: string, acknowledge: Acknowledge): Promise<void> {
  const names = await readdir(inbox);
  for (const name of names.filter((it) => /^\d{12,16}\.ack$/.test(it)).sort()) {
    const base = join(inbox, name.slice(0, -".ack".length));
    const results = resultsOf(await readAcknowledgement(`${base}.ack`));
    for (const part of [".block", ".json", ".ack"]) await rm(`${base}${part}`, { force: true });
    acknowledge(Number(name.slice(0, -".ack".length)), results);
  }
}

/** Content of an acknowledgement, which may name results; empty for one that is too long. */
async function readAcknowledgement(path: string): Promise<string> {
  const { size } = await stat(path);
  return size === 0 || size > MOST_CHARACTERS ? "" : readFile(path, "utf8");
}
