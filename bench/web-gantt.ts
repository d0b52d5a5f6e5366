/**
 * Gantt charts of the page in a real browser: 50,000 bars in each of two charts of a simulation.
 *
 * `npx tsx bench/web-gantt.ts` starts a broker with a simulation of drawn jobs, opens its results in Chromium
 * (Debian's, or `STINT_CHROMIUM`), draws both schedules, and pans the first one frame by frame, which moves
 * both. One chart's first time is taken as half of both. Needs a built dist/.
 */
import { setTimeout } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { createClient } from "../src/api/client/index.ts";
import { createRandom, drawFraction } from "../src/base/index.ts";
import { tell, withPageBroker } from "./page-broker.ts";

const JOBS = 50_000;
const PROCS = 512;
const FRAMES = 60;
const FIRST_MS = 150;
const PREPARED_MS = 4000;
const PER_SECOND = 30;

/** Jobs in SWF, drawn for a load of 0.85. */
function workload(): string {
  const random = createRandom(11);
  const lines = [`; MaxProcs: ${PROCS}`];
  let submitSec = 0;
  for (let id = 1; id <= JOBS; id++) {
    const procs = 1 + Math.floor(drawFraction(random) * 63);
    const runSec = 1 + Math.floor(drawFraction(random) * 3600);
    submitSec += drawFraction(random) * 2 * ((32 * 1800) / (0.85 * PROCS));
    const user = 1 + Math.floor(drawFraction(random) * 40);
    const times = `${Math.round(submitSec)} -1 ${runSec}`;
    lines.push(`${id} ${times} ${procs} -1 -1 ${procs} ${2 * runSec} -1 1 ${user} 1 1 1 1 -1 -1`);
  }
  return `${lines.join("\n")}\n`;
}

/** In the page: milliseconds from the press until both charts are painted, and of the pans. */
const FIRST = `(async () => {
  const buttons = [...document.querySelectorAll("button")];
  const button = buttons.find((it) => it.textContent === "Draw both schedules");
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  const began = performance.now();
  button.click();
  while (document.querySelectorAll("canvas[role=application]").length < 2) await frame();
  await frame();
  await frame();
  return performance.now() - began;
})()`;

/** In the page: the longest task since the last reading, and notes tasks from now on. */
const LONGEST = `(() => {
  const longest = Math.max(0, ...(globalThis.tasks ?? []));
  globalThis.tasks = [];
  globalThis.observer ??= new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.tasks.push(duration);
  });
  globalThis.observer.observe({ type: "longtask", buffered: true });
  return longest;
})()`;

const pan = (zooms: number): string => `(async () => {
  const canvas = document.querySelector("canvas[role=application]");
  const box = canvas.getBoundingClientRect();
  const frame = () => new Promise(requestAnimationFrame);
  const send = (type, x) => canvas.dispatchEvent(new PointerEvent(type, {
    bubbles: true, pointerId: 1, clientX: box.left + x, clientY: box.top + 200,
  }));
  const key = (name) => canvas.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, key: name }));
  canvas.setPointerCapture = () => {};
  key("Home");
  await frame();
  for (let zoom = 0; zoom < ${zooms}; zoom++) { key("+"); await frame(); }
  send("pointerdown", 300);
  await frame();
  const began = performance.now();
  for (let at = 1; at <= ${FRAMES}; at++) { send("pointermove", 300 + 2 * at); await frame(); }
  await frame();
  const took = performance.now() - began;
  send("pointerup", 300 + 2 * ${FRAMES});
  return took;
})()`;

await withPageBroker(
  ["sites:", "  - { name: home, type: managed, procs: 2, memory: 2G }"],
  async (broker) => {
    const { url, token, browser } = broker;
    const client = createClient({ url, token });
    const { id } = await client.call("runSimulation", {
      body: {
        name: "bars",
        workload: { upload: { file: "bars.swf", text: workload() } },
        variants: [
          { name: "fcfs", discipline: "fcfs" },
          { name: "easy", discipline: "easy" },
        ],
      },
    });
    for (;;) {
      const { state } = await client.call("getSimulation", { params: { id } });
      if (state === "done") break;
      if (state === "failed") throw new Error("the simulation has failed");
      await setTimeout(200);
    }
    client.close();
    await measure(await browser.newPage({ viewport: { width: 1280, height: 1200 } }), url, token, id);
  },
);

/** Processor time of the page's main thread so far. */
async function busySec(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}

async function measure(page: Page, address: string, secret: string, id: string): Promise<void> {
  page.setDefaultTimeout(120_000);
  await page.goto(`${address}/#token=${secret}`);
  await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
  await page.evaluate(LONGEST);
  await page.goto(`${address}/what-if/${id}`);
  await page.getByRole("button", { name: "Draw both schedules" }).waitFor();
  await page.getByRole("img", { name: /^Waiting jobs over time/ }).waitFor();
  await page.evaluate(LONGEST);
  // Bars are prepared while the page is idle.
  await page.waitForTimeout(PREPARED_MS);
  tell("preparing both charts, longest task", await page.evaluate<number>(LONGEST), "ms");
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.setTimeDomain", { timeDomain: "threadTicks" });
  await session.send("Performance.enable");
  const before = await busySec(session);
  const first = (await page.evaluate(FIRST)) as number;
  tell("processor time of the page for both charts", 1000 * ((await busySec(session)) - before), "ms");
  tell("first layout and drawing of two charts of 50,000 bars", first, "ms");
  tell("the same for one chart (half)", first / 2, "ms", ["at most", FIRST_MS]);
  for (const [what, zooms] of [
    ["the whole period", 0],
    ["a thirtieth of the period", 10],
  ] as const) {
    const took = (await page.evaluate(pan(zooms))) as number;
    tell(`panning both, ${what} visible`, (1000 * FRAMES) / took, "frames/s", ["at least", PER_SECOND]);
  }
}
