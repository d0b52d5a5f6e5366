import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./stint.ts";
import { ledgerOf, orderFor, reportOf, run } from "./stream-scene.ts";
import { sourceData } from "./stream-source.ts";

const base = temporaryFolder();

/** A folder with files of these bytes; gives the address of a name in it. */
function scene(name: string, sizes: readonly number[]) {
  const folder = join(base, name);
  mkdirSync(folder);
  const write = (number: number, bytes: number): string => {
    const data = sourceData(bytes, number);
    writeFileSync(join(folder, `${number}.new`), data);
    renameSync(join(folder, `${number}.new`), join(folder, `${number}.dat`));
    return `${number}.dat ${bytes} sha256:${createHash("sha256").update(data).digest("hex")}\n`;
  };
  const lines = sizes.map((bytes, at) => write(at + 1, bytes));
  return { folder, write, lines, href: (file: string) => pathToFileURL(join(folder, file)).href };
}

type Scene = ReturnType<typeof scene>;

function listed({ folder, href }: Scene, list: "manifest" | "generator", endless = false) {
  const address = list === "manifest" ? href("list") : href("").concat("/{n}.dat");
  return orderFor(folder, "", { sources: [{ href: [address], list, endless }] });
}

const taken = ({ folder }: Scene) => ledgerOf(folder).map(({ bytes }) => bytes);

async function untilTaken(there: Scene, blocks: number): Promise<void> {
  while (taken(there).length < blocks) await sleep(20);
}

describe("streams of lists of files", () => {
  it("SW-10 a manifest is one stream, in its order, with the checksums of its files", async () => {
    const there = scene("manifest", [100_000, 0, 64_000]);
    writeFileSync(join(there.folder, "list"), there.lines.join(""));
    expect(await run(listed(there, "manifest"))).toBe("done");
    expect(taken(there)).toEqual([64_000, 36_000, 64_000]);
    expect(ledgerOf(there.folder).at(-1)?.last).toBe(true);
    expect(reportOf(there.folder)).toMatchObject({ state: "done", ackedBytes: 164_000, totalBytes: 164_000 });
    const other = scene("wrong", [1000]);
    writeFileSync(join(other.folder, "list"), other.lines.join("").replace(/[0-9a-f]{4}\n/, "0000\n"));
    await expect(run(listed(other, "manifest"))).rejects.toMatchObject({ code: "checksumDiffers" });
  });

  it("SW-10 a manifest that grows is followed, over restarts, up to its end", async () => {
    const there = scene("growing", [64_000, 64_000]);
    const list = join(there.folder, "list");
    const stopping = new AbortController();
    const first = run(listed(there, "manifest", true), stopping.signal);
    await sleep(100);
    // Not there at first; then a line is half written.
    writeFileSync(list, `${there.lines.join("")}3.d`);
    await untilTaken(there, 2);
    stopping.abort();
    expect(await first).toBe("stopped");
    // A full disk repeats what was written; a loss of power cuts it.
    const kept = join(there.folder, "stream/files.jsonl");
    appendFileSync(kept, `${readFileSync(kept, "utf8")}\n{"source":0,"file":{"hr`);
    const second = run(listed(there, "manifest", true));
    appendFileSync(list, there.write(3, 1000).slice(3));
    await untilTaken(there, 3);
    appendFileSync(list, "end\n");
    expect(await second).toBe("done");
    expect(taken(there)).toEqual([64_000, 64_000, 1000]);
  });

  it("SW-10 a generator counts up to the first number that is missing, or waits for it", async () => {
    const there = scene("counted", [1000, 2000, 3000]);
    expect(await run(listed(there, "generator"))).toBe("done");
    expect(taken(there)).toEqual([1000, 2000, 3000]);
    const endless = scene("endless", [1000]);
    const stopping = new AbortController();
    const running = run(listed(endless, "generator", true), stopping.signal);
    await untilTaken(endless, 1);
    endless.write(2, 500);
    await untilTaken(endless, 2);
    stopping.abort();
    expect(await running).toBe("stopped");
    expect(taken(endless)).toEqual([1000, 500]);
  });

  it("SW-10 a manifest that is not there is said", async () => {
    await expect(run(listed(scene("none", []), "manifest"))).rejects.toMatchObject({
      code: "sourceRefused",
      why: expect.stringContaining("no such file"),
    });
  });
});
