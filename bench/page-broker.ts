/** A broker with a page, and Chromium, for the benches of the page; and how a figure is told. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Browser, chromium } from "playwright-core";

const bin = resolve(import.meta.dirname, "../bin/stint.js");
const executablePath = process.env.STINT_CHROMIUM ?? "/usr/bin/chromium";

/** What a bench of the page works with. */
export interface PageBroker {
  readonly url: string;
  /** The admin's. */
  readonly token: string;
  readonly process: ChildProcess;
  readonly browser: Browser;
}

/** Runs a bench beside a broker with these lines of `stint.yaml` and a browser, and ends both. */
export async function withPageBroker(
  lines: readonly string[],
  bench: (broker: PageBroker) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "stint-bench-"));
  const config = join(folder, "stint.yaml");
  writeFileSync(config, `${lines.join("\n")}\n`);
  const broker = spawn(process.execPath, [bin, "up", "--config", config, "--port", "0"], {
    env: { ...process.env, STINT_STATE_DIR: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    let said = "";
    while (!/ready/.test(said)) {
      const [chunk] = (await once(broker.stderr, "data")) as [Buffer];
      said += chunk.toString();
    }
    broker.stderr.resume();
    const url = /http:\/\/[\d.:]+/.exec(said)?.[0];
    if (url === undefined) throw new Error(`the broker does not say its address: ${said}`);
    const token = readFileSync(join(folder, "admin.token"), "utf8").trim();
    const browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
    });
    try {
      await bench({ url, token, process: broker, browser });
    } finally {
      await browser.close();
    }
  } finally {
    const gone = once(broker, "exit");
    broker.kill("SIGTERM");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints a figure, and whether it is within its goal; one that is not makes the bench fail. */
export function tell(
  what: string,
  figure: number,
  unit: string,
  goal?: readonly ["at most" | "at least", number],
): void {
  const isMet = goal === undefined || (goal[0] === "at most" ? figure <= goal[1] : figure >= goal[1]);
  const verdict = goal === undefined ? "" : `${isMet ? "within" : "OVER"}: ${goal[0]} ${goal[1]}`;
  const text = figure < 10 ? figure.toFixed(2) : figure.toFixed(0);
  console.log(`${what.padEnd(56)} ${text.padStart(6)} ${unit.padEnd(9)} ${verdict}`);
  if (!isMet) process.exitCode = 1;
}
