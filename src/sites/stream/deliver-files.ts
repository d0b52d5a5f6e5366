/**
 * Hands over blocks as files in a directory, for applications that look for their input.
 *
 * `000000000007.block` appears whole, after `000000000007.json` with its facts; the application answers with
 * a file `000000000007.ack`, which is empty or names results as `{"results": ["a"]}`. Where it may name some,
 * it counts when it no longer grows; one that stays unreadable ends this life of the application, so that no
 * result is lost. A file named `end` says that no further block comes.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { link, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { blockName } from "./block-files.ts";
import { MOST_CHARACTERS, resultsIn } from "./deliver-lines.ts";
import type { Delivery, DeliveryWorld, HandedBlock } from "./delivery.ts";

const EVERY_MS = 50;
/** An acknowledgement that stays unreadable for so many looks is wrong, and not merely unfinished. */
const MOST_LOOKS = 20;

/** Acknowledgements that are not taken yet, as the last look found them. */
type Awaited = Map<string, { readonly bytes: number; readonly looks: number }>;

/** A look into the directory. */
interface Look {
  readonly names: readonly string[];
  readonly awaited: Awaited;
  /** True for the last one, after the application has ended. */
  readonly isOver: boolean;
}

/**
 * Delivers through the directory.
 *
 * @param list names of the files in a directory
 */
export function deliverFiles(
  world: DeliveryWorld,
  list: (directory: string) => Promise<string[]> = readdir,
): Delivery {
  const { child, inbox } = world;
  const awaited: Awaited = new Map();
  const take = async (isOver = false) => collect(world, { names: await list(inbox), awaited, isOver });
  let work = Promise.resolve();
  const next = (step: () => Promise<unknown>): void => {
    work = work.then(step).then(
      () => undefined,
      // A directory that cannot be used ends this life of the application, which is begun anew.
      () => void child.kill("SIGKILL"),
    );
  };
  let isCollecting = false;
  // On a slow disk looks would pile up, and new blocks wait behind them.
  const look = (): void => {
    if (isCollecting) return;
    isCollecting = true;
    next(() =>
      take().finally(() => {
        isCollecting = false;
      }),
    );
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    offer: (block) => next(() => lay(inbox, block)),
    end: () => next(() => writeFile(join(inbox, "end"), "")),
    close: () => {
      clearInterval(timer);
      next(() => take(true));
      return work;
    },
  };
}

/**
 * Makes the directory of one life of the application, and removes those of earlier lives. An application
 * whose wrapper was killed may still run; it neither sees nor acknowledges the blocks in a later directory.
 */
export function newInbox(inbox: string): string {
  rmSync(inbox, { recursive: true, force: true, maxRetries: 5 });
  mkdirSync(inbox, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(inbox, "life-"));
}

async function lay(inbox: string, block: HandedBlock): Promise<void> {
  const name = join(inbox, blockName(block.seq));
  await writeFile(`${name}.json`, JSON.stringify({ ...block, path: `${name}.block` }));
  await link(block.path, `${name}.block`);
}

/** Takes the acknowledgements there are, and removes their blocks from the directory. */
async function collect(
  { inbox, acknowledge, hasSink }: DeliveryWorld,
  { names, awaited, isOver }: Look,
): Promise<void> {
  for (const name of names.filter((it) => /^\d{12,16}\.ack$/.test(it)).sort()) {
    const base = join(inbox, name.slice(0, -".ack".length));
    const results = hasSink ? await resultsOf(`${base}.ack`, awaited, isOver) : [];
    if (results === undefined) continue;
    for (const part of [".block", ".json", ".ack"]) await rm(`${base}${part}`, { force: true });
    acknowledge(Number(name.slice(0, -".ack".length)), results);
  }
}

/** Results that an acknowledgement names; undefined while it is written. @throws Error for a wrong one */
async function resultsOf(
  path: string,
  awaited: Awaited,
  isOver: boolean,
): Promise<readonly string[] | undefined> {
  const { size: bytes } = await stat(path);
  const before = awaited.get(path);
  const looks = before?.bytes === bytes ? before.looks + 1 : 0;
  awaited.set(path, { bytes, looks });
  if (looks === 0 && !isOver) return undefined;
  if (bytes > MOST_CHARACTERS) throw new Error(`${path} has more than ${MOST_CHARACTERS} bytes`);
  try {
    const results = bytes === 0 ? [] : resultsIn(await readFile(path, "utf8"));
    awaited.delete(path);
    return results;
  } catch (error) {
    if (isOver || looks >= MOST_LOOKS) throw error;
    return undefined;
  }
}
