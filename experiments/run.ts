/**
 * `npm run experiments -- slots`: reproduces figures of the sources and writes what came of it.
 *
 * Options: --traces DIR, where the recorded logs are (without it workloads are drawn that look alike);
 * --every SECONDS, how often slots are looked at; --jobs N, of a drawn workload; --out FILE.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { lookAlikes, recordedClusters } from "./slots/clusters.ts";
import { summary } from "./slots/report.ts";
import { runSlots } from "./slots/run-slots.ts";

const MS_PER_SECOND = 1000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    traces: { type: "string" },
    every: { type: "string", default: "3600" },
    jobs: { type: "string", default: "10000" },
    out: { type: "string", default: "slots-report.html" },
  },
});
if (positionals.length !== 1 || positionals[0] !== "slots") {
  throw new Error("say which experiments: npm run experiments -- slots [--traces DIR]");
}
const everyMs = Number(values.every) * MS_PER_SECOND;
const jobs = Number(values.jobs);
if (!(everyMs > 0 && jobs > 0)) throw new Error("--every and --jobs are numbers above zero");
const folder = await mkdtemp(join(tmpdir(), "stint-experiments-"));
try {
  const clusters =
    values.traces === undefined ? await lookAlikes(folder, jobs) : await recordedClusters(values.traces);
  const verdicts = await runSlots({ clusters, everyMs, out: values.out }, (text) =>
    process.stderr.write(text),
  );
  for (const { figure, claim, isReproduced, numbers } of verdicts) {
    process.stdout.write(
      `${isReproduced ? "reproduced    " : "NOT REPRODUCED"} ${figure} ${claim}: ${numbers}\n`,
    );
  }
  process.stdout.write(`${summary(verdicts)} ${values.out} shows it.\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
