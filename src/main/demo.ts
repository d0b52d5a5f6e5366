/**
 * The demo: real work through a broker on this machine, then one workload under three disciplines, with the
 * effect on waiting times. Without a trace it replays the synthetic one in `examples/`.
 */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Demo, disciplineComparison } from "../cli/index.ts";
import type { Discipline, SimulationOutcome, SimulationRequest } from "../model/index.ts";
import { simulateFile } from "../sim/index.ts";
import { readVersion } from "./version.ts";

const SHIPPED = fileURLToPath(new URL("../../examples/poisson.swf", import.meta.url));
const COMPARED: readonly Discipline[] = ["fcfs", "easy", "conservative"];

async function compareDisciplines(trace: string, procs: number | undefined): Promise<string> {
  const outcomes: SimulationOutcome[] = [];
  for (const discipline of COMPARED) {
    const request: SimulationRequest = {
      trace,
      discipline,
      estimates: "requested",
      overrun: "extend",
      lenient: false,
      ...(procs === undefined ? {} : { procs }),
    };
    outcomes.push(await simulateFile(request, { version: readVersion() }));
  }
  const { report } = outcomes[0];
  return `
One workload, three queue disciplines
  ${report.jobs} jobs on ${report.procs} processors, replayed second by second in virtual time;
  planning by what users requested, which is mostly more than they need.

${await disciplineComparison(outcomes)}
  fcfs          strictly in order: a wide job at the head lets processors idle
  easy          later jobs may go first unless they delay the head of the queue
  conservative  every job holds a promised start, and no promise moves later

Try it yourself: stint sim ${nameFromHere(trace)} --discipline conservative
`;
}

/** The trace as a user types it in the current directory: the shipped one is where Stint is installed. */
function nameFromHere(trace: string): string {
  const fromHere = relative(process.cwd(), trace);
  return trace !== SHIPPED || fromHere.startsWith("..") ? trace : fromHere;
}

/** `stint demo`. @throws Fault */
export const demo: Demo = async ({ trace, procs, isKept }, terminal) => {
  const write = terminal.writeResult;
  const compare = async () => write(await compareDisciplines(trace ?? SHIPPED, procs));
  if (trace !== undefined) return compare();
  const { demoBroker } = await import("./demo-broker.ts");
  if (!isKept) {
    await demoBroker(write);
    return compare();
  }
  await demoBroker(write, async (page) => {
    await compare();
    write(`\nThe page of this broker, signed in: ${page}\nIt is up until you press Ctrl-C.\n`);
    await interruption(terminal.onEndRequest);
  });
};

/** Resolves when the user, or whoever stops services, ends the program. */
function interruption(onEndRequest: Parameters<Demo>[1]["onEndRequest"]): Promise<void> {
  return new Promise((resolve) => {
    // Without it nothing would keep the program alive in between.
    const alive = setInterval(() => {}, 60_000);
    const release = onEndRequest(() => {
      clearInterval(alive);
      release();
      resolve();
    });
  });
}
