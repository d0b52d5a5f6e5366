/** Jobs on the page in a real browser: described, submitted, watched, held, ended, and submitted again. */
import { describe, expect, it } from "vitest";
import { liveSetting } from "../live-setting.ts";
import { adminToken, expectAccessible, hasChromium, howToInstallChromium, pages } from "./browser.ts";

describe.skipIf(!hasChromium)(`jobs on the page${howToInstallChromium}`, () => {
  const live = liveSetting(["  - { name: home, type: managed, procs: 2, memory: 2G }"]);
  const browser = pages();
  const open = async (path: string, looks = {}) => {
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory), looks);
    await page.goto(live.url() + path);
    return page;
  };

  it("sends what the form says, shows it running, and its output", async () => {
    const page = await open("/submit");
    await page.getByLabel("Command").fill("echo begun; sleep 3; echo ended");
    await page.getByLabel("Name").fill("by-hand");
    await page.getByRole("table", { name: "Sites for this job" }).getByText("home").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Submit", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: /^by-hand/ }).waitFor();
    await page.getByLabel("stdout").getByText("ended").waitFor();
    await page.getByText(/DONE/).first().waitFor();
    await page.getByRole("link", { name: "Submit again" }).click();
    const editor = page.getByRole("textbox", { name: "Job descriptions" });
    expect(await editor.inputValue()).toContain('name: "by-hand"');
    await page.getByRole("button", { name: "Submit", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: /^by-hand/ }).waitFor();
    const { out } = live.ask("list", "--name", "by-hand", "-o", "json");
    expect(JSON.parse(out).items).toHaveLength(2);
  });

  it("uploads input files, which are kept when the job is submitted again", async () => {
    const page = await open("/submit");
    await page.getByLabel("Command").fill("./greet data.txt");
    await page.getByLabel("Name").fill("with-files");
    await page.getByLabel("Input files to upload").setInputFiles([
      { name: "greet", mimeType: "text/plain", buffer: Buffer.from("#!/bin/sh\necho hello $(cat $1)\n") },
      { name: "data.txt", mimeType: "text/plain", buffer: Buffer.from("world") },
    ]);
    const files = page.getByRole("table", { name: "Input files of the job" });
    await expect.poll(() => files.getByText("✓ uploaded").count(), { timeout: 200_000 }).toBe(2);
    expect(await page.getByLabel("greet may be executed").isChecked()).toBe(true);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Submit", exact: true }).click();
    await page.getByLabel("stdout").getByText("hello world").waitFor();
    await page.getByRole("link", { name: "Submit again" }).click();
    await expect.poll(() => files.getByText("✓ uploaded").count(), { timeout: 200_000 }).toBe(2);
    await page.getByRole("button", { name: "Submit", exact: true }).click();
    await page.getByLabel("stdout").getByText("hello world").waitFor();
    const { out } = live.ask("list", "--name", "with-files", "-o", "json");
    expect(JSON.parse(out).items).toHaveLength(2);
  });

  it("marks a mistake at its line, says what to do, and sends nothing", async () => {
    const page = await open("/submit", { colorScheme: "dark" });
    await page.getByText("Write or paste").click();
    const editor = page.getByRole("textbox", { name: "Job descriptions" });
    await editor.fill("executable: sleep\narguments: 10\nprocs: many\n");
    const place = page.getByRole("button", { name: "error, line 3" });
    await place.waitFor();
    // The program is not a file beside the description: a text has none.
    expect(await page.getByRole("button", { name: /^warning/ }).count()).toBe(0);
    await expectAccessible(page);
    expect(await page.getByRole("button", { name: "Submit", exact: true }).isDisabled()).toBe(true);
    await place.click();
    expect(await editor.evaluate((area: { selectionStart?: number }) => area.selectionStart)).toBeGreaterThan(
      30,
    );
  });

  it("holds, releases and cancels a waiting job, and says why it waits", async () => {
    live.ask("submit", "--name", "wide", "-n", "2", "-t", "1h", "--", "sleep", "600");
    const [id = ""] = live.ask("submit", "--name", "queued", "-n", "2", "--", "sleep", "5").out.split("\n");
    const page = await open(`/jobs/${id}`, { viewport: { width: 390, height: 800 } });
    await page.getByText("Predicted start").first().waitFor();
    await page
      .getByText(/needs 2 processors/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Hold" }).click();
    await page.getByText(/HELD/).first().waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Release" }).click();
    await page.getByRole("button", { name: "Hold" }).waitFor();
    page.on("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Cancel" }).click();
    await page
      .getByText(/CANCELLED/)
      .first()
      .waitFor();
    expect(live.status(id).state).toBe("CANCELLED");
  });

  it("changes a waiting job as helps it, by a button", async () => {
    live.ask("cancel", "--all", "--yes");
    live.ask("submit", "--name", "long", "-n", "1", "-t", "1h", "--", "sleep", "600");
    const [id = ""] = live.ask("submit", "--name", "smaller", "-n", "2", "--", "sleep", "1").out.split("\n");
    const page = await open(`/jobs/${id}`);
    await page.getByRole("button", { name: "Change it to 1 processor" }).click();
    await page.getByText(/DONE/).first().waitFor();
    expect(live.status(id).state).toBe("DONE");
  });

  it("gives out a token, with which somebody else signs in and sees no others' jobs", async () => {
    const page = await open("/admin");
    await page.getByRole("tab", { name: "Tokens" }).click();
    await page.getByLabel("Consumer").fill("physics/anna");
    await page.getByRole("button", { name: "Create" }).click();
    const token = await page.getByText(/^stint_\w{12}_/).textContent();
    await expectAccessible(page);
    const anna = await browser.signedIn(live.url(), token ?? "");
    await anna.getByText("You have no active jobs").waitFor();
    await anna.goto(`${live.url()}/jobs`);
    await anna.getByText("No job matches").waitFor();
    await anna.goto(`${live.url()}/admin`);
    expect(await anna.getByRole("button", { name: "Drain" }).count()).toBe(0);
  });

  it("drains and reopens a site", async () => {
    const page = await open("/admin", { colorScheme: "dark" });
    await page.getByRole("button", { name: "Drain" }).click();
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByRole("button", { name: "Drain" }).waitFor();
    await page.getByRole("tab", { name: "Health" }).click();
    await page.getByText("The broker is ready").waitFor();
    for (const name of ['Active jobs: state="RUNNING"', 'Site unhealthy (1 = yes): site="home"']) {
      await page.getByText(name).waitFor();
    }
    await expectAccessible(page);
  });
});
