/**
 * Whether limits are kept on real clusters, for ten minutes under each reading of an agreement, beside a
 * cluster on which nobody enforces anything.
 */
import { writeFile } from "node:fs/promises";
import { type Cell, htmlTable, lineChart, numberAxis, numberCell } from "../../src/report/index.ts";
import { type Figure, reportPage } from "../report-page.ts";
import { onClusters } from "../truth/clusters.ts";
import { outcomeOf, type Verdict } from "../verdict.ts";
import { measureOwed, type Owed, type QueueSample } from "./owed.ts";
import { limitsOf, PLAYS, PROCS } from "./scenario.ts";
import { LOOKS_PER_MINUTE, type Played, playOnSlurm } from "./slurm-play.ts";

/** What is to be run. */
export interface BurstsOrder {
  /** How long each play takes. */
  readonly minutes: number;
  /** Where the report goes. */
  readonly out: string;
}

/** A play with what was measured. */
export interface MeasuredBursts extends Played {
  readonly name: string;
  readonly owed: Owed;
}

const MINUTE_MS = 60_000;
/** Two looks' time: what an order takes to have its effect comes on top of the interval. */
const LOOK_MS = MINUTE_MS / LOOKS_PER_MINUTE + 3000;
const MOST_OVER = 0.02;
const MOST_IDLE = 0.05;
const MOST_ORDERS = 2;
const NODES = 4;
/** Where nobody enforces anything: what is measured must find fault with it. */
const CONTROL = "nobody enforces";

/** Runs all plays at once, each on a cluster of its own, and writes the report. */
export async function runBursts(
  { minutes, out }: BurstsOrder,
  tell: (text: string) => void,
): Promise<readonly Verdict[]> {
  const lengthMs = minutes * MINUTE_MS;
  const words = ["--users", "--nodes", String(NODES), "--cpus", String(PROCS / NODES)];
  const control = PLAYS.find(({ mode }) => mode === "dedicated") ?? PLAYS[0];
  const measured = await onClusters(
    PLAYS.length + 1,
    ({ clusters, folder }) =>
      Promise.all(
        [...PLAYS, { ...control, name: CONTROL }].map(async (play, at) => {
          const enforced = play.name !== CONTROL;
          const played = await playOnSlurm(play, clusters[at], { folder, lengthMs, enforced });
          tell(`${play.name}: played\n`);
          return measuredOf(played, lengthMs);
        }),
      ),
    words,
  );
  const verdicts = measured.flatMap(verdictsOf);
  await writeFile(out, page(measured, verdicts, minutes));
  return verdicts;
}

/** Judges a play: from the first look on, and with holds alone from when what began before it has ended. */
export function measuredOf(played: Played, lengthMs: number): MeasuredBursts {
  const { play, samples } = played;
  const warmUpMs = 2 * LOOK_MS + (play.grant.includes("suspend") ? 0 : play.runSec * 1000);
  const owed = measureOwed(samples, {
    ...{ procs: PROCS, limits: limitsOf(play), mode: play.mode },
    ...{ lookMs: LOOK_MS, fromMs: Math.min(warmUpMs, lengthMs / 2) },
  });
  return { ...played, name: play.name, owed };
}

/** The promises of an enforcer for one play; those of the control are that the measures find fault. */
export function verdictsOf({ name, owed, orders, jobs }: MeasuredBursts): readonly Verdict[] {
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
  const over = `${percent(owed.overFraction)} of ${owed.samples} samples, by at most ${owed.mostOver}`;
  if (name === CONTROL) {
    const isCaught = owed.overFraction > MOST_OVER && owed.beyondLooks > 0;
    const claim = "the measures find fault where nobody enforces";
    return [{ figure: name, claim, outcome: outcomeOf(isCaught), numbers: over }];
  }
  const verdict = (claim: string, holds: boolean, numbers: string): Verdict => ({
    ...{ figure: name, claim, outcome: outcomeOf(holds), numbers },
  });
  const perJob = orders / Math.max(1, jobs);
  return [
    verdict("over the burst limit in at most 2 % of samples", owed.overFraction <= MOST_OVER, over),
    verdict(
      "never over it by more than what came between two looks",
      owed.beyondLooks === 0,
      `${owed.beyondLooks} of ${owed.samples} samples`,
    ),
    verdict("no more than two orders a job", perJob <= MOST_ORDERS, `${perJob.toFixed(2)}`),
    verdict(
      "idle while somebody entitled waits: no more than 5 %",
      owed.idleFraction <= MOST_IDLE,
      percent(owed.idleFraction),
    ),
    ...(name === "cap"
      ? [
          verdict(
            "over the epoch share in no more than 2 % of samples",
            owed.overEpochFraction <= MOST_OVER,
            percent(owed.overEpochFraction),
          ),
        ]
      : []),
  ];
}

function page(measured: readonly MeasuredBursts[], verdicts: readonly Verdict[], minutes: number): string {
  const names = ["play", "granted", "jobs", "orders", "physics, CPU·s", "biology, CPU·s"];
  const heads: Cell[] = names.map((text) => ({ text }));
  const rows = measured.map(({ name, play, jobs, orders, usedProcSec }): Cell[] => [
    { text: name },
    { text: name === CONTROL ? "nothing" : play.grant.join(", ") },
    numberCell(String(jobs)),
    numberCell(String(orders)),
    ...["physics", "biology"].map((account) => numberCell(String(usedProcSec.get(account) ?? 0))),
  ]);
  return reportPage({
    title: "Limits on real clusters, kept by an enforcer that looks again and again",
    deviations: [
      `Each play takes ${minutes} minutes on a cluster of its own, ${PROCS} processors under Slurm; the ` +
        `broker looks ${LOOKS_PER_MINUTE} times a minute at most. People submit past Stint.`,
      "Use is sampled once a second from squeue; the table below has what the accounting says.",
      "The time of the first two looks is not judged: nobody can keep what starts before it was seen. With " +
        "holds alone, what began then runs to its end, and is not judged either.",
    ],
    opening: htmlTable("What was run, by the accounting", heads, rows),
    figures: measured.map((play) => figureOf(play, minutes)),
    verdicts,
  });
}

function figureOf({ name, samples, play }: MeasuredBursts, minutes: number): Figure {
  const limits = limitsOf(play);
  const lines = limits.flatMap(({ consumer, burstProcs }, series) => [
    { name: consumer, series, points: samples.map((sample) => point(sample, consumer)) },
    {
      ...{ name: `${consumer}, its burst limit`, series: series + limits.length },
      points: [
        [0, burstProcs],
        [minutes, burstProcs],
      ] as const,
    },
  ]);
  const about = { title: `Use under ${name}`, description: "A line for each account, in processors." };
  return {
    figure: name,
    title: `${name}: processors in use`,
    pictures: [
      lineChart(about, lines, [numberAxis(minutes, 5, "minutes"), numberAxis(PROCS, 4, "processors")]),
    ],
    caption: "Sampled once a second.",
  };
}

function point({ atMs, jobs }: QueueSample, consumer: string): readonly [number, number] {
  const own = jobs.filter((job) => job.consumer === consumer && job.state === "running");
  return [atMs / MINUTE_MS, own.reduce((total, { procs }) => total + procs, 0)];
}
