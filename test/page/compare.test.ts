/** Two schedules side by side in a real browser: sites, simulations, and one of each. */
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/api/client/index.ts";
import { liveSetting } from "../live-setting.ts";
import { adminToken, expectAccessible, hasChromium, howToInstallChromium, pages } from "./browser.ts";

/** On 4 processors the third job backfills under easy, and waits under fcfs. */
const WORKLOAD = `; MaxProcs: 4
1 0 -1 1000 3 -1 -1 3 1000 -1 1 1 1 1 1 1 -1 -1
2 10 -1 1000 4 -1 -1 4 1000 -1 1 2 1 1 1 1 -1 -1
3 20 -1 100 1 -1 -1 1 100 -1 1 3 1 1 1 1 -1 -1
`;

describe.skipIf(!hasChromium)(`schedules side by side${howToInstallChromium}`, () => {
  const live = liveSetting([
    "  - { name: home, type: managed, procs: 4, memory: 4G }",
    "  - { name: oak, type: simulated, procs: 8, discipline: easy }",
  ]);
  const browser = pages();
  const simulated = async (): Promise<string> => {
    const client = createClient({ url: live.url(), token: adminToken(live.stateDirectory) });
    try {
      const { id } = await client.call("runSimulation", {
        body: {
          name: "backfill",
          workload: { upload: { file: "three.swf", text: WORKLOAD } },
          variants: [
            { name: "fcfs", discipline: "fcfs" },
            { name: "easy", discipline: "easy" },
          ],
        },
      });
      const state = async () => (await client.call("getSimulation", { params: { id } })).state;
      await expect.poll(state, { timeout: 200_000 }).toBe("done");
      return id;
    } finally {
      client.close();
    }
  };

  it("marks the jobs that start at another time, in the charts and in the table", async () => {
    const id = await simulated();
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    await page.goto(`${live.url()}/compare`);
    await page.getByText("Choose two schedules").waitFor();
    await page.getByRole("combobox", { name: "Above" }).click();
    await page.getByRole("option", { name: "backfill, fcfs" }).click();
    await page.getByRole("combobox", { name: "Below" }).click();
    await page.getByRole("option", { name: "backfill, easy" }).click();
    await page
      .getByText(/^1 job starts at a different time, 1 of them earlier in the lower schedule/)
      .waitFor();
    expect(decodeURIComponent(page.url())).toContain(`simulation:${id}:1`);
    const table = page.getByRole("region", { name: "Both schedules" });
    await table
      .getByRole("row", { name: /≠ job 3/ })
      .getByText("33m00s earlier")
      .first()
      .waitFor();
    expect(await table.getByRole("row", { name: /≠ job 2/ }).count()).toBe(0);
    await page.getByText("at a different time in the other schedule").first().waitFor();
    await expectAccessible(page);
    const below = page.getByRole("application", { name: /^Schedule of backfill, easy/ });
    await below.focus();
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press("PageDown");
    await page
      .getByText(/backfill, easy: starts .* earlier than backfill, fcfs/)
      .first()
      .waitFor();
  });

  it("says where two sites have no job in common, and when a simulation begins beside a site", async () => {
    live.ask("submit", "--name", "here", "--site", "home", "-n", "1", "-t", "1h", "--", "sleep", "600");
    const id = await simulated();
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    await page.goto(`${live.url()}/compare?first=site:home&other=site:oak`);
    await page.getByText("The schedules have no job in common, so nothing is marked.").waitFor();
    await page
      .getByRole("region", { name: "Both schedules" })
      .getByRole("link", { name: "≠ here" })
      .waitFor();
    await page.goto(`${live.url()}/compare?first=site:home&other=simulation:${id}:0`);
    await page.getByText(/The simulation begins /).waitFor();
    await page.goto(`${live.url()}/compare?first=site:nowhere&other=site:oak`);
    await page
      .getByText(/nowhere/)
      .first()
      .waitFor();
  });
});
