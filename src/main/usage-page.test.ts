import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { UsageHistory } from "../cli/index.ts";
import { usagePage, writeUsageReport } from "./usage-page.ts";

const part = (mean: number) => ({ mean, min: 0, max: mean });
const steps = [part(1), null, null, part(6), part(2)];
const history: UsageHistory = {
  ...{
    site: "west <b>",
    since: "2026-11-20T09:00:00.000Z",
    until: "2026-11-20T09:50:00.000Z",
    everySec: 600,
  },
  sampledSec: [600, 0, 0, 600, 300],
  resources: [{ resource: "cpu", inUse: steps, free: steps, capacity: [8, 8, 8, 8, 8] }],
  ...{ jobsRunning: steps, jobsWaiting: steps },
  levels: [
    {
      ...{ resource: "cpu", consumer: "cms", inUse: steps, waiting: steps, jobsRunning: steps },
      ...{ jobsWaiting: steps, usedPpm: [part(1000), null, null, part(300_000), part(310_000)] },
      epochPpm: [null, 200_000, 200_000, 200_000, 400_000],
      burstPpm: [500_000, 500_000, 500_000, 500_000, 500_000],
    },
  ],
};

it("the page draws each level against its limits as they stood, gaps as gaps", () => {
  const page = usagePage(history);
  expect(page).toContain("<h1>Use of west &lt;b&gt;</h1>");
  expect(page).toContain(
    "Gap: nothing was sampled from 2026-11-20T09:10:00.000Z until 2026-11-20T09:30:00.000Z.",
  );
  expect(page.match(/<svg[^>]* role="img"/g)).toHaveLength(1);
  // A gap in each of the two panels, and in each a step in which the line was passed.
  expect(page.match(/fill="url\(#hatch\)"/g)).toHaveLength(2);
  const pathsWith = (what: string) =>
    [...page.matchAll(new RegExp(`<path d="([^"]*)"[^>]*stroke="var\\(--s1\\)"[^>]*${what}`, "g"))].map(
      ([, path]) => path,
    );
  expect(pathsWith('stroke-width="5"')).toEqual(["M443.6 132L572.8 132", "M443.6 264L572.8 264"]);
  // The burst line never changed; the epoch's begins later and rises.
  const [burst, epoch] = pathsWith('stroke-dasharray="7,3"');
  expect(burst).toMatch(/^M56 (\S+)L185\.2 \1(L\S+ \1)*L702 \1$/);
  expect(epoch).toMatch(/^M185\.2 (\S+)(L\S+ \1)+L572\.8 (?!\1)(\S+)L702 \3$/);
  expect(page).toContain("At last 40% of the capacity on average, 50% at any instant");
  expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
  expect(usagePage({ ...history, levels: [] })).toContain("No policy named a consumer");
});

it("the page appears under its name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stint-page-"));
  try {
    const file = join(folder, "use.html");
    await writeUsageReport(history, file);
    expect(readFileSync(file, "utf8")).toBe(usagePage(history));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
