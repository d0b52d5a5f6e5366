/** Trials of streams on classes of processors, on this machine: a class is a set of its processors. */
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { StreamView } from "../src/contract/index.ts";
import { liveSetting } from "./live-setting.ts";
import { temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const pool = join(folder, "pool");
mkdirSync(pool);
const BLOCK = 100_000;

/** An application that takes 20 ms for a block on processor 0, and 300 ms on any other. */
const application = join(folder, "application.mjs");
writeFileSync(
  application,
  `import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const cpus = /^Cpus_allowed_list:\\s*(\\S+)$/m.exec(readFileSync("/proc/self/status", "utf8"))[1];
for await (const line of createInterface({ input: process.stdin })) {
  const { seq } = JSON.parse(line);
  await new Promise((resolve) => setTimeout(resolve, cpus === "0" ? 20 : 300));
  appendFileSync(process.argv[2], JSON.stringify({ seq, cpus }) + "\\n");
  console.log(JSON.stringify({ kind: "ack", seq }));
}
`,
);

describe("streams at a site with classes of processors", () => {
  const classes = "[{ name: slow, procs: 2, cpus: 1 }, { name: fast, procs: 2, cpus: 0 }]";
  const setting = liveSetting([
    "  - name: local\n    type: managed\n    procs: 4",
    `    streams: { inbound: 100MB/s, storage: 100MB, directory: ${pool}, classes: ${classes} }`,
  ]);

  function submit(name: string): string {
    const data = join(folder, `${name}.data`);
    writeFileSync(data, "");
    truncateSync(data, 10 * BLOCK);
    const text = `stream:
  name: ${name}
  executable: { path: ${process.execPath}, arguments: ${application} ${join(folder, "ledger")}-${name} }
  bandwidth: { min: 1MB/s }
  storage: { min: 10MB }
  blocks: { size: ${BLOCK}B, ahead: 20 }
  sources: { source: [{ href: "${pathToFileURL(data).href}" }] }
`;
    writeFileSync(join(folder, "stream.yaml"), text);
    const { out, err } = setting.ask("stream", "submit", join(folder, "stream.yaml"));
    expect(err).toBe("");
    return out.trim();
  }

  const look = (id: string): Promise<StreamView> => setting.client().call("getStream", { params: { id } });
  const ended = (id: string) => expect.poll(async () => (await look(id)).state).toBe("DONE");
  const taken = (name: string) =>
    readFileSync(join(folder, `ledger-${name}`), "utf8")
      .trim()
      .split("\n")
      .map((line): { readonly seq: number; readonly cpus: string } => JSON.parse(line));

  it("BR-122 a stream is tried on each class, then runs on the fastest, and loses nothing", async () => {
    const first = submit("one");
    await ended(first);
    const { processorClass, classRates = [] } = await look(first);
    expect(processorClass).toBe("fast");
    expect(classRates.map(({ className, origin }) => `${className} ${origin}`)).toEqual([
      "fast measured",
      "slow measured",
    ]);
    const [fast, slow] = classRates;
    expect(slow.bytesPerSec).toBeLessThan(BLOCK / 0.3);
    expect(fast.bytesPerSec).toBeGreaterThan(slow.bytesPerSec);
    expect(taken("one").map(({ seq }) => seq)).toEqual([...Array(10).keys()]);
    expect(taken("one").map(({ cpus }) => cpus)).toEqual([..."111", ..."0000000"]);
  });

  it("BR-122 a further stream of the same program is not tried again", async () => {
    const second = submit("two");
    await ended(second);
    expect((await look(second)).processorClass).toBe("fast");
    // Its arguments are other ones, and so is its program.
    expect(taken("two").map(({ cpus }) => cpus)).toContain("1");
    const third = submit("two");
    await ended(third);
    expect(
      taken("two")
        .slice(10)
        .map(({ cpus }) => cpus),
    ).toEqual([..."0000000000"]);
  });
});
