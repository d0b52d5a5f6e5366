/**
 * The page in a real browser: its first view, the JavaScript of it, a list of 100,000 jobs, and what 50 open
 * pages cost the broker while much happens.
 *
 * `npx tsx bench/page.ts [first] [list] [open]` needs Chromium and a built dist/. The list is answered by the
 * bench in the place of the broker, so that it is the page that is measured. An open page is a client that
 * follows the changes and asks what the view of now asks, at most once in 2 s, as the page does. Charts are
 * measured by `bench/web-gantt.ts`.
 */
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { createClient, type JobView } from "../src/api/client/index.ts";
import { type PageBroker, tell, withPageBroker } from "./page-broker.ts";

const LOADS = 5;
const JOBS = 100_000;
/** Jobs in an answer where a request does not say. */
const USUAL_LIMIT = 100;
const FRAMES = 120;
const OPEN_PAGES = 50;
const OPEN_SEC = 8;
const EVENTS_PER_SEC = 1000;
/** A job behind one that takes all processors: it is accepted, and placed. */
const EVENTS_PER_JOB = 2;

const asked = process.argv.slice(2);
const isAsked = (name: string): boolean => asked.length === 0 || asked.includes(name);

await withPageBroker(
  ["sites:", "  - { name: home, type: managed, procs: 2, memory: 2G }"],
  async (broker) => {
    if (isAsked("first")) await measureFirst(broker);
    if (isAsked("list")) await measureList(broker);
    if (isAsked("open")) await measureOpen(broker);
  },
);

async function signedIn({ browser, url, token }: PageBroker): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(120_000);
  await page.goto(`${url}/#token=${token}`);
  await page.getByText("You have no active jobs").waitFor();
  return page;
}

