import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { EXEC_DEFAULTS } from "../../model/index.ts";
import { openExecSite } from "./index.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/adapters/processes.py", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "stint-exec-"));

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A site whose program ends once in each submission, after or before the queue has taken the job. */
async function endingIn(name: string, line: string, instead: string) {
  const text = readFileSync(EXAMPLE, "utf8");
  expect(text).toContain(line);
  const mark = join(scratch, `${name}.ended`);
  const end = `os.path.exists("${mark}") or (open("${mark}", "w").close(), os._exit(9))`;
  const file = join(scratch, `${name}.py`);
  writeFileSync(file, text.replace(line, instead.replace("END", end)), { mode: 0o700 });
  const spec = {
    ...{ ...EXEC_DEFAULTS, procs: 2, memoryBytes: 2 ** 30 },
    ...({ type: "exec" } as const),
    command: [file, join(scratch, `${name}-queue`), "2"],
    submitDirectory: join(scratch, `${name}-work`),
  } as const;
  const clock = { nowMs: () => Date.now() };
  return openExecSite({ name, spec, directory: join(scratch, name), clock });
}

type Site = Awaited<ReturnType<typeof endingIn>>;

async function endOfOnly(site: Site) {
  for (;;) {
    const { ended } = await site.survey().catch(() => ({ ended: [] }));
    if (ended.length > 0) return ended;
    await delay(100);
  }
}

async function release(site: Site, tally: string) {
  const siteJob = await site.submit({
    ...{ token: "1/1", name: "x", command: ["sh", "-c", `printf x >> ${tally}`], environment: {} },
    ...{ procs: 1, memoryBytes: 0, limitMs: 60_000, inputFiles: [], reservation: null },
    ...{ stdOutput: "stdout", stdError: "stderr" },
  });
  await expect(site.act("release", { token: "1/1", siteJob })).rejects.toMatchObject({
    code: "adapterFailed",
    why: expect.stringContaining("exit code 9"),
  });
  return siteJob;
}

describe("FS-7 a program that ends in the middle of a submission", () => {
  it("one that the queue has taken is found by its key, and runs once", async () => {
    const tally = join(scratch, "taken.tally");
    const site = await endingIn(
      "taken",
      '    return {"job": known["job"]}',
      '    END\n    return {"job": known["job"]}',
    );
    const siteJob = await release(site, tally);
    expect(await endOfOnly(site)).toMatchObject([{ siteJob, end: { cause: "exited", exitCode: 0 } }]);
    await site.act("release", { token: "1/1", siteJob });
    expect(readFileSync(tally, "utf8")).toBe("x");
    await site.close();
  });

  it("one that the queue has not taken is submitted again, and runs once", async () => {
    const site = await endingIn("refused", "    known = find(request)", "    END\n    known = find(request)");
    const tally = join(scratch, "refused.tally");
    const siteJob = await release(site, tally);
    await delay(1100);
    const { jobs, ended } = await site.survey();
    expect(jobs).toMatchObject([{ siteJob, token: "1/1", state: "unknown" }]);
    expect(ended).toEqual([]);
    expect(await endOfOnly(site)).toMatchObject([{ siteJob, end: { cause: "exited", exitCode: 0 } }]);
    expect(readFileSync(tally, "utf8")).toBe("x");
    await site.close();
  });
});

it("FS-12 an adapter without the verb signal suspends nothing, and says so", async () => {
  const verbs = '"verbs": ["hold", "release", "signal"]';
  const site = await endingIn("mute", verbs, '"verbs": ["hold", "release"]');
  const siteJob = await site.submit({
    ...{ token: "1/1", name: "x", command: ["sleep", "60"], environment: {}, procs: 1, memoryBytes: 0 },
    ...{ limitMs: 60_000, inputFiles: [], reservation: null, stdOutput: "stdout", stdError: "stderr" },
  });
  await site.act("release", { token: "1/1", siteJob });
  await expect.poll(async () => (await site.survey()).jobs).toMatchObject([{ state: "running" }]);
  expect(site.abilities.has("suspend")).toBe(false);
  await expect(site.act("suspend", { token: "1/1", siteJob })).rejects.toMatchObject({
    code: "siteMayNotSuspend",
  });
  await site.act("cancel", { token: "1/1", siteJob });
  await endOfOnly(site);
  await site.close();
});
