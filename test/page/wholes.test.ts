/** DAGs, arrays and streams on the page in a real browser. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveSetting } from "../live-setting.ts";
import { adminToken, expectAccessible, hasChromium, howToInstallChromium, pages } from "./browser.ts";

const DIAMOND = `Type = "DAG";
VirtualOrganisation = "local";
Name = "night";
Nodes = [
  prepare = [ description = [ Executable = "/bin/true" ] ];
  left    = [ description = [ Executable = "/bin/true" ] ];
  right   = [ description = [ Executable = "/bin/false" ] ];
  report  = [ description = [ Executable = "/bin/true" ] ];
];
Dependencies = { { prepare, { left, right } }, { { left, right }, report } };
`;

describe.skipIf(!hasChromium)(`DAGs and arrays on the page${howToInstallChromium}`, () => {
  const live = liveSetting(["  - { name: home, type: managed, procs: 2, memory: 2G }"]);
  const browser = pages();

  it("shows a DAG with its nodes' states, leads to a job and back, runs again what failed", async () => {
    writeFileSync(join(live.folder, "night.jdl"), DIAMOND);
    const ran = live.ask("submit", "night.jdl");
    expect(ran.code, ran.err).toBe(0);
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    let release = () => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    await page.route("**/v1/dags?*", async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole("link", { name: "Workflows" }).click();
    await page.getByRole("status", { name: "Loading workflows" }).waitFor();
    await expectAccessible(page, "workflows, before they have come");
    release();
    const row = page.getByRole("main").getByRole("row", { name: /DAG/ });
    await row.getByText("1 FAILED").waitFor();
    await expectAccessible(page);
    await row.getByRole("link").click();
    const drawing = page.getByRole("region", { name: "Nodes in the order of their dependencies" });
    await drawing.getByRole("link", { name: /^left DONE/ }).waitFor();
    await drawing.getByText("report").waitFor();
    expect(await drawing.getByText("FUTILE").count()).toBe(1);
    await page.getByRole("heading", { name: "When its jobs ran" }).waitFor();
    await expectAccessible(page);
    await drawing.getByRole("link", { name: /^right/ }).click();
    await page.getByRole("link", { name: "right of a DAG" }).click();
    const before = page.getByRole("row", { name: /^right FAILED/ });
    await before.getByText("1 of 1").waitFor();
    await page.getByRole("button", { name: "Rerun failed nodes" }).click();
    await before.getByText(/-2-2$/).waitFor();
  });

  it("shows an array with the number of its jobs in each state, and cancels it", async () => {
    const [id = ""] = live
      .ask("submit", "--name", "many", "--array", "0-5", "--", "sleep", "600")
      .out.split("\n");
    const looks = { colorScheme: "dark", viewport: { width: 390, height: 800 } } as const;
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory), looks);
    const line = page.getByRole("row", { name: /^Jobs of many/ });
    await line.getByText("array · 0 of 6 ended").waitFor();
    await line.getByText("4 SCHEDULED").waitFor();
    const ofArray = page.getByRole("link", { name: new RegExp(`^many · ${id.slice(0, 6)}-\\d$`) });
    const inTable = page.getByRole("table", { name: "My jobs" });
    expect(await inTable.locator(ofArray).count()).toBe(0);
    await line.getByRole("button", { name: /^Jobs of many/ }).click();
    await expect.poll(() => inTable.locator(ofArray).count()).toBe(6);
    await expectAccessible(page);
    await page.goto(`${live.url()}/arrays/${id}`);
    await page.getByText("2 RUNNING").waitFor();
    await page.getByText("4 SCHEDULED").waitFor();
    await expectAccessible(page);
    // Rows out of sight are taken to be as high, also on a phone.
    const heights = `[...document.querySelectorAll("tr[aria-rowindex]")].map((row) => row.offsetHeight)`;
    const highest = await page.evaluate<number>(`Math.max(...${heights})`);
    expect(highest).toBeGreaterThan(30);
    expect(highest, "height of the rows").toBeLessThanOrEqual(36);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("6 CANCELLED").waitFor();
    expect(JSON.parse(live.ask("status", id, "-o", "json").out).states.CANCELLED).toBe(6);
  });

  it("plans a workflow, marks errors at their lines, and executes the chosen plan", async () => {
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    await page.getByRole("link", { name: "Workflows" }).click();
    await page.getByRole("link", { name: "Plan a workflow" }).click();
    const text = page.getByRole("textbox", { name: "Workflow" });
    const plan = page.getByRole("button", { name: "Plan", exact: true });
    await text.fill("tasks:\n  - { id: cut, runtime: -1s }\n");
    await plan.click();
    await page.getByRole("button", { name: "error, line 2" }).waitFor();
    await expectAccessible(page);
    await text.fill(`workflow: coat
tasks:
  - { id: cut, runtime: 1s, executable: "true" }
  - { id: sew, runtime: 2s, parents: [cut], executable: "true" }
`);
    await plan.click();
    const plans = page.getByRole("table", { name: "Plans" });
    await plans.getByRole("radio", { name: /recommended/ }).waitFor();
    await page.getByRole("application", { name: /^Tasks of the plan/ }).waitFor();
    await page.getByRole("table", { name: "Reservations" }).getByText("home").first().waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: /^Execute this plan for .* SU$/ }).click();
    await page.getByRole("heading", { level: 1, name: "coat" }).waitFor();
    await page.getByText("2 DONE").waitFor();
  });

  it("shows a workflow with its tasks, and leads to their jobs", async () => {
    const token = adminToken(live.stateDirectory);
    const task = (id: string, parents: readonly number[] = [], inputs: readonly string[] = []) => ({
      ...{ id, parents, procs: 1, runtimeSec: 5, executable: "/bin/sh" },
      ...{ arguments: ["-c", `echo ${id} > ${id}.txt`], inputs, outputs: [`${id}.txt`] },
    });
    const tasks = [task("cut"), task("sew", [0], ["cut.txt"])];
    const body = { name: "survey", bestEffort: true, tasks };
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `${live.url()}/api/v1/workflows`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status, await answer.clone().text()).toBe(201);
    const page = await browser.signedIn(live.url(), token);
    await page.goto(`${live.url()}/workflows`);
    await page.getByRole("link", { name: /^survey/ }).click();
    const drawing = page.getByRole("region", { name: "Tasks in the order of their dependencies" });
    await drawing.getByRole("link", { name: "sew DONE" }).waitFor();
    await page.getByText("2 DONE").waitFor();
    const files = page.getByRole("region", { name: "Files" });
    const arrives = page.waitForEvent("download");
    await files.getByRole("link", { name: "sew.txt" }).click();
    expect(readFileSync(await (await arrives).path(), "utf8")).toBe("sew\n");
    await files.getByText("removed: no further task reads it").waitFor();
    await expectAccessible(page);
    await drawing.getByRole("link", { name: "cut DONE" }).click();
    await page.getByRole("heading", { name: "Output" }).waitFor();
  });

  it("shows when the files and the record of a purged job were removed", async () => {
    const [id = ""] = live.ask("submit", "--name", "gone", "--", "/bin/true").out.split("\n");
    await live.until(id, "DONE");
    const purged = live.ask("purge", id);
    expect(purged.code, purged.err).toBe(0);
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    await page.goto(`${live.url()}/jobs/${id}`);
    await page.getByText(/^The files of this job were removed /).waitFor();
    await page.getByRole("row", { name: /^Purged .*accounting and provenance are kept$/ }).waitFor();
    await page.getByRole("row", { name: "Ended as DONE" }).waitFor();
    await expectAccessible(page);
  });
});
