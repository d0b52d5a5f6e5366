/**
 * A real browser for tests of the page: Debian's Chromium, driven by playwright-core. Tests that need it skip
 * visibly where it is not installed: `describe.skipIf(!hasChromium)(\`…${howToInstallChromium}\`, …)`.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeEach, expect } from "vitest";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.STINT_CHROMIUM ?? PLACES.find((path) => existsSync(path));

/** True where a browser is installed. */
export const hasChromium: boolean = executablePath !== undefined;
/** Ends the title of tests that are skipped for want of a browser; else empty. */
export const howToInstallChromium: string = hasChromium
  ? ""
  : " (skipped: no Chromium; apt-get install chromium, or set STINT_CHROMIUM)";

/** How a page is opened. */
export interface Looks {
  readonly colorScheme?: "light" | "dark";
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** Pages for the tests of a describe. */
export interface Pages {
  /** Opens a page of its own session, signed in with the token. */
  signedIn(url: string, token: string, looks?: Looks): Promise<Page>;
  /** Opens a page without a session. */
  stranger(url: string): Promise<Page>;
}

/** One for all files of a worker: a start takes longer than many a test. It ends with the worker. */
let browser: Promise<Browser> | undefined;

function launched(): Promise<Browser> {
  browser ??= chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    // Tests run as root in containers, where Chromium's own sandbox cannot start.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  return browser;
}

/** Sessions in a browser, closed with the test or describe that opened them: an open page goes on asking. */
export function pages(): Pages {
  const ofAll: BrowserContext[] = [];
  let ofTest: BrowserContext[] | undefined;
  const close = async (contexts: BrowserContext[]): Promise<void> => {
    for (const context of contexts.splice(0)) await context.close();
  };
  beforeEach(() => {
    ofTest = [];
  });
  afterEach(async () => {
    await close(ofTest ?? []);
    ofTest = undefined;
  });
  afterAll(() => close(ofAll));
  const open = async (looks: Looks): Promise<Page> => {
    const context = await (await launched()).newContext({ viewport: { width: 1280, height: 800 }, ...looks });
    (ofTest ?? ofAll).push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => {
      throw error;
    });
    return page;
  };
  return {
    async signedIn(url, token, looks = {}) {
      const page = await open(looks);
      await page.goto(`${url}/#token=${token}`);
      await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
      return page;
    },
    async stranger(url) {
      const page = await open({});
      await page.goto(url);
      return page;
    },
  };
}

/** The admin's token of a broker on this state directory. */
export function adminToken(stateDirectory: string): string {
  return readFileSync(join(stateDirectory, "admin.token"), "utf8").trim();
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Expects that axe-core finds nothing of WCAG 2.1 AA, and that nothing is wider than the window. */
export async function expectAccessible(page: Page, view = new URL(page.url()).pathname): Promise<void> {
  // Colours that are still changing have no contrast yet.
  await page.evaluate(
    "Promise.allSettled(document.getAnimations()" +
      ".filter((it) => it.effect?.getTiming().iterations !== Infinity).map(({ finished }) => finished))",
  );
  // Through the debugger: the document's policy admits no script of others.
  await page.evaluate(axe);
  const findings = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  });
  expect.soft(findings, view).toEqual([]);
  const isTooWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  expect(isTooWide, `${view}: wider than the window`).toBe(false);
}
