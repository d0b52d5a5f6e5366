/** Policies in a real browser: one is edited, tried, applied and enforced on running jobs. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { createClient, type StintClient } from "../../src/api/client/index.ts";
import { liveSetting } from "../live-setting.ts";
import { adminToken, expectAccessible, hasChromium, howToInstallChromium, pages } from "./browser.ts";

const enforcement = "enforcement: { grant: [hold, suspend], minRun: 0s }";

describe.skipIf(!hasChromium)(`the view of policies${howToInstallChromium}`, () => {
  const live = liveSetting([`  - { name: home, type: managed, procs: 2, ${enforcement} }`]);
  const browser = pages();
  let admin: StintClient;
  let page: Page;
  let users: readonly StintClient[];

  const submit = async (client: StintClient, seconds: string): Promise<string> => {
    const job = { executable: "sleep", arguments: [seconds], procs: 1, wallTimeSec: 3600 };
    const { ids } = await client.call("submitJobs", { body: job });
    return ids[0];
  };

  beforeAll(async () => {
    admin = createClient({ url: live.url(), token: adminToken(live.stateDirectory) });
    const made = ["cms/ann", "atlas/bob"].map(async (consumer) => {
      const { token } = await admin.createToken({ role: "user", consumer });
      return createClient({ url: live.url(), token });
    });
    users = await Promise.all(made);
    page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    return () => {
      for (const client of [admin, ...users]) client.close();
    };
  });

  it("a policy is written, marked where it is wrong, compared, tried, applied, and enforced", async () => {
    const [cms, atlas] = users;
    const running = [await submit(cms, "600"), await submit(cms, "600")];
    for (const id of running) await live.until(id, "RUNNING");
    const waiting = await submit(atlas, "600");
    await page.getByRole("link", { name: "Policies" }).click();
    await page.getByText("You see no share of home").waitFor();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Change" }).click();
    const editor = page.getByRole("textbox", { name: "Policies as text" });
    await editor.fill("- CPU, home, cms, (3600,50), (60,20)\n- CPU, moon, atlas, (3600,50)\n");
    await page.getByRole("button", { name: "error, line 1" }).waitFor();
    await page.getByRole("button", { name: "error, line 2" }).waitFor();
    expect(await page.getByRole("button", { name: "Apply as version 1" }).isDisabled()).toBe(true);
    await expectAccessible(page);
    const shares = ["cms", "atlas"].map((who) => `- CPU, home, ${who}, (3600,50), (5,50)\n`);
    await editor.fill(shares.join(""));
    await page.getByRole("row", { name: /added home atlas cpu 50%/ }).waitFor();
    await page.getByRole("button", { name: "Test the change on the last 30 days at home" }).click();
    await page.getByRole("table", { name: "Mean waits by organisation" }).getByText("cms").waitFor();
    await page.getByRole("textbox", { name: "Reason" }).fill("half each");
    await page.getByRole("button", { name: "Apply as version 1" }).click();
    await page.getByText("Version 1 is now in force").waitFor();
    await expectAccessible(page);
    // Two processors are more than the burst of cms: one job is suspended, and that of atlas runs.
    await live.until(waiting, "RUNNING");
    await page.getByRole("tab", { name: "Enforcement" }).click();
    const done = page.getByRole("table", { name: /Actions of the enforcer/ });
    await done
      .getByText(/suspend/i)
      .first()
      .waitFor();
    await expectAccessible(page);
    expect(await Promise.all(running.map(async (id) => (await admin.job(id)).state))).toContain("SUSPENDED");
  });

  it("shows who is over and who is owed, and the use of a consumer over time with its table", async () => {
    await page.getByRole("tab", { name: "Shares" }).click();
    const shares = page.getByRole("table", { name: "Shares of home" });
    await shares.getByRole("row", { name: /cms/ }).getByText("50%", { exact: true }).first().waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Use of atlas over time" }).click();
    await page.getByRole("img", { name: /used by atlas, against/ }).waitFor();
    await page.getByText("The same as a table").click();
    await page.getByRole("table", { name: /Use step by step/ }).waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 800 });
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("a version that somebody else applies meanwhile must be looked at before one's own", async () => {
    await page.getByRole("tab", { name: "Change" }).click();
    const editor = page.getByRole("textbox", { name: "Policies as text" });
    await editor.fill("- CPU, home, cms, (3600,40), (60,100)\n- CPU, home, local, (3600,10)\n");
    const apply = page.getByRole("button", { name: /Apply as version/ });
    await page.getByRole("row", { name: /removed home atlas/ }).waitFor();
    const { now } = await admin.policies();
    await admin.applyPolicies({ policies: now?.policies.slice(0, 2) ?? [], note: "by another" });
    await page.getByText("Version 2 was applied while you were editing").waitFor();
    expect(await apply.isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByRole("button", { name: "I have reviewed the differences" }).click();
    await page.getByRole("button", { name: "Apply as version 3" }).click();
    await page.getByText("Version 3 is now in force").waitFor();
    expect((await admin.policies()).now?.policies.map(({ consumer }) => consumer)).toEqual(["cms", "local"]);
  });

  it("verifies the log, and pauses and continues the enforcer", async () => {
    await page.getByRole("tab", { name: "Verification" }).click();
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText(/Seal of the evidence/).waitFor();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Enforcement" }).click();
    await page.getByRole("button", { name: "Pause enforcement" }).click();
    await page.getByRole("button", { name: "Continue enforcement" }).click();
    await page.getByRole("button", { name: "Pause enforcement" }).waitFor();
  });
});
