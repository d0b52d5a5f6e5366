/**
 * Runs of the program without a broker, over every option that changes a result, whose output is pinned.
 *
 * Words are split at blanks. `OUT/` is a folder of the run's own; what is left in it is pinned, too.
 */

const POISSON = "examples/poisson.swf";
const POOLS = "examples/two-pools.workload.jsonl";
const WEEK = "examples/accounting.txt --since 2026-03-03 --until 2026-03-07 --zone UTC";
const DEPARTMENTS =
  "--policies examples/policies/departments.policy.yaml --owners examples/policies/owners.yaml";
const WEST = "--policies examples/verification/west.policy.yaml --sacct examples/accounting.txt --zone UTC";
const SHARES = "examples/verification/shares.policy.yaml";

/** By name; names are stable. */
export const PINNED_RUNS: Readonly<Record<string, string>> = {
  fcfs: `sim ${POISSON} --discipline fcfs -o json --jobs-out OUT/jobs.csv`,
  easy: `sim ${POISSON} --discipline easy -o json --jobs-out OUT/jobs.swf`,
  "easy-exact": `sim ${POISSON} --discipline easy --estimates exact -o json`,
  conservative: `sim ${POISSON} --discipline conservative -o json --jobs-out OUT/jobs.csv`,
  repack: `sim ${POISSON} --discipline repack -o json --jobs-out OUT/jobs.csv`,
  "overrun-kill": `sim ${POISSON} --discipline easy --overrun kill -o json`,
  "fewer-procs": `sim ${POISSON} --procs 96 --discipline easy -o json`,
  reservations: `sim ${POISSON} --discipline conservative --reservations examples/maintenance.csv -o json`,
  sampled: `sim ${POISSON} --discipline conservative --sample-slots 1h --slots-out OUT/slots.csv`,
  slurm: `sim ${POISSON} --priority slurm --priority-config examples/priorities/slurm.yaml -o json`,
  maui: `sim ${POISSON} --priority maui -o json --jobs-out OUT/jobs.csv`,
  condor: `sim ${POISSON} --priority condor -o json --jobs-out OUT/jobs.csv`,
  "size-first": `sim ${POISSON} --discipline fcfs --priority size -o json`,
  "length-first": `sim ${POISSON} --discipline easy --priority length -o json`,
  policies: `sim ${POISSON} --discipline fcfs ${DEPARTMENTS} -o json`,
  literal: `sim ${POISSON} --discipline fcfs ${DEPARTMENTS} --pep literal -o json`,
  program: `sim ${POISSON} --discipline exec:examples/external/fcfs.py -o json`,
  pools: `sim ${POOLS} --discipline easy -o json --jobs-out OUT/jobs.csv`,
  "pools-lost": `sim ${POOLS} --discipline fcfs --on-outage lost -o json`,
  describe: `sim describe ${POISSON} -o json`,
  generate: "sim generate --model lublin --jobs 200 --procs 64 --load 0.8 --seed 3 -o OUT/drawn.swf",
  outages: "sim examples/scenarios/outages.yaml --out OUT/results",
  reserving: "sim examples/scenarios/reserving.yaml --out OUT/results",
  "two-sites": "sim examples/scenarios/two-sites.yaml --out OUT/results",
  deciders: "sim examples/scenarios/deciders.yaml --out OUT/results",
  "scenario-policies": "sim examples/scenarios/policies.yaml --out OUT/results",
  import: `import accounting ${WEEK} --names keep -o OUT/week.workload.jsonl`,
  "check-policy": "policy check examples/policies/agreement.policy.yaml -o json",
  "check-against": `policy check ${SHARES} --against ${WEEK} --discipline easy --estimates requested -o json`,
  verify: `policy verify ${WEST} --from 2026-03-03 --to 2026-03-07 -o json`,
  quote: "quote --snapshot examples/quotes/queue.json -n 2 -t 2h -o json",
  match: "classad match examples/classads/job.jdl examples/classads/west.ad",
  "check-job": "check examples/two-jobs.yaml -o json",
};
