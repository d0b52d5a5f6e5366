/** Limits of policies above the schedule of a site, in a real browser. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/api/client/index.ts";
import { liveSetting } from "../live-setting.ts";
import { adminToken, expectAccessible, hasChromium, howToInstallChromium, pages } from "./browser.ts";

const POLICIES = "- CPU, home, cms, (3600,25), (60,25)\n";

describe.skipIf(!hasChromium)(`limits above a schedule${howToInstallChromium}`, () => {
  const live = liveSetting(["  - { name: home, type: managed, procs: 4, memory: 4G }"]);
  const browser = pages();

  it("are strips with the use that counts against them, and a table that says what is above", async () => {
    const file = join(live.folder, "p.policy.yaml");
    writeFileSync(file, POLICIES);
    expect(live.ask("policy", "apply", file)).toMatchObject({ code: 0 });
    const admin = createClient({ url: live.url(), token: adminToken(live.stateDirectory) });
    const { token } = await admin.createToken({ role: "user", consumer: "cms/ann" });
    admin.close();
    const ann = createClient({ url: live.url(), token });
    await ann.call("submitJobs", {
      body: { name: "two", executable: "sleep", arguments: ["600"], procs: 2, wallTimeSec: 3600 },
    });
    ann.close();
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    await page.goto(`${live.url()}/sites/home`);
    const row = page.getByRole("table", { name: "Use against limits" }).getByRole("row", { name: /^cms / });
    await row.getByText("✕ above: 2").waitFor();
    const chart = page.getByRole("application", { name: /^Schedule of home/ });
    // 64 px of all use, a strip of 38, 20 of the marks of time, and the few rows at the least height.
    expect((await chart.boundingBox())?.height).toBe(64 + 38 + 20 + 160);
    await expectAccessible(page);
  });
});
