/**
 * A choice table of 100 sites under 1,000 policies for 300 consumers: `npx tsx bench/choice-table.ts`.
 *
 * Each table is for another consumer, after an event at one of the sites. Processor time, the tables that
 * only warm up not counted; exit code 1 when the p99 is over the budget. Beside it, for every tenth table,
 * the plain version, which counts everything anew, on the same state in the same run; the two must say the
 * same. Not for every one: what it leaves to the garbage collector would be counted as ours.
 */
import assert from "node:assert/strict";
import { choiceScene } from "../test/choice-scene.ts";
import { plainVerdict } from "../test/plain/plain-choice.ts";

const BUDGET_MS = 5;
const TABLES = 300;
const WARM_UP = 200;
const PLAIN_EVERY = 10;
const SIZE = { sites: 100, vos: 30, groups: 10, vosPerSite: 8, jobsPerSite: 50, procs: 128 };

/** Processor time of a call, since the machine is shared. */
function timed<Value>(act: () => Value): { readonly ms: number; readonly value: Value } {
  const before = process.cpuUsage();
  const value = act();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, value };
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

const scene = choiceScene(SIZE, 7);
const ours: number[] = [];
const plain: number[] = [];
for (let table = 0; table < TABLES + WARM_UP; table++) {
  scene.change();
  const consumer = scene.consumer();
  const procs = 1 + (table % 40);
  const { ms, value: rows } = timed(() => scene.table(consumer, procs));
  if (table >= WARM_UP) ours.push(ms);
  if (table % PLAIN_EVERY !== 0) continue;
  const asked = { policies: scene.policies, jobs: scene.jobs(), consumer, procs };
  const beside = timed(() => scene.sites.map((site) => plainVerdict(asked, site, scene.procs)));
  const told = rows.map(({ honoured, because }) =>
    [honoured, because?.limit, because?.level].filter((it) => it !== undefined && it !== null).join(" "),
  );
  assert.deepEqual(told, beside.value);
  plain.push(beside.ms);
}
for (const times of [ours, plain]) times.sort((one, other) => one - other);
const [p50, p99] = [at(ours, 0.5), at(ours, 0.99)];
if (p99 > BUDGET_MS) process.exitCode = 1;
console.log(
  `choice table, ${SIZE.sites} sites, ${scene.policies.length} policies, ` +
    `${SIZE.vos * SIZE.groups} consumers, ${scene.jobs().length} jobs: ` +
    `p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  ` +
    `plain p50 ${at(plain, 0.5).toFixed(1)} ms (${(at(plain, 0.5) / p50).toFixed(0)} ×)  ` +
    `${p99 > BUDGET_MS ? `OVER ${BUDGET_MS} ms` : "within the budget"}`,
);
