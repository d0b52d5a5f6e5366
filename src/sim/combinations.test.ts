/**
 * Every pair of options of a simulation on small workloads: what works keeps the invariants of every result,
 * what is refused says why, and the table of the guide is what was found.
 *
 * `UPDATE_COMBINATIONS=1` writes the table anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serialProgram } from "../../test/serial-program.ts";
import { temporaryFolder } from "../../test/stint.ts";
import { Fault } from "../base/index.ts";
import { DISCIPLINES, type SimulationRequest } from "../model/index.ts";
import { simulateFile, whatIf } from "./index.ts";

const GUIDE = "docs/guides/combinations.md";
const folder = temporaryFolder();
const PROCS = 4;

/** Jobs as [submit, recorded wait, runtime, limit, procs, user]. */
const JOBS = [
  [0, 0, 50, 60, 4, 1],
  [1, 60, 30, 30, 2, 2],
  [2, 49, 20, 80, 3, 1],
  [3, 80, 10, 10, 1, 3],
  [40, 60, 25, 40, 2, 2],
  [70, 70, 40, 40, 4, 1],
  [70, 40, 5, 20, 1, 2],
] as const;

/** What a simulation is asked for. */
interface Asked {
  isLines: boolean;
  isCompared: boolean;
  changes: string[];
  pools: Record<string, unknown>[];
  events: Record<string, unknown>[];
  request: Partial<SimulationRequest>;
}

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const program = serialProgram(folder);
const limits = file("limits.yaml", "users: { default: { maxProcs: 2 } }\n");
const reserved = file("reserved.csv", "id,start,duration,procs\n1,100,30,2\n");
const policies = file(
  "two.policy.yaml",
  "- (1) CPU, here, u1, (3600,50), (5,100)\n- (2) CPU, here, u2, (3600,50), (5,100)\n",
);
const halves = () => ["a", "b"].map((pool) => ({ pool, procs: PROCS }));

/** How an option is asked for, by its name in the table. */
const OPTIONS: Readonly<Record<string, (asked: Asked) => unknown>> = {
  SWF: (asked) => Object.assign(asked, { isLines: false }),
  "JSON lines": (asked) => Object.assign(asked, { isLines: true }),
  ...Object.fromEntries(
    DISCIPLINES.map((discipline) => [
      discipline,
      ({ request }: Asked) => Object.assign(request, { discipline }),
    ]),
  ),
  program: ({ request }) => Object.assign(request, { discipline: program }),
  priority: ({ request }) => Object.assign(request, { priority: "size" }),
  "limit per user": ({ request }) => Object.assign(request, { priority: "maui", priorityConfig: limits }),
  policies: ({ request }) => Object.assign(request, { policies: { files: [policies], form: "ours" } }),
  reservations: ({ request }) => Object.assign(request, { reservations: reserved }),
  sampling: ({ request }) => Object.assign(request, { sampleSlotsMs: 10_000 }),
  pools: (asked) => Object.assign(asked, { pools: halves() }),
  nodes: (asked) =>
    Object.assign(asked, { pools: asked.pools.map((pool) => ({ ...pool, nodes: 2, procs: 2 })) }),
  outages: (asked) => Object.assign(asked, { events: [{ down: "a", at: 45, until: 65, node: 0, procs: 2 }] }),
  baseline: (asked) => Object.assign(asked, { isCompared: true }),
  "what-if": (asked) => Object.assign(asked, { isCompared: true, changes: ["discipline=fcfs"] }),
};
const NAMES = Object.keys(OPTIONS);
/** Options that are one choice. */
const CHOICES = [
  ["SWF", "JSON lines"],
  [...DISCIPLINES, "program"],
  ["priority", "limit per user"],
  ["baseline", "what-if"],
];
/** Options that are lines of a workload. */
const OF_LINES = ["pools", "nodes", "outages"];

