/**
 * A broker to be killed: launches jobs TOKEN i/1 that note that they run and exit with code i.
 *
 * node launch-many.mjs SITE-DIRECTORY SCRATCH COUNT; says "launched TOKEN" as each launch is through.
 */
import { openManagedSite } from "../../dist/sites/managed/index.js";

const [, , directory = "", scratch = "", count = "0"] = process.argv;
const site = await openManagedSite({ name: "victim", directory });
site.onReport(() => undefined);
const launches = Array.from({ length: Number(count) }, async (_, i) => {
  const token = `${i}/1`;
  await site.launch({
    token,
    command: ["sh", "-c", 'printf x >> "$1"; sleep 0.1; exit "$2"', "sh", `${scratch}/tally-${i}_1`, `${i}`],
    environment: {},
    limitMs: 3_600_000,
    inputFiles: [],
    stdOutput: "out",
    stdError: "err",
  });
  process.stdout.write(`launched ${token}\n`);
});
await Promise.all(launches);
