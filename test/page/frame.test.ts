/** The page in a real browser: sign-in, what is live, a restart of the broker, a job and its output. */
import { describe, expect, it } from "vitest";
import { liveSetting } from "../live-setting.ts";
import { adminToken, expectAccessible, hasChromium, howToInstallChromium, pages } from "./browser.ts";

describe.skipIf(!hasChromium)(`the page${howToInstallChromium}`, () => {
  const live = liveSetting(["  - { name: home, type: managed, procs: 2, memory: 2G }"]);
  const browser = pages();

  it("asks for a token, says what is wrong with one, and ends a session", async () => {
    const page = await browser.stranger(live.url());
    await page.getByRole("heading", { name: "Sign in to Stint" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("textbox", { name: "Token" }).fill("stint_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("was not issued by this broker").waitFor();
    await page.getByRole("textbox", { name: "Token" }).fill(adminToken(live.stateDirectory));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    expect(await page.evaluate("document.cookie")).toBe("");
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
    await page.getByRole("button", { name: /admin/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Stint" }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  it("shows a job from its submission to its output, without being asked again", async () => {
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    await page.getByText("You have no active jobs").waitFor();
    const ran = live.ask("submit", "--name", "hello", "--", "sh", "-c", "echo one; sleep 4; echo two");
    expect(ran.code, ran.err).toBe(0);
    const link = page.getByRole("link", { name: /^hello/ });
    await link.first().waitFor();
    await expectAccessible(page);
    await link.first().click();
    await page.getByRole("heading", { level: 1, name: /hello/ }).waitFor();
    await page.getByLabel("stdout").getByText("one").waitFor();
    await page.getByLabel("stdout").getByText("two").waitFor();
    await page.getByText(/DONE/).first().waitFor();
    await expectAccessible(page);
  });

  it("tells when the broker is away, and goes on when it is back", async () => {
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory));
    await page.getByRole("heading", { name: "Sites" }).waitFor();
    const url = new URL(live.url());
    await live.end("SIGTERM");
    await page.getByText("The connection to the broker was lost").waitFor();
    await live.up(["--port", url.port]);
    await page.getByText("The connection to the broker was lost").waitFor({ state: "detached" });
    live.ask("submit", "--name", "afterwards", "--", "sleep", "60");
    await page
      .getByRole("link", { name: /^afterwards/ })
      .first()
      .waitFor();
  });

  it("has its libraries as users have them, although this test runs with NODE_ENV=test", async () => {
    const document = await (await fetch(`${live.url()}/`, { headers: { accept: "text/html" } })).text();
    const scripts = [...document.matchAll(/(?:src|href)="([^"]+\.js)"/g)].flatMap(([, path]) => path ?? []);
    expect(scripts.length).toBeGreaterThan(0);
    for (const path of scripts) {
      const script = await (await fetch(new URL(path, live.url()))).text();
      expect(script.includes("react_stack_bottom_frame"), path).toBe(false);
    }
  });

  it("admits no inline script, and refuses requests of other sites", async () => {
    const answer = await fetch(`${live.url()}/jobs`, { headers: { accept: "text/html" } });
    expect(answer.headers.get("content-security-policy")).toMatch(/script-src 'self';/);
    expect(await answer.text()).not.toMatch(/<script(?![^>]*src=)/);
    const token = adminToken(live.stateDirectory);
    const cookie = `stint_session_${new URL(live.url()).port}=${token}`;
    const session = `${live.url()}/api/v1/sites/home/drain`;
    const forged = await fetch(session, { method: "POST", headers: { cookie } });
    expect(forged.status).toBe(403);
    expect(await forged.json()).toMatchObject({ type: "urn:stint:crossSite" });
    const foreign = { cookie, "x-stint-page": "1", origin: "https://elsewhere.example" };
    expect((await fetch(session, { method: "POST", headers: foreign })).status).toBe(403);
    const own = { cookie, "x-stint-page": "1", origin: live.url() };
    expect((await fetch(session, { method: "POST", headers: own })).status).toBe(200);
  });
});
