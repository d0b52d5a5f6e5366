/** The What-if view in a real browser: from an upload to the comparison, kept, named, shared, exported. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/api/client/index.ts";
import { liveSetting } from "../live-setting.ts";
import { stint } from "../stint.ts";
import { adminToken, expectAccessible, hasChromium, howToInstallChromium, pages } from "./browser.ts";

const poisson = resolve(import.meta.dirname, "../../examples/poisson.swf");

describe.skipIf(!hasChromium)(`the what-if view${howToInstallChromium}`, () => {
  const live = liveSetting(["  - { name: home, type: managed, procs: 2, memory: 2G }"]);
  const browser = pages();

  it("runs an uploaded workload under two variants and compares them", async () => {
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    await page.getByRole("link", { name: "What if" }).click();
    await page.getByText("No simulation is kept yet").waitFor();
    await expectAccessible(page);
    await page.getByText("A file", { exact: true }).click();
    await page.locator("input[type=file]").setInputFiles(poisson);
    await page.getByRole("button", { name: "Add a variant" }).click();
    await page.getByRole("textbox", { name: "Name of variant 3" }).fill("twice as large");
    await page.getByRole("textbox", { name: "Processors of variant 3" }).fill("256");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("does backfilling help?");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "does backfilling help?" }).waitFor();
    await page.getByRole("heading", { name: "Who gains and who loses" }).waitFor();
    await page.getByRole("img", { name: /^Waiting jobs over time/ }).waitFor();
    await expectAccessible(page);

    // The page shows what the command line prints.
    const printed = (words: readonly string[]) =>
      JSON.parse(stint(["sim", poisson, ...words, "-o", "json"]).out) as { readonly utilisation: number };
    const measures = page.getByRole("region", { name: "Measures, table" });
    const shown = await measures.getByRole("row", { name: /^Utilisation/ }).textContent();
    for (const words of [
      ["--discipline", "fcfs"],
      ["--discipline", "easy"],
      ["--procs", "256"],
    ]) {
      expect(shown).toContain(`${Math.round(1000 * printed(words).utilisation) / 10} %`);
    }

    const jobs = page.getByRole("region", { name: "Jobs that gain and lose most, table" });
    await jobs
      .getByRole("row", { name: /earlier$/ })
      .first()
      .waitFor();

    // Both schedules beside each other; a move of one moves the other.
    await page.getByRole("button", { name: "Draw both schedules" }).click();
    const above = page.getByRole("application", { name: /^Schedule under first come/ });
    const below = page.getByRole("application", { name: /^Schedule under EASY/ });
    await below.waitFor();
    await expectAccessible(page);
    const pixels = (chart: typeof above) =>
      chart.evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL());
    const [first, other] = [await pixels(above), await pixels(below)];
    expect(first).not.toBe(other);
    await above.press("+");
    await expect.poll(() => pixels(above)).not.toBe(first);
    await expect.poll(() => pixels(below)).not.toBe(other);

    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Jobs as CSV" }).click();
    const rows = readFileSync(await (await download).path(), "utf8")
      .trim()
      .split("\n");
    expect(rows).toHaveLength(1 + 3 * 3000);
  });

  it("keeps it: renamed, shared by its address, run again, deleted", async () => {
    const admin = adminToken(live.stateDirectory);
    const client = createClient({ url: live.url(), token: admin });
    const { token } = await client.createToken({ role: "user", consumer: "cms/ann" });
    const { id } = await client.call("runSimulation", {
      body: {
        name: "pools",
        workload: { example: "two-pools" },
        variants: [{ name: "today", discipline: "fcfs", pools: [{ name: "gpu", nodes: 3 }] }],
      },
    });
    client.close();
    const page = await browser.signedIn(live.url(), admin);
    await page.goto(`${live.url()}/what-if/${id}`);
    await page.getByRole("button", { name: "Rename or share" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("two pools");
    await page.getByRole("switch").check();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "two pools" }).waitFor();

    const hers = await browser.signedIn(live.url(), token);
    await hers.goto(`${live.url()}/what-if/${id}`);
    await hers.getByRole("heading", { level: 1, name: "two pools" }).waitFor();
    expect(await hers.getByRole("button", { name: "Delete" }).count()).toBe(0);

    await page.getByRole("link", { name: "Change and run again" }).click();
    await page.getByRole("button", { name: "More rules of variant 1" }).click();
    expect(await page.getByLabel("Pools").inputValue()).toBe("gpu nodes=3");
    await page.getByLabel("Pools").fill("cpu nodes=1");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "two pools (again)" }).waitFor();
    await page.getByRole("heading", { name: "Waits" }).waitFor();

    page.on("dialog", (dialog) => void dialog.accept());
    await page.goto(`${live.url()}/what-if/${id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "two pools (again)" }).waitFor();
    expect(await page.getByRole("link", { name: "two pools", exact: true }).count()).toBe(0);
    await hers.reload();
    await hers.getByText("There is no simulation").waitFor();
  });

  it("says why a workload cannot be simulated, and what is missing", async () => {
    const phone = { colorScheme: "dark", viewport: { width: 390, height: 800 } } as const;
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory), phone);
    await page.goto(`${live.url()}/what-if`);
    await page.getByText("A file", { exact: true }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("broken");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("No file is chosen").waitFor();
    const broken = { name: "broken.swf", mimeType: "text/plain", buffer: Buffer.from("1 2 three\n") };
    await page.locator("input[type=file]").setInputFiles(broken);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("The simulation failed: broken.swf").waitFor();
    await expectAccessible(page);
  });
});
