/**
 * The published schema and the reader say the same about what a configuration is.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Schema, schemaJudge } from "../../../test/json-schema.ts";
import { readStintYaml } from "./read.ts";

const root = resolve(import.meta.dirname, "../../..");
const schema = JSON.parse(readFileSync(join(root, "docs/schemas/stint.schema.json"), "utf8")) as Schema;
const isValid = schemaJudge(schema);
const problemsOf = (text: string) =>
  readStintYaml(text, { folder: "/", fileState: () => "readable" }).problems;

const simulated = (words: string) => `sites: [{ name: w, type: simulated, procs: 4, ${words} }]`;
const slurm = (words: string) => `sites: [{ name: w, type: slurm, ${words} }]`;
const managed = (words: string) => `sites: [{ name: w, type: managed, ${words} }]`;

describe("the published schema of stint.yaml", () => {
  it("FO-31 the example of the guide is valid for both", () => {
    const guide = readFileSync(join(root, "docs/guides/run-jobs.md"), "utf8");
    const text = /^```yaml\n([\s\S]*?)^```$/m.exec(guide)?.[1] ?? "";
    expect(text).toContain("sites:");
    expect(isValid(parse(text))).toBe(true);
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    "{}",
    "server: { stateDir: state, port: 0 }",
    "server: { port: none }",
    "server: { host: localhost }",
    "server: { host: '::1', tls: { cert: a.pem, key: a.key } }",
    "server: { host: broker.example.org, tls: { cert: a.pem, key: a.key } }",
    managed("procs: 2, memory: 1.5GB, discipline: repack, wallTime: 2-12:30"),
    managed("wallTime: PT1H30M"),
    managed("reservations: { consumers: [cms, atlas/higgs], ahead: 7d, longest: 12h, notice: 10m }"),
    managed("reservations: { consumers: [], share: 0, consumerShare: 1, farShare: 0.000001 }"),
    slurm("reservations: { consumers: cms, far: 0, offer: 2m, offerShare: 0.5, freeWasted: 0 }"),
    simulated("reservations: { unitPrice: 1.125, transaction: 0.5, penalty: 1, basePenalty: 0.1 }"),
    simulated("reservations: { virtual: false }"),
    managed("reservations: { prices: [{ name: night, from: '22:00', until: '06:00', days: [fri, sat] }] }"),
    slurm("reservations: { prices: [{ name: 7, clock: '-03:30', consumers: cms, slots: queued }] }"),
    simulated(
      "reservations: { prices: [{ name: a, days: mon }, { name: b, unitPrice: 2, transaction: 0.5 }] }",
    ),
    managed("reservations: { delayBudgets: { cms: 64, cms/higgs: 0 } }"),
    managed("enforcement: { grant: [hold, suspend], form: ours, minRun: 1m, maxSuspensions: 3 }"),
    slurm("enforcement: { grant: watch, form: literal, minRun: 0, actionsPerHour: 600, suspendedShare: 1 }"),
    simulated("enforcement: { grant: [], lease: 5m }"),
    managed("stores: { scratch: { size: 200G }, home: { size: 1.5TB, unit: 100G } }"),
    slurm("links: { up-link.1: { rate: 1Gbit/s, unit: 10MB/s } }, stores: {}"),
    slurm("consumers: { physics: cms, chemistry: atlas/higgs }"),
    "sites: [{ name: 7, type: managed }]",
    "sites: [{ name: w, type: slurm }]",
    slurm("readOnly: false, submitDirectory: /data/stint, sshHost: me@login-1, pollsPerMinute: 12"),
    slurm("procs: 16, slurmConf: /etc/slurm.conf, account: physics, partition: 'a,b', qos: normal"),
    simulated("memory: 4096, jobs: run, speedUp: 1000000, seed: 0"),
    simulated("background: { trace: a.swf.gz, skip: 0 }"),
    simulated("delays: { order: 200ms, start: 0s }, losses: { failed: 1, vanished: 0.000001 }"),
  ])("FO-31 %j is valid for both", (text) => {
    expect(isValid(parse(text))).toBe(true);
    expect(problemsOf(text)).toEqual([]);
  });

  it.each([
    "server: 7",
    "servers: {}",
    "server: { port: 65536 }",
    "server: { port: any }",
    "server: { host: 0.0.0.0 }",
    "server: { host: 'broker:7846', tls: true }",
    "server: { host: a b, tls: { cert: a.pem, key: a.key } }",
    "server: { tls: { cert: a.pem } }",
    "server: { tls: { cert: ~/a.pem, key: a.key } }",
    "server: { stateDir: '' }",
    "server: { stateDir: ~/x }",
    "sites: {}",
    "sites: [{ name: w }]",
    "sites: [{ type: managed }]",
    "sites: [{ name: -w, type: managed }]",
    "sites: [{ name: w, type: pbs }]",
    slurm("jobs: run"),
    managed("reservations: 7"),
    managed("reservations: { ahed: 7d }"),
    managed("reservations: { consumers: [a//b] }"),
    managed("reservations: { consumers: { a: b } }"),
    managed("reservations: { longest: 0 }"),
    managed("reservations: { offer: 0 }"),
    managed("reservations: { share: 1.5 }"),
    managed("reservations: { share: half }"),
    managed("reservations: { unitPrice: 0.5 }"),
    managed("reservations: { transaction: -1 }"),
    managed("reservations: { freeWasted: 1.5 }"),
    managed("reservations: { virtual: no such word }"),
    managed("reservations: { prices: { name: a } }"),
    managed("reservations: { prices: [{ unitPrice: 2 }] }"),
    managed("reservations: { prices: [{ name: a, from: '24:00' }] }"),
    managed("reservations: { prices: [{ name: a, until: '6:00' }] }"),
    managed("reservations: { prices: [{ name: a, days: [monday] }] }"),
    managed("reservations: { prices: [{ name: a, slots: gpu }] }"),
    managed("reservations: { prices: [{ name: a, clock: CET }] }"),
    managed("reservations: { prices: [{ name: a, unitPrice: 0.5 }] }"),
    managed("reservations: { delayBudgets: { cms: 1.5 } }"),
    managed("reservations: { delayBudgets: { a//b: 1 } }"),
    managed("enforcement: watch"),
    managed("enforcement: { grant: [hold, stop] }"),
    managed("enforcement: { grant: { hold: true } }"),
    managed("enforcement: { granted: [hold] }"),
    managed("enforcement: { form: mine }"),
    managed("enforcement: { lease: 0 }"),
    managed("enforcement: { suspendedShare: 1.5 }"),
    managed("enforcement: { maxSuspensions: -1 }"),
    managed("consumers: { physics: cms }"),
    managed("stores: [scratch]"),
    managed("stores: { scratch: 200G }"),
    managed("stores: { scratch: {} }"),
    managed("stores: { scratch: { size: 200g } }"),
    managed("stores: { scratch: { size: 0 } }"),
    managed("stores: { a/b: { size: 200G } }"),
    simulated("links: { uplink: { rate: 1Gb/s } }"),
    simulated("links: { uplink: { rate: 100 } }"),
    simulated("links: { uplink: { size: 200G } }"),
    slurm("links: { uplink: { rate: 1Gbit/s, unit: fast } }"),
    slurm("consumers: [cms]"),
    slurm("consumers: { physics: a//b }"),
    slurm("readOnly: 1"),
    slurm("sshHost: -oProxyCommand=x"),
    slurm("submitDirectory: stint"),
    slurm("pollsPerMinute: 0"),
    simulated("readOnly: true"),
    "sites: [{ name: w, type: simulated }]",
    managed("jobs: run"),
    managed("memory: 10g"),
    managed("wallTime: 0"),
    simulated("procs: 1.5").replace("procs: 4, ", ""),
    simulated("discipline: fifo"),
    simulated("background: { skip: 1d }"),
    simulated("background: { trace: a, pace: 1 }"),
    simulated("delays: { order: 01:30 }"),
    simulated("losses: { failed: 2 }"),
    simulated("seed: -1"),
  ])("FO-31 %j is wrong for both", (text) => {
    expect(isValid(parse(text))).toBe(false);
    expect(problemsOf(text)).not.toEqual([]);
  });
});
