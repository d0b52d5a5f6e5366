/** The schedule of a site in a real browser: bars by keyboard; a slot that is drawn, priced and reserved. */
import { setTimeout } from "node:timers/promises";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { liveSetting } from "../live-setting.ts";
import { adminToken, expectAccessible, hasChromium, howToInstallChromium, pages } from "./browser.ts";

const hasFocus = (one: Locator) => one.evaluate((it) => it.matches(":focus"));
const idIn = ({ id }: { readonly id: string }): string => id;

describe.skipIf(!hasChromium)(`the schedule${howToInstallChromium}`, () => {
  const live = liveSetting(["  - { name: home, type: managed, procs: 4, memory: 4G }"]);
  const browser = pages();
  const open = async (looks = {}) => {
    const page = await browser.signedIn(live.url(), adminToken(live.stateDirectory), looks);
    await page.goto(`${live.url()}/sites/home`);
    const chart = page.getByRole("application", { name: /^Schedule of home: / });
    await chart.waitFor();
    return { page, chart };
  };

  it("tells of each job by keyboard, and opens one", async () => {
    live.ask("submit", "--name", "runs-on", "-n", "3", "-t", "1h", "--", "sleep", "600");
    live.ask("submit", "--name", "waits", "-n", "4", "-t", "30m", "--", "sleep", "1");
    const { page, chart } = await open();
    await page.getByRole("region", { name: "Bars of home" }).getByText("waits").waitFor();
    await expectAccessible(page);
    await chart.focus();
    await page.keyboard.press("PageDown");
    await page.getByText(/^runs-on, RUNNING · 3 processors/).waitFor();
    await page.keyboard.press("PageDown");
    await page.getByText(/^1 free, free slot · 1 processor, .* price: .* SU/).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(/^1 processor for /).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page
      .getByRole("region", { name: "Bars of home" })
      .getByRole("row", { name: /^1 free free slot/ })
      .getByText(/SU per processor-hour/)
      .waitFor();
    await chart.focus();
    // A free slot that begins now is another one a moment later, and then the first bar comes again.
    const isTold = async (): Promise<boolean> => {
      await page.keyboard.press("PageDown");
      const told = page.getByText(/^waits, SCHEDULED · 4 processors/).waitFor({ timeout: 5000 });
      return told.then(
        () => true,
        () => false,
      );
    };
    await expect.poll(isTold).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /^waits/ }).waitFor();
  });

  it("prices a rectangle, says whom it delays, and reserves it by one click", async () => {
    const { page, chart } = await open();
    await page.getByRole("region", { name: "Bars of home" }).getByText("waits").waitFor();
    await page.getByRole("button", { name: "Price a slot" }).click();
    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart is not shown");
    // In front of the waiting job, over one of the four rows.
    await page.mouse.move(box.x + box.width * 0.5, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, box.y + 120, { steps: 5 });
    await page.mouse.up();
    await page.getByText(/^1 processor for /).waitFor();
    const reserve = page.getByRole("button", { name: /^Reserve it for .* SU$/ });
    await reserve.waitFor();
    await expectAccessible(page);
    await reserve.click();
    await page.getByText(/✓ Reserved: /).waitFor();
    const { items } = JSON.parse(live.ask("reservations", "-o", "json").out);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ site: "home", procs: 1 });
    await page
      .getByRole("region", { name: "Bars of home" })
      .getByText(/reservation/)
      .first()
      .waitFor();
  });

  it("prices a rectangle drawn by keyboard, and reserves it by a second Enter", async () => {
    const { page, chart } = await open();
    await page.getByRole("region", { name: "Bars of home" }).getByText("waits").waitFor();
    await page.getByRole("button", { name: "Price a slot" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(/^1 processor for .* Enter requests the price/).waitFor();
    expect(await hasFocus(chart)).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByText(/Enter requests the price/).waitFor({ state: "detached" });
    // Beyond all that is planned.
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("r");
    await page.keyboard.press("ArrowDown");
    for (let presses = 0; presses < 40; presses++) await page.keyboard.press("ArrowRight");
    const said = await page.getByText(/^2 processors for .* Enter requests the price/).textContent();
    await page.keyboard.press("Enter");
    await page.getByText(said?.split(",")[0] ?? "", { exact: true }).waitFor();
    const reserve = page.getByRole("button", { name: /^Reserve it for .* SU$/ });
    await expect.poll(() => hasFocus(reserve)).toBe(true);
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await page.getByText(/✓ Reserved: /).waitFor();
    expect(await hasFocus(chart)).toBe(true);
    const { items } = JSON.parse(live.ask("reservations", "-o", "json").out);
    expect(items.map(({ procs }: { procs: number }) => procs).sort()).toEqual([1, 2]);
  });

  it("is read on a phone, in the dark", async () => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true } as const;
    const { page, chart } = await open({ colorScheme: "dark", ...phone });
    await expectAccessible(page);
    const box = await chart.boundingBox();
    if (box === null) throw new Error("the chart is not shown");
    const session = await page.context().newCDPSession(page);
    const y = box.y + 130;
    /** Moves fingers by steps of so many px each. */
    const drag = async (fingers: readonly (readonly [x: number, stepPx: number])[]) => {
      const at = (step: number) => fingers.map(([x, px], id) => ({ x: x + step * px, y, id }));
      await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
      for (let step = 1; step <= 10; step++) {
        await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step) });
      }
      await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    const slider = page.getByRole("slider", { name: /^Current time/ });
    const fromSec = async () => Number(await slider.getAttribute("aria-valuemin"));
    /** Seconds by which the window moves under a finger. */
    const movedBy = async (stepPx: number) => {
      const before = await fromSec();
      await drag([[200, stepPx]]);
      await expect.poll(fromSec).not.toBe(before);
      return Math.abs((await fromSec()) - before);
    };
    const whole = await movedBy(10);
    // From 40 px between the fingers to 240.
    await drag([
      [180, -10],
      [220, 10],
    ]);
    expect(whole / (await movedBy(10))).toBeGreaterThan(4);
  });

  it("compares past predictions with what happened, by mouse and by keyboard", async () => {
    const list = JSON.parse(live.ask("list", "-o", "json").out) as { items: { id: string; name: string }[] };
    const idOf = (name: string) => list.items.find((job) => job.name === name)?.id ?? "";
    live.ask("cancel", idOf("waits"));
    live.ask("submit", "--name", "hoped", "-n", "4", "-t", "30m", "--", "sleep", "600");
    await setTimeout(4000);
    const believedAtSec = Date.now() / 1000;
    await setTimeout(2000);
    live.ask("cancel", idOf("runs-on"));
    live.ask("unreserve", ...JSON.parse(live.ask("reservations", "-o", "json").out).items.map(idIn));
    await live.until(idOf("runs-on"), "CANCELLED");
    const { page, chart } = await open();
    await chart.focus();
    await page.keyboard.press("Home");
    const line = page.getByRole("slider", { name: /^Current time/ });
    expect(await line.getAttribute("aria-valuetext")).toBe("now");
    const zoomIn = async () => {
      const box = (await line.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.mouse.move(box.x + 2, box.y + 200);
      await page.mouse.wheel(0, -1800);
    };
    await zoomIn();
    const box = await line.boundingBox();
    if (box === null) throw new Error("the line is not shown");
    await page.mouse.move(box.x + box.width / 2, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x - 200, box.y + 8, { steps: 6 });
    await page.mouse.up();
    const believed = page.getByRole("region", { name: "Schedule as of that time" });
    await believed
      .getByRole("status")
      .getByText(/dashed outline|started as predicted/)
      .waitFor();
    await line.focus();
    await page.keyboard.press("End");
    await believed.waitFor({ state: "detached" });
    // By keyboard to an instant at which it was to wait for an hour.
    const atSec = async () => Number(await line.getAttribute("aria-valuenow"));
    while ((await atSec()) > believedAtSec) await page.keyboard.press("ArrowLeft");
    await believed.getByText(/ started at a different time, or will/).waitFor();
    const row = believed
      .getByRole("region", { name: "Predicted and actual" })
      .getByRole("row", { name: /hoped/ });
    await row.getByText("≠ hoped").waitFor();
    await row
      .getByText(/\d+m.* earlier/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await chart.focus();
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press("PageDown");
      if (await page.getByText(/^hoped, .*happened: starts .* earlier than predicted/).isVisible()) break;
    }
    await page.getByText(/^hoped, .*happened: starts .* earlier than predicted/).waitFor();
    await page.getByRole("button", { name: "Back to now" }).click();
    await believed.waitFor({ state: "detached" });
  });
});
