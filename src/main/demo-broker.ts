/**
 * First part of the demo: a broker with its embedded database, this machine and two simulated clusters as
 * sites, real jobs, and their output.
 *
 * Programs of the clusters' jobs run on this machine too, when the queue starts them: the queues, and at
 * oak other users' jobs, are simulated, the work is not.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { reachBroker } from "../cli/index.ts";
import { endJobs, fillPage } from "./demo-content.ts";
import { type DemoJob, demoJobs, ELM_PROCS, SITES } from "./demo-jobs.ts";
import { timeline } from "./demo-timeline.ts";
import { up } from "./serve.ts";
import { adminTokenFile, brokerSocket } from "./state-directory.ts";

type Client = Awaited<ReturnType<typeof reachBroker>>;
type Job = Awaited<ReturnType<Client["job"]>>;

/** A job of the demo with its id. */
interface Submitted extends DemoJob {
  readonly id: string;
}

const OTHERS = fileURLToPath(new URL("../../examples/poisson.swf", import.meta.url));

/** Sites of the demo, as in an administrator's file. @param streams directory of the data of streams */
const configurationOf = (streams: string): string => `sites:
  - name: ${SITES.here}
    type: managed
    streams: { inbound: 2MB/s, storage: 40MB, directory: ${JSON.stringify(streams)} }
  - name: ${SITES.elm}
    type: simulated
    procs: ${ELM_PROCS}
    discipline: conservative
    jobs: run
    enforcement: { grant: [hold] }
  - name: ${SITES.oak}
    type: simulated
    procs: 128
    discipline: easy
    jobs: run
    speedUp: 600
    background: { trace: ${JSON.stringify(OTHERS)}, skip: 1d }
    delays: { order: 100ms, start: 200ms }
`;

/**
 * Runs the demo in a directory of its own, which is removed afterwards.
 *
 * @param stay called with the address of the page, signed in; the broker is up until it resolves. Absent: the
 * broker listens on its socket alone
 */
export async function demoBroker(
  write: (text: string) => void,
  stay?: (page: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "stint-demo-"));
  const configuration = join(directory, "stint.yaml");
  await writeFile(configuration, configurationOf(join(directory, "streams")));
  const stop = new AbortController();
  let ready: (line: string) => void = () => undefined;
  const isReady = new Promise<string>((resolve) => {
    ready = resolve;
  });
  const serving = up(
    {
      stateDirectory: directory,
      port: stay === undefined ? null : 0,
      configuration,
      isThisMachineOffered: true,
    },
    { tell: (line) => line.includes("ready") && ready(line), signal: stop.signal },
  );
  const client = await reachBroker({ socketPath: brokerSocket(directory) });
  try {
    const said = await Promise.race([isReady, serving]);
    await play(client, write);
    const url = /https?:\S+/.exec(said ?? "")?.[0];
    if (url === undefined || stay === undefined) return;
    await fillPage(client, (token) => reachBroker({ url, token }));
    await stay(`${url}/#token=${await adminToken(directory)}`);
    await endJobs(client);
  } finally {
    client.close();
    stop.abort();
    await serving;
    await rm(directory, { recursive: true, force: true });
  }
}

async function adminToken(directory: string): Promise<string> {
  return (await readFile(adminTokenFile(directory), "utf8")).trim();
}

async function play(client: Client, write: (text: string) => void): Promise<void> {
  const sites = await client.sites();
  write("A broker is up, with three sites:\n");
  for (const { name, spec } of sites) {
    const what = spec.type === "managed" ? "this machine" : `a simulated cluster, ${spec.discipline}`;
    write(`  ${name.padEnd(6)}${String(spec.procs).padStart(4)} processors  ${what}\n`);
  }
  const jobs = await submitAll(client, demoJobs(sites[0].spec.procs));
  write("\nSubmitted:\n");
  for (const { id, name, submission, shows } of jobs) {
    const procs = String(submission.procs ?? 1).padStart(4);
    write(`  ${id}  ${name.padEnd(9)}${procs} processors  ${shows}\n`);
  }
  const following = follow(client, jobs, write);
  await tellWhy(client, idOf(jobs, "full"), write);
  await cancelWhenSeen(client, idOf(jobs, "unwanted"));
  const ended = await following;
  await tellEnd(client, jobs, ended, write);
}

async function submitAll(client: Client, jobs: readonly DemoJob[]): Promise<Submitted[]> {
  const ids = await client.submit(jobs.map(({ name, submission }) => ({ ...submission, name })));
  return jobs.map((job, i) => ({ ...job, id: ids[i] }));
}

function idOf(jobs: readonly Submitted[], wanted: string): string {
  return jobs.find(({ name }) => name === wanted)?.id ?? "";
}

/** Prints every change; returns the jobs with their ends. */
async function follow(client: Client, jobs: readonly Submitted[], write: (text: string) => void) {
  const beganAt = Date.now();
  write("\nWhat happens:\n");
  return Promise.all(
    jobs.map(async ({ id, name }) => {
      let before = "";
      return client.watch(id, ({ state, site, result }) => {
        if (state === before) return;
        before = state;
        const seconds = ((Date.now() - beganAt) / 1000).toFixed(1).padStart(5);
        const where = site === null ? "" : ` at ${site}`;
        const how = result === null ? "" : ` (${result})`;
        write(`  ${seconds} s  ${name.padEnd(9)}${state}${how}${where}\n`);
      });
    }),
  );
}

/**
 * Prints why a job waits; polls until it waits at its site, since the broker decides some milliseconds
 * after a job was accepted.
 */
async function tellWhy(client: Client, id: string, write: (text: string) => void): Promise<void> {
  while (["WAITING", "READY"].includes((await client.job(id)).state)) await setTimeout(50);
  await setTimeout(600);
  const { lines } = await client.why(id);
  write(`\n  Why is full not running yet?\n${lines.map((line) => `    ${line}\n`).join("")}\n`);
}

async function cancelWhenSeen(client: Client, id: string): Promise<void> {
  while (["WAITING", "READY"].includes((await client.job(id)).state)) await setTimeout(50);
  await client.act(id, "cancel");
}

async function tellEnd(
  client: Client,
  jobs: readonly Submitted[],
  ended: readonly Job[],
  write: (text: string) => void,
): Promise<void> {
  write("\nWho waited (·) and ran (█) when:\n");
  write(timeline(ended.map((job, i) => rowOf(jobs[i].name, job))));
  const quarters = jobs.filter(({ name }) => name.startsWith("pi-"));
  const sums = await Promise.all(quarters.map(async ({ id }) => Number(await textOf(client, id))));
  const sum = sums.reduce((a, b) => a + b, 0);
  write(`\nTheir outputs came home: the four quarters add up to ${sum.toFixed(10)}; `);
  write(`π is ${Math.PI.toFixed(10)}.\n`);
}

function rowOf(name: string, job: Job) {
  const { site, submittedAt, startedAt, endedAt, state, exitCode } = job;
  return {
    name,
    site: site ?? "",
    submittedAtMs: Date.parse(submittedAt),
    startedAtMs: startedAt === null ? undefined : Date.parse(startedAt),
    endedAtMs: Date.parse(endedAt ?? submittedAt),
    outcome: state === "DONE" ? `exit code ${exitCode}` : state,
  };
}

async function textOf(client: Client, id: string): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of client.readFile(id, "stdout")) parts.push(part);
  return Buffer.concat(parts).toString();
}
