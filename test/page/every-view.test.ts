/** Every view of the page with content, in both themes: axe-core has no findings, and none is too wide. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { liveSetting } from "../live-setting.ts";
import { adminToken, expectAccessible, hasChromium, howToInstallChromium, pages } from "./browser.ts";

/** Paths in the table of views, which only a browser can load. */
const VIEWS = [
  ...readFileSync(resolve(import.meta.dirname, "../../web/src/app/views.ts"), "utf8").matchAll(
    /\bpath: "([^"]+)"/g,
  ),
].flatMap(([, path]) => path ?? []);

const job = (seconds: string, more = {}) => ({
  ...{ executable: "sleep", arguments: [seconds], procs: 1, wallTimeSec: 3600 },
  ...more,
});
const TRACE = [1, 2, 3].map((id) => `${id} ${id * 60} -1 600 2 -1 -1 2 900 -1 1 1 1 1 1 1 -1 -1`);
const POLICY = "- CPU, home, local, (3600,50), (60,80)\n";

describe.skipIf(!hasChromium)(`every view${howToInstallChromium}`, () => {
  const live = liveSetting(["  - { name: home, type: managed, procs: 2, memory: 2G }"]);
  const browser = pages();
  /** A path of each view that has parameters. */
  const paths = new Map<string, string>();

  beforeAll(async () => {
    const client = live.client();
    const { ids } = await client.call("submitJobs", { body: job("600") });
    await client.call("submitJobs", { body: job("600", { procs: 2 }) });
    await client.call("submitJobs", { body: job("0", { name: "short" }) });
    const array = await client.call("submitJobs", { body: job("600", { array: "0-5" }) });
    const nodes = [
      { name: "first", description: job("0") },
      { name: "then", description: job("600"), parents: ["first"] },
    ];
    const dag = await client.call("submitDag", { body: { name: "night", nodes } });
    const task = { id: "cut", procs: 1, runtimeSec: 5, executable: "true", outputs: ["cut.txt"] };
    const workflow = await client.startWorkflow({ name: "survey", bestEffort: true, tasks: [task] });
    const workload = { upload: { file: "three.swf", text: ["; MaxProcs: 4", ...TRACE, ""].join("\n") } };
    const variants = (["fcfs", "easy"] as const).map((discipline) => ({ name: discipline, discipline }));
    const simulation = await client.call("runSimulation", { body: { name: "three", workload, variants } });
    while ((await client.call("getSimulation", { params: simulation })).state !== "done")
      await setTimeout(50);
    writeFileSync(join(live.folder, "shares.policy"), POLICY);
    const applied = live.ask("policy", "apply", "shares.policy");
    expect(applied.code, applied.err).toBe(0);
    for (const [path, example] of [
      ["/jobs/$id", ids[0]],
      ["/arrays/$id", array.ids[0]],
      ["/dags/$id", dag.ids[0]],
      ["/workflows/$id", workflow.id],
      ["/what-if/$id", simulation.id],
      ["/sites/$name", "home"],
    ] as const) {
      paths.set(path, path.replace(/\$\w+/, example ?? ""));
    }
    const of = (variant: number) => `simulation:${simulation.id}:${variant}`;
    paths.set("/compare", `/compare?first=${of(0)}&other=${of(1)}`);
  });

  it("has no findings of axe-core, light and dark", async () => {
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory), {
      colorScheme: "light",
    });
    expect(VIEWS.length).toBeGreaterThan(15);
    for (const path of VIEWS) {
      const example = paths.get(path) ?? path;
      expect(example, "an example of each path that has parameters").not.toContain("$");
      await page.goto(`${live.url()}${example}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      // What a view asks for later is shown with a sign of loading until it is there.
      await page
        .getByLabel(/^Loading/)
        .filter({ visible: true })
        .first()
        .waitFor({ state: "hidden" });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
        await expectAccessible(page, `${path}, ${colorScheme}`);
      }
    }
  });
});