function workloadOf({ isLines, pools, events }: Asked): string {
  if (!isLines) {
    const rows = JOBS.map(([submit, wait, runtime, limit, procs, user], at) =>
      [at + 1, submit, wait, runtime, procs, -1, -1, procs, limit, -1, 1, user, 1, -1, 1, 1, -1, -1].join(
        " ",
      ),
    );
    return file("w.swf", `; MaxProcs: ${PROCS}\n${rows.join("\n")}\n`);
  }
  const jobs = JOBS.map(([submit, wait, runtime, limit, procs, user], at) => {
    const recordedStart = submit + wait;
    return { job: `${at + 1}`, submit, recordedStart, runtime, limit, procs, user: `u${user}` };
  });
  const hasNodes = pools.some(({ nodes }) => nodes !== undefined);
  const downs = events.map(({ node, procs, ...down }) => ({ ...down, ...(hasNodes ? { node } : { procs }) }));
  const lines = [...pools, ...jobs, ...downs].map((line) => JSON.stringify(line));
  return file("w.workload.jsonl", `${lines.join("\n")}\n`);
}

/** The rows of a simulation, or why there are none. */
async function played(names: readonly string[]): Promise<string | undefined> {
  const asked: Asked = {
    isLines: names.some((name) => OF_LINES.includes(name)),
    ...{ isCompared: false, changes: [], pools: [{ pool: "a", procs: PROCS }], events: [] },
    request: {},
  };
  for (const name of NAMES) if (names.includes(name)) OPTIONS[name](asked);
  const jobsOut = join(folder, "rows.csv");
  const simulation: SimulationRequest = {
    ...{ trace: workloadOf(asked), jobsOut, lenient: false, discipline: "easy" },
    ...{ estimates: "requested", overrun: "extend" },
    ...asked.request,
  };
  try {
    if (asked.isCompared) await whatIf({ simulation, changes: asked.changes }, "test");
    else await simulateFile(simulation, { version: "test" });
  } catch (error) {
    if (error instanceof Fault) return `${error.code}: ${error.why.replace(program, "the program")}`;
    throw error;
  }
  if (!asked.isCompared) assertPossible(readFileSync(jobsOut, "utf8"), asked);
  return undefined;
}

/** Never more in use than there is, each job once, nobody before its submission. */
function assertPossible(text: string, { pools, events }: Asked): void {
  const [head = "", ...rows] = text.trim().split("\n");
  const columns = head.split(",");
  const jobs = rows.map((row) => Object.fromEntries(row.split(",").map((cell, at) => [columns[at], cell])));
  const total = PROCS * pools.length;
  expect(new Set(jobs.map(({ job_id: id }) => id)).size).toBe(jobs.length);
  for (const { start, submit } of jobs) {
    const atSec = Number(start);
    expect(atSec).toBeGreaterThanOrEqual(Number(submit));
    const isDown = events.some(({ at, until }) => Number(at) <= atSec && atSec < Number(until));
    const running = jobs.filter((job) => Number(job.start) <= atSec && atSec < Number(job.end));
    const used = running.reduce((sum, { procs }) => sum + Number(procs), isDown ? 2 : 0);
    expect(used).toBeLessThanOrEqual(total);
  }
}

function isOneChoice(one: string, other: string): boolean {
  return CHOICES.some((choice) => choice.includes(one) && choice.includes(other));
}

async function tableFound(): Promise<string> {
  const reasons: string[] = [];
  const rows: string[] = [];
  for (const [at, one] of NAMES.entries()) {
    const cells: string[] = [];
    for (const other of NAMES.slice(0, at)) {
      if (isOneChoice(one, other)) cells.push("–");
      else if (other === "SWF" && OF_LINES.includes(one)) cells.push("–");
      else {
        const why = await played([one, other]);
        if (why !== undefined && !reasons.includes(why)) reasons.push(why);
        cells.push(why === undefined ? "✓" : `${reasons.indexOf(why) + 1}`);
      }
    }
    rows.push(`| **${one}** | ${[...cells, ...NAMES.slice(at).map(() => "")].join(" | ")} |`);
  }
  const head = `| | ${NAMES.join(" | ")} |\n|---|${NAMES.map(() => "---|").join("")}`;
  const notes = reasons.map((why, at) => `${at + 1}. \`${why.replace(": ", "`: ")}`);
  return `${[head, ...rows].join("\n")}\n\n${notes.join("\n")}\n`;
}

describe("options of a simulation", () => {
  it("SI-54 options go together as in the guide, and every pair keeps the invariants", async () => {
    const found = await tableFound();
    const marked = (text: string): string => text.split("<!-- found -->\n")[1] ?? "";
    const guide = readFileSync(GUIDE, "utf8");
    if (process.env.UPDATE_COMBINATIONS !== undefined) {
      writeFileSync(GUIDE, guide.replace(marked(guide), found));
    } else expect(marked(guide)).toBe(found);
  });
});
