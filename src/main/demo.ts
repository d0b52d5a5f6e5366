/**
 * The demo: real work through a broker on this machine, then one workload under three disciplines, with the
 * effect on waiting times. Without a trace it replays the synthetic one in `examples/`.
 */
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

Try it yourself: stint sim ${trace === SHIPPED ? "examples/poisson.swf" : trace} --discipline conservative
`;
}

/** `stint demo`. @throws Fault */
export const demo: Demo = async ({ trace, procs }, write) => {
  if (trace === undefined) await (await import("./demo-broker.ts")).demoBroker(write);
  write(await compareDisciplines(trace ?? SHIPPED, procs));
};
