/**
 * `npm run screenshots [FOLDER] [PATH…]`: pictures of every view of the page in both themes, on a desktop and
 * a phone, of a demo that is kept; those of the README are written to docs/images/.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { repositoryRoot } from "./house/finding.ts";

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 800 } } as const;
const VIEWS = [
  ...["/", "/jobs", "/submit", "/sites/oak", "/policies", "/what-if", "/admin"],
  ...["/workflows", "/plan", "/dags/:dag", "/arrays/:array", "/workflows/:workflow", "/streams", "/sites"],
  ...["/jobs/:job", "/jobs/:ended", "/what-if/:simulation"],
  "/compare?first=simulation::simulation:0&other=simulation::simulation:1",
];
/** `STINT_WHOLE=1`: pictures of whole documents, not only of what fits the window. */
const isWhole = process.env.STINT_WHOLE === "1";
/** `STINT_LOOKS=dark-phone`: only looks whose name contains this. */
const wantedLooks = process.env.STINT_LOOKS ?? "";
const HISTOGRAM = ["-c", "for bin in 1 2 3 4 5; do echo bin $bin: $((bin * bin)); done"];
/** Tasks that pass a file on. */
const TASKS = ["scan", "fit", "plot"].map((id, at, all) => ({
  ...{ id, procs: 1, runtimeSec: 60, executable: "/bin/sh", parents: at === 0 ? [] : [at - 1] },
  arguments: ["-c", `sleep 2; echo ${id} > ${id}.txt`],
  ...{ inputs: at === 0 ? [] : [`${all[at - 1]}.txt`], outputs: [`${id}.txt`] },
}));
/** Jobs in SWF of two users, on 64 processors. */
const WORKLOAD = Array.from({ length: 300 }, (_, at) => {
  const [procs, runSec] = [1 + ((at * 37) % 48), 300 + ((at * 7919) % 5400)];
  const times = `${at * 240} -1 ${runSec}`;
  return `${at + 1} ${times} ${procs} -1 -1 ${procs} ${2 * runSec} -1 1 ${1 + (at % 2)} 1 1 1 1 -1 -1`;
});
const SIMULATION = {
  name: "EASY or FCFS",
  workload: { upload: { file: "week.swf", text: ["; MaxProcs: 64", ...WORKLOAD, ""].join("\n") } },
  variants: ["fcfs", "easy"].map((discipline) => ({ name: discipline, discipline })),
};
/** For what is asked after a view is shown: predictions, charts. */
const SETTLE_MS = 3000;

const [folder = join(repositoryRoot, "screenshots"), ...only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { link, demo } = await keptDemo();
const browser = await chromium.launch({
  executablePath: process.env.STINT_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      if (!`${colorScheme}-${size}`.includes(wantedLooks)) continue;
      const context = await browser.newContext({ colorScheme, viewport });
      await picture(context, `${colorScheme}-${size}`);
      await context.close();
    }
  }
} finally {
  await browser.close();
  demo.kill("SIGINT");
}

/** Starts the demo and waits for the address of its page. */
async function keptDemo(): Promise<{ link: string; demo: ChildProcess }> {
  const program = resolve(repositoryRoot, "bin/stint.js");
  const child = spawn(process.execPath, [program, "demo", "--keep"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += chunk;
    const found = /signed in: (\S+)/.exec(said)?.[1];
    if (found !== undefined) return { link: found, demo: child };
  }
  throw new Error(`the demo ended: ${said}`);
}

async function picture(context: BrowserContext, looks: string): Promise<void> {
  const page = await context.newPage();
  page.on("pageerror", (error) => console.error(`${looks}: ${error.message}`));
  await page.goto(link);
  await page.getByRole("heading", { level: 1 }).waitFor();
  if (looks === "light-desktop") await pictureForReadme(page);
  const ids = await submitSome(page);
  for (const path of only.length === 0 ? VIEWS : only) {
    const place = Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(`:${name}`, id), path);
    await page.goto(new URL(place, link).href);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForTimeout(SETTLE_MS);
    const drawBoth = page.getByRole("button", { name: "Draw both schedules" });
    if (await drawBoth.isVisible()) {
      await drawBoth.click();
      await page.waitForTimeout(SETTLE_MS);
      await page.evaluate("scrollTo(0, 0)");
    }
    const view = path === "/" ? "now" : (path.slice(1).split("?")[0] ?? "").replace(/[/:]+/g, "-");
    const name = `${view}-${looks}.png`;
    await page.screenshot({ path: join(folder, name), fullPage: isWhole });
    const isTooWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    console.log(`${join(folder, name)}${isTooWide ? ": wider than the window" : ""}`);
    if (looks === "light-desktop" && path === "/")
      await page.screenshot({ path: join(repositoryRoot, "docs/images/page-now.png") });
  }
}

/** The schedule before more is submitted: these jobs have long limits, which compress the time axis. */
async function pictureForReadme(page: Page): Promise<void> {
  await page.goto(new URL("/sites/oak", link).href);
  await page.getByText("waiting, at its planned start").waitFor({ timeout: 180_000 });
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: join(repositoryRoot, "docs/images/page-schedule.png") });
}

type Names = "dag" | "array" | "workflow" | "job" | "ended" | "simulation";

/** Submits running, waiting and ended jobs, DAGs, arrays and a simulation. @returns their ids */
async function submitSome(page: Page): Promise<Readonly<Record<Names, string>>> {
  const jobs = [
    { name: "fit", procs: 2, wallTimeSec: 1800 },
    { name: "sweep-17", procs: 1, wallTimeSec: 3600 },
    { name: "render", procs: 1, wallTimeSec: 600 },
    { name: "report", procs: 2, wallTimeSec: 900 },
  ].map((job) => ({ ...job, executable: "sleep", arguments: ["120"] }));
  const node = (name: string, sec: string, parents: readonly string[] = []) => ({
    ...{
      name,
      parents,
      description: { executable: sec === "" ? "false" : "sleep", arguments: [sec], wallTimeSec: 600 },
    },
  });
  const nodes = [
    node("fetch", "1"),
    ...["north", "east", "south"].map((side) => node(`clean-${side}`, "2", ["fetch"])),
    node("calibrate", "", ["fetch"]),
    node("merge", "90", ["clean-north", "clean-east", "clean-south"]),
    node("maps", "60", ["merge"]),
    node("tables", "60", ["merge", "calibrate"]),
    node("paper", "5", ["maps", "tables"]),
  ];
  const array = { executable: "sleep", arguments: ["40"], name: "seeds", array: "0-39%8", wallTimeSec: 600 };
  const send = (path: string, body: unknown): Promise<string> =>
    page.evaluate(
      async ([to, content]) => {
        const headers = { "x-stint-page": "1", "content-type": "application/json" };
        const answer = await fetch(to, { method: "POST", headers, body: JSON.stringify(content) });
        const text = await answer.text();
        if (!answer.ok) throw new Error(text);
        const { ids, id } = JSON.parse(text);
        return ids?.[0] ?? id;
      },
      [`/api/v1${path}`, body] as [string, unknown],
    );
  const dag = await send("/dags", { name: "survey", nodes });
  const ended = await send("/jobs", { name: "histogram", executable: "/bin/sh", arguments: HISTOGRAM });
  const job = await send("/jobs", jobs);
  const workflow = await send("/workflows", { name: "night", bestEffort: true, tasks: TASKS });
  const simulation = await send("/simulations", SIMULATION);
  return { dag, array: await send("/jobs", array), ended, job, workflow, simulation };
}