/** From the begin of the navigation until the jobs of the first view are there, without a cache of files. */
async function measureFirst(broker: PageBroker): Promise<void> {
  const page = await signedIn(broker);
  const session = await page.context().newCDPSession(page);
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const times: number[] = [];
  let scripts = 0;
  for (let load = 0; load < LOADS; load++) {
    await page.goto(broker.url, { waitUntil: "commit" });
    await page.getByText("You have no active jobs").waitFor();
    times.push(await page.evaluate<number>("performance.now()"));
    scripts = await page.evaluate<number>(
      `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js"))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
  }
  times.sort((a, b) => a - b);
  tell("first view usable, the best of five", times[0] ?? 0, "ms", ["at most", 1000]);
  tell("first view usable, median", times[LOADS >> 1] ?? 0, "ms");
  tell("JavaScript of the first view, compressed", scripts / 1000, "kB", ["at most", 300]);
  await page.close();
}

function jobAt(template: JobView, index: number): JobView {
  const submittedAt = new Date(Date.UTC(2026, 0, 1) - 1000 * index).toISOString();
  return { ...template, id: `job${String(index).padStart(9, "0")}`, name: `job ${index}`, submittedAt };
}

/** In the page: scrolls by these pixels each frame; gives frames a second and the longest frame in ms. */
function scroll(px: number): string {
  return `(async () => {
  const region = document.querySelector("[role=region][aria-label=Jobs]");
  const frame = () => new Promise(requestAnimationFrame);
  region.scrollTop = 0;
  await frame();
  let [before, longest] = [await frame(), 0];
  const began = before;
  for (let at = 0; at < ${FRAMES}; at++) {
    region.scrollTop += ${px};
    const now = await frame();
    longest = Math.max(longest, now - before);
    before = now;
  }
  return [(1000 * ${FRAMES}) / (before - began), longest];
})()`;
}

async function measureList(broker: PageBroker): Promise<void> {
  const client = createClient(broker);
  const [id = ""] = await client.submit([{ executable: "true", name: "first" }]);
  const template = await client.job(id);
  let requests = 0;
  const page = await signedIn(broker);
  await page.route("**/api/v1/jobs?*", async (route) => {
    requests++;
    const { searchParams } = new URL(route.request().url());
    const from = Number(searchParams.get("cursor") ?? 0);
    const end = Math.min(JOBS, from + Number(searchParams.get("limit") ?? USUAL_LIMIT));
    const items = Array.from({ length: end - from }, (_, at) => jobAt(template, from + at));
    await route.fulfill({ json: { items, next: end < JOBS ? String(end) : null } });
  });
  await page.goto(`${broker.url}/jobs`);
  const region = page.getByRole("region", { name: "Jobs" });
  await region.getByRole("link", { name: "job 0 ·" }).waitFor();
  const began = performance.now();
  // To the end again and again, until all are there.
  await page.evaluate(`(async () => {
    const region = document.querySelector("[role=region][aria-label=Jobs]");
    const rows = () => Number(region.querySelector("table").getAttribute("aria-rowcount"));
    while (rows() < ${JOBS}) {
      region.scrollTop = region.scrollHeight;
      await new Promise(requestAnimationFrame);
    }
  })()`);
  tell("100,000 jobs read by scrolling to the end", (performance.now() - began) / 1000, "s");
  tell("requests for them", requests, "");
  for (const px of [34, 3400]) {
    const [perSecond = 0, longest = 0] = await page.evaluate<number[]>(scroll(px));
    tell(`scrolled by ${px / 34} rows a frame`, perSecond, "frames/s", ["at least", 30]);
    tell("the longest of these frames", longest, "ms");
  }
  requests = 0;
  await client.submit([{ executable: "true" }]);
  await page.waitForTimeout(4000);
  tell("requests of the list after a change", requests, "", ["at most", 4]);
  client.close();
  await page.close();
}

/** Seconds of processor time that a process has used. */
function usedSec(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function measureOpen(broker: PageBroker): Promise<void> {
  const client = createClient(broker);
  await client.submit([{ executable: "sleep", arguments: ["600"], procs: 2 }]);
  client.close();
  const alone = await busy(broker);
  const gone = new AbortController();
  for (let open = 0; open < OPEN_PAGES; open++) followAsPage(broker, gone.signal);
  await sleep(2000);
  const together = await busy(broker);
  gone.abort();
  tell("events a second, without pages", alone.perSec, "", ["at least", EVENTS_PER_SEC * 0.9]);
  tell("processors of the broker for these events", alone.cores, "");
  tell("events a second, with 50 pages", together.perSec, "", ["at least", EVENTS_PER_SEC * 0.9]);
  tell("additional processors with 50 pages", together.cores - alone.cores, "", ["at most", 0.5]);
}

/** Submits jobs that wait at the rate of the goal; gives the rate reached, and the processors it took. */
async function busy(broker: PageBroker): Promise<{ readonly perSec: number; readonly cores: number }> {
  const client = createClient(broker);
  const pid = broker.process.pid ?? 0;
  const batch = EVENTS_PER_SEC / EVENTS_PER_JOB / 10;
  const jobs = Array.from({ length: batch }, () => ({ executable: "true" }));
  const [began, before] = [performance.now(), usedSec(pid)];
  const { head } = await client.events({ limit: 1 });
  let events = 0;
  while (performance.now() - began < 1000 * OPEN_SEC) {
    await client.submit(jobs);
    events += batch * EVENTS_PER_JOB;
    await sleep(Math.max(0, (1000 * events) / EVENTS_PER_SEC - (performance.now() - began)));
  }
  const tookSec = (performance.now() - began) / 1000;
  const happened = (await client.events({ limit: 1 })).head - head;
  client.close();
  return { perSec: happened / tookSec, cores: (usedSec(pid) - before) / tookSec };
}

/** Follows the changes as an open page: after one it asks what the view of now shows, at most every 2 s. */
function followAsPage({ url, token }: PageBroker, signal: AbortSignal): void {
  const client = createClient({ url, token });
  let isAsking = false;
  const ask = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const asked = (["WAITING READY SCHEDULED RUNNING", "DONE ABORTED CANCELLED"] as const).flatMap(
      (words, at) => {
        const filter = { state: words.split(" ") as JobView["state"][], limit: at === 0 ? 30 : 8 };
        return [client.jobs({ ...filter, array: "none" }), client.arrays(filter), client.dags(filter)];
      },
    );
    await Promise.all([...asked, client.sites()]).catch(() => undefined);
    await sleep(2000);
    isAsking = false;
  };
  const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
  const stream = request(`${url}/api/v1/events/watch`, { headers, signal }, (response) => {
    response.on("data", () => void ask());
    response.on("error", () => undefined);
  });
  stream.on("error", () => undefined);
  stream.end();
  signal.addEventListener("abort", () => client.close());
}
